import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { connect } from 'node:net';
import { join } from 'node:path';
import { pause } from './stats.ts';

export const root = join(import.meta.dirname, '../..');

export interface ServerOptions {
  dataDir: string;
  httpPort: number;
  devicePort: number;
  roles?: string;
  databaseUrl?: string;
  busUrl?: string;
  entry?: 'main' | 'demo';
  /** Module that the program imports first. */
  preload?: string;
  environment?: NodeJS.ProcessEnv;
  /** The only core that the program sees. */
  core?: number;
}

export interface RunningServer {
  url: string;
  pid: number;
  dataDir: string;
  devicePort: number;
  output(): string;
  stop(): Promise<void>;
  kill(): Promise<void>;
}

let fresh = false;

/** Builds from the checkout: results belong to its commit. */
export function built(file: string): string {
  if (!fresh)
    execFileSync(process.execPath, [join(root, 'scripts/ensure.mjs')], { stdio: ['ignore', 'ignore', 'inherit'] });
  fresh = true;
  return join(root, 'packages/server/dist', file);
}

export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { dataDir, httpPort, devicePort } = options;
  const preload = options.preload === undefined ? [] : ['--import', options.preload];
  const program = [process.execPath, ...preload, built(`${options.entry ?? 'main'}.js`)];
  const command = options.core === undefined ? program : ['taskset', '-c', String(options.core), ...program];
  const child = spawn(command[0]!, command.slice(1), {
    cwd: root,
    env: {
      ...inherited(),
      YUNXUN_DATA: dataDir,
      YUNXUN_HOST: '127.0.0.1',
      YUNXUN_PUBLIC_URL: `http://127.0.0.1:${httpPort}`,
      YUNXUN_DEVICE_HOST: 'localhost',
      YUNXUN_HTTP_PORT: String(httpPort),
      YUNXUN_DEVICE_PORT: String(devicePort),
      ...(options.roles && { YUNXUN_ROLES: options.roles }),
      ...(options.databaseUrl && { YUNXUN_DATABASE_URL: options.databaseUrl }),
      ...(options.busUrl && { YUNXUN_BUS_URL: options.busUrl }),
      ...options.environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const hear = (chunk: unknown) => {
    output = (output + String(chunk)).slice(-20_000);
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  const url = `http://127.0.0.1:${httpPort}`;
  const hasConsole = !options.roles || options.roles.includes('console');
  const ready = hasConsole ? () => isReady(url) : () => accepts(devicePort);
  await untilReady(child, ready, () => output);
  return {
    url,
    dataDir,
    devicePort,
    pid: child.pid as number,
    output: () => output,
    stop: () => end(child, 'SIGTERM'),
    kill: () => end(child, 'SIGKILL'),
  };
}

export function inherited(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('YUNXUN_')));
}

export async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2000) })).status === 200;
  } catch {
    return false;
  }
}

const timeout = 120_000;

async function untilReady(child: ChildProcess, ready: () => Promise<boolean>, output: () => string): Promise<void> {
  const deadline = Date.now() + timeout;
  while (!(await ready())) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the server ended: ${output()}`);
    if (Date.now() > deadline) {
      await end(child, 'SIGKILL');
      throw new Error(`the server is not ready after ${timeout / 1000} s: ${output()}`);
    }
    await pause(20);
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill(signal);
  await ended;
}
