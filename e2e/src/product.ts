import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { freePorts } from '../../bench/lib/free-ports.ts';
import { newDataDir } from './data-dir.ts';

/** `E2E_BUILD` overrides it. */
const root = process.env.E2E_BUILD ?? resolve(import.meta.dirname, '../..');

export interface Product {
  url: string;
  dataDir: string;
  devicePort: number;
  code(to: string): string;
  link(to: string): string;
  password(to: string): string;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts `packages/server/dist/<entry>.js` on free ports with its own folder. `host`: for browsers. */
export async function startProduct(
  entry: 'main' | 'demo' = 'main',
  reported = /is ready/,
  host = '127.0.0.1',
  settings: Record<string, string> = {},
): Promise<Product & { output(): string }> {
  const dataDir = newDataDir();
  const [httpPort, devicePort] = (await freePorts(2)) as [number, number];
  const url = `http://${host}:${httpPort}`;
  let output = '';
  const launch = async () => {
    const started = spawn(process.execPath, [join(root, `packages/server/dist/${entry}.js`)], {
      env: {
        ...process.env,
        YUNXUN_DATA: dataDir,
        YUNXUN_HOST: '127.0.0.1',
        YUNXUN_SMTP_PRIVATE: 'yes',
        YUNXUN_WEBHOOK_PRIVATE: 'yes',
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
        if (reported.test(own)) ready();
      };
      started.stdout.on('data', take);
      started.stderr.on('data', take);
      started.once('exit', (code) => failed(new Error(`the product ended with ${code}:\n${own}`)));
    });
    return started;
  };
  let child = await launch();
  return {
    url,
    dataDir,
    devicePort,
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
