import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { systemClock } from '../src/platform/clock.ts';
import { type Database, openDatabase } from '../src/platform/database/index.ts';
import { prepareQueue } from '../src/platform/jobs/index.ts';
import { silentLog } from '../src/platform/log.ts';
import { startPostgres } from '../src/platform/postgres/index.ts';
import { clearCluster } from '../src/platform/postgres/orphan.ts';
import { findPlace } from '../src/platform/postgres/place.ts';
import { inspectProcess } from '../src/platform/postgres/processes.ts';
import { thisMachine } from '../src/platform/postgres/user.ts';
import { ensurePartitions } from '../src/telemetry/partitions.ts';

/** One for all tests: role passwords derive from the master key, and roles belong to the cluster. */
export const testMasterKey = Buffer.alloc(32, 'yunxun test');

export interface TestCluster {
  owner: pg.ClientConfig;
  template: string;
  /** A copy of it with the partitions of today. */
  serverTemplate: string;
  prefix: string;
}

const dirPrefix = 'yunxun-cluster-';
const dayMs = 86_400_000;

/** Names the PID namespace too: several may share the memory. */
export const clusterDir = (pid: number | string) => `${dirPrefix}${pidNamespace()}-${pid}-`;

function pidNamespace(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0';
  } catch {
    return '0';
  }
}

const sharedMemory = '/dev/shm';
const clusterBytes = 2 * 1024 ** 3;

/** Prefers memory, because a database has 1,700 files. */
function clusterParent(): string {
  if (!existsSync(sharedMemory)) return tmpdir();
  // programs may be copied into it
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
  const isPlain = mounts.some((line) => /^\S+ \/dev\/shm tmpfs (?!\S*\bnoexec\b)/.test(line));
  const { bavail, bsize } = statfsSync(sharedMemory);
  return isPlain && bavail * bsize >= clusterBytes ? sharedMemory : tmpdir();
}

/** Uses YUNXUN_TEST_DATABASE_URL if set. */
export async function startTestCluster(): Promise<{ cluster: TestCluster; stop(): Promise<void> }> {
  const prefix = `yunxun_test_${randomBytes(4).toString('hex')}`;
  const external = process.env.YUNXUN_TEST_DATABASE_URL;
  if (external) {
    const owner = { connectionString: external };
    return { cluster: await makeTemplates(owner, prefix), stop: () => dropAll(owner, prefix) };
  }
  await sweep();
  const dir = mkdtempSync(join(clusterParent(), clusterDir(process.pid)));
  // root's cluster runs as another user
  chmodSync(dir, 0o711);
  try {
    const postgres = await startPostgres({
      dataDir: join(dir, 'data'),
      systemDir: join(dir, 'system'),
      log: silentLog(),
      throwaway: true,
    });
    return {
      cluster: await makeTemplates(postgres.owner, prefix),
      async stop() {
        await postgres.stop();
        rmSync(dir, { recursive: true, force: true });
      },
    };
  } catch (error) {
    rmSync(dir, { recursive: true, force: true });
    throw error;
  }
}

export function inDatabase(owner: pg.ClientConfig, database: string): pg.ClientConfig {
  if (!owner.connectionString) return { ...owner, database };
  const url = new URL(owner.connectionString);
  url.pathname = `/${database}`;
  return { connectionString: url.toString() };
}

export async function asOwner<T>(owner: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(owner);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function makeTemplates(owner: pg.ClientConfig, prefix: string): Promise<TestCluster> {
  const [template, serverTemplate] = [`${prefix}_template`, `${prefix}_server`];
  await asOwner(owner, (client) => client.query(`create database ${template}`));
  await prepare(owner, template, prepareQueue);
  await copyDatabase(owner, template, serverTemplate);
  await prepare(owner, serverTemplate, (database) => ensurePartitions(database, systemClock));
  // CREATE DATABASE needs a template without connections
  await asOwner(owner, async (client) => {
    for (const name of [template, serverTemplate]) await client.query(`alter database ${name} allow_connections false`);
  });
  return { owner, template, serverTemplate, prefix };
}

export async function copyDatabase(owner: pg.ClientConfig, template: string, name: string): Promise<void> {
  await asOwner(owner, async (client) => {
    for (let attempt = 1; ; attempt++) {
      try {
        // the other strategy writes all of the copy to the WAL too
        await client.query(`create database ${name} template ${template} strategy file_copy`);
        return;
      } catch (error) {
        // autovacuum may be connected to the template
        if ((error as { code?: string }).code !== '55006' || attempt === 50) throw error;
        await delay(50);
      }
    }
  });
}

async function prepare(
  owner: pg.ClientConfig,
  name: string,
  work: (database: Database) => Promise<void>,
): Promise<void> {
  const at = inDatabase(owner, name);
  const database = await openDatabase({ owner: at, masterKey: testMasterKey, log: silentLog(), poolSize: 2 });
  try {
    await work(database);
  } finally {
    await database.close();
  }
}

async function dropAll(owner: pg.ClientConfig, prefix: string): Promise<void> {
  await asOwner(owner, async (client) => {
    const found = await client.query<{ name: string }>(
      'select datname as name from pg_database where starts_with(datname, $1)',
      [prefix],
    );
    for (const { name } of found.rows) await client.query(`drop database if exists ${name} with (force)`);
  });
}

export async function sweep(): Promise<void> {
  const source = thisMachine();
  const parents = [tmpdir(), sharedMemory].filter((parent) => existsSync(parent));
  for (const dir of parents.flatMap((parent) => readdirSync(parent).map((name) => join(parent, name)))) {
    const [, namespace, pid] = new RegExp(`^${dirPrefix}(\\d+)-(\\d+)-`).exec(basename(dir)) ?? [];
    const found = statSync(dir, { throwIfNoEntry: false });
    if (!pid || found?.uid !== source.uid) continue;
    const isOwn = namespace === pidNamespace();
    if (isOwn ? inspectProcess(Number(pid)) : found.mtimeMs > Date.now() - dayMs) continue;
    const dataDir = join(dir, 'data');
    if (existsSync(dataDir)) {
      const place = findPlace(dataDir, source, join(dir, 'system'));
      if (existsSync(place.clusterDir)) await clearCluster(place, silentLog());
    }
    rmSync(dir, { recursive: true, force: true });
  }
}
