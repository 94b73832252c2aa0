import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
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
  /** The Wi-Fi password last mailed there. */
  password(to: string): string;
  /** Kills it, as a machine that fails does, and starts it again in its place. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts `packages/server/dist/<entry>.js` on free ports and a data folder of its own; resolves when it says it is ready. `host` is how browsers call this machine; `settings` are further variables. */
export async function startProduct(
  entry: 'main' | 'demo' = 'main',
  said = /is ready/,
  host = '127.0.0.1',
  settings: Record<string, string> = {},
): Promise<Product & { output(): string }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'yunxun-e2e-'));
  const [httpPort, devicePort] = [await freePort(), await freePort()];
  const url = `http://${host}:${httpPort}`;
  let output = '';
  const launch = async () => {
    const started = spawn(process.execPath, [join(root, `packages/server/dist/${entry}.js`)], {
      env: {
        ...process.env,
        YUNXUN_DATA: dataDir,
        YUNXUN_HOST: '127.0.0.1',
        YUNXUN_HTTP_PORT: String(httpPort),
        YUNXUN_DEVICE_PORT: String(devicePort),
        YUNXUN_PUBLIC_URL: url,
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let own = '';
    await new Promise<void>((ready, failed) => {
      const take = (chunk: Buffer) => {
        own += chunk.toString();
        output += chunk.toString();
        if (said.test(own)) ready();
      };
      started.stdout.on('data', take);
      started.stderr.on('data', take);
      started.once('exit', (code) => failed(new Error(`the product ended with ${code}:\n${own}`)));
    });
    return started;
  };
  let child = await launch();
  return {
    ...{ url, dataDir, devicePort },
    output: () => output,
    code: (to) => lastSent(join(dataDir, 'outbox.ndjson'), to, 'code'),
    link: (to) => lastSent(join(dataDir, 'outbox.ndjson'), to, 'url'),
    password: (to) => lastSent(join(dataDir, 'outbox.ndjson'), to, 'password'),
    async restart() {
      await end(child, 'SIGKILL');
      child = await launch();
    },
    async stop() {
      await end(child);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((ended) => child.once('exit', ended));
  child.kill(signal);
  await gone;
}

function lastSent(file: string, to: string, what: 'code' | 'url' | 'password'): string {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  const found = lines
    .map((line) => JSON.parse(line) as { to: string; params: Partial<Record<typeof what, string>> })
    .findLast((line) => line.to === to && line.params[what]);
  if (!found) throw new Error(`no ${what} was sent to ${to}`);
  return found.params[what]!;
}

/** A port that nobody listens on, below those that the kernel gives to connections: one of theirs would come between. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_000);
    const server = createServer();
    const free = await new Promise<boolean>((known) => {
      server.once('error', () => known(false)).listen(port, '127.0.0.1', () => known(true));
    });
    await new Promise((done) => server.close(done));
    if (free) return port;
  }
}
