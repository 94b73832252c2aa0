import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Binaries } from './binaries.ts';
import { PostgresError, remedyFor } from './error.ts';
import type { LauncherLog } from './log.ts';
import type { Place } from './place.ts';
import { stopServer } from './processes.ts';
import { asUser } from './run.ts';

export interface Server {
  pid: number;
  ended: Promise<string>;
  hasEnded(): boolean;
  lastWords(): string[];
  stop(): Promise<void>;
}

const keptLines = 40;

/**
 * Uses its own session: Ctrl-C reaches only the program, which stops it last.
 * @throws PostgresError if it cannot be spawned
 */
export async function spawnServer(
  place: Place,
  binaries: Binaries,
  settings: Readonly<Record<string, string>>,
  log: LauncherLog,
): Promise<Server> {
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(binaries.postgres, ['-D', place.clusterDir, ...options], {
    ...asUser(place.user),
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let how: string | null = null;
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) =>
      reject(new PostgresError(`PostgreSQL cannot be started: ${error.message}. ${remedyFor}`)),
    );
  });
  const { lines, silent } = listen(child, log);
  const ended = new Promise<string>((resolve) => {
    child.once('exit', async (code, signal) => {
      how = signal ? `killed by ${signal}` : `code ${code}`;
      // children of a killed server hold the pipe longer
      await within(silent, 500);
      resolve(how);
    });
  });
  // if the program exits without a stop
  const farewell = () => child.kill('SIGINT');
  process.once('exit', farewell);
  void ended.then(() => process.off('exit', farewell));
  release(child);
  const pid = child.pid!;
  return {
    pid,
    ended,
    hasEnded: () => how !== null,
    lastWords: () => [...lines],
    async stop() {
      if (how !== null) return;
      const signal = await stopServer(pid, (ms) => within(ended, ms));
      if (signal !== 'SIGINT') log.warn({ signal }, 'PostgreSQL did not stop by itself');
    },
  };
}

function release(child: ChildProcess): void {
  child.unref();
  (child.stderr as Readable & { unref(): void }).unref();
}

/** By our own checks and shutdown. */
const expected = /the database system is|database "yunxun" does not exist|due to administrator command/;

function listen(child: ChildProcess, log: LauncherLog): { lines: string[]; silent: Promise<void> } {
  const lines: string[] = [];
  const reader = createInterface({ input: child.stderr! });
  reader.on('line', (line) => {
    lines.push(line);
    if (lines.length > keptLines) lines.shift();
    const level = /^(PANIC|FATAL|WARNING):/.test(line) && !expected.test(line) ? 'warn' : 'debug';
    log[level]({ postgres: line }, 'PostgreSQL says');
  });
  return { lines, silent: new Promise((resolve) => reader.once('close', resolve)) };
}

async function within(ended: Promise<unknown>, ms: number): Promise<boolean> {
  const timer = new AbortController();
  const late = delay(ms, false, { signal: timer.signal }).catch(() => false);
  const result = await Promise.race([ended.then(() => true), late]);
  timer.abort();
  return result;
}

/** Longest crash recovery, in milliseconds. */
const readyMs = 10 * 60_000;

/**
 * Creates the database if missing.
 * @throws PostgresError with the last lines if it ends first
 */
export async function whenReady(
  server: Server,
  owner: pg.ClientConfig,
  cancelled: () => boolean,
  log: LauncherLog,
): Promise<void> {
  const start = Date.now();
  let reported = start;
  for (let pause = 5; !cancelled(); pause = Math.min(pause * 2, 200)) {
    if (server.hasEnded())
      throw new PostgresError(`PostgreSQL ended while it started (${await server.ended}). ${output(server)}`);
    const answer = await greet(owner);
    if (answer === 'ready') return;
    if (answer === 'no database') {
      await makeDatabase(owner);
      continue;
    }
    if (Date.now() - start > readyMs) throw new PostgresError(`PostgreSQL does not become ready. ${output(server)}`);
    if (Date.now() - reported > 10_000) {
      reported = Date.now();
      log.info({ seconds: Math.round((reported - start) / 1000) }, 'PostgreSQL is still recovering');
    }
    await delay(pause);
  }
}

export function output(server: Server): string {
  const lines = server.lastWords();
  return lines.length > 0 ? `Its output: ${lines.join(' | ')}` : 'It printed nothing.';
}

async function greet(owner: pg.ClientConfig): Promise<'ready' | 'not yet' | 'no database'> {
  const client = new pg.Client({ ...owner, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    return 'ready';
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (code === '3D000') return 'no database';
    if (code === '28P01') {
      throw new PostgresError(
        `The password of the database's owner does not fit (${message}). Bring back the file owner.password that belongs to it.`,
      );
    }
    return 'not yet';
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function makeDatabase(owner: pg.ClientConfig): Promise<void> {
  const client = new pg.Client({ ...owner, database: 'postgres' });
  await client.connect();
  try {
    await client.query(`create database ${pg.escapeIdentifier(owner.database!)}`);
  } finally {
    await client.end();
  }
}
