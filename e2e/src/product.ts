import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** Where the built product is: this checkout, unless somebody wants another build tested. */
const root = process.env.E2E_BUILD ?? resolve(import.meta.dirname, '../..');

/** The built product, started as its user would start it. */
export interface Product {
  url: string;
  dataDir: string;
  devicePort: number;
  /** The code last sent to a mobile or e-mail, from the outbox. */
  code(to: string): string;
  /** The address in what was last sent there. */
  link(to: string): string;
  stop(): Promise<void>;
}

/** Starts `packages/server/dist/<entry>.js` on free ports and a data folder of its own; resolves when it says it is ready. `host` is how browsers call this machine. */
export async function startProduct(
  entry: 'main' | 'demo' = 'main',
  said = /is ready/,
  host = '127.0.0.1',
): Promise<Product & { output(): string }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'yunxun-e2e-'));
  const [httpPort, devicePort] = [await freePort(), await freePort()];
  const url = `http://${host}:${httpPort}`;
  const child = spawn(process.execPath, [join(root, `packages/server/dist/${entry}.js`)], {
    env: {
      ...process.env,
      YUNXUN_DATA: dataDir,
      YUNXUN_HOST: '127.0.0.1',
      YUNXUN_HTTP_PORT: String(httpPort),
      YUNXUN_DEVICE_PORT: String(devicePort),
      YUNXUN_PUBLIC_URL: url,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  await new Promise<void>((ready, failed) => {
    const take = (chunk: Buffer) => {
      output += chunk.toString();
      if (said.test(output)) ready();
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.once('exit', (code) => failed(new Error(`the product ended with ${code}:\n${output}`)));
  });
  return {
    ...{ url, dataDir, devicePort },
    output: () => output,
    code: (to) => lastSent(join(dataDir, 'outbox.ndjson'), to, 'code'),
    link: (to) => lastSent(join(dataDir, 'outbox.ndjson'), to, 'url'),
    async stop() {
      await end(child);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const gone = new Promise((ended) => child.once('exit', ended));
  child.kill('SIGTERM');
  await gone;
}

function lastSent(file: string, to: string, what: 'code' | 'url'): string {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  const found = lines
    .map((line) => JSON.parse(line) as { to: string; params: Partial<Record<typeof what, string>> })
    .findLast((line) => line.to === to && line.params[what]);
  if (!found) throw new Error(`no ${what} was sent to ${to}`);
  return found.params[what]!;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}
