import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

const workers = 16;
const [lowest, ephemeral] = [10_000, 32_000];
const share = (ephemeral - lowest) / workers;
/** Of this worker's share: no other takes a port between choice and use. */
const first = lowest + (Number(process.env.VITEST_POOL_ID ?? 0) % workers) * share;

const given = new Set<number>();

/** Returns new TCP ports below the kernel's ephemeral range. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) {
    const port = randomInt(first, first + share);
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    ports.add(port);
  }
  return [...ports];
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const free = await new Promise<boolean>((known) => {
    server.once('error', () => known(false)).listen(port, '127.0.0.1', () => known(true));
  });
  await new Promise((done) => server.close(done));
  return free;
}
