import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openDatabase } from '../src/platform/database/index.ts';
import { prepareQueue } from '../src/platform/jobs/index.ts';
import { silentLog } from '../src/platform/log.ts';
import { startPostgres } from '../src/platform/postgres/index.ts';
import { clearCluster } from '../src/platform/postgres/orphan.ts';
import { findPlace } from '../src/platform/postgres/place.ts';
import { inspectProcess } from '../src/platform/postgres/processes.ts';
import { thisMachine } from '../src/platform/postgres/user.ts';

/** One for all tests: role passwords derive from the master key, and roles belong to the cluster. */
export const testMasterKey = Buffer.alloc(32, 'yunxun test');

export interface TestCluster {
  owner: pg.ClientConfig;
  template: string;
  prefix: string;
}

const dirPrefix = 'yunxun-cluster-';

/** Uses YUNXUN_TEST_DATABASE_URL if set. */
export async function startTestCluster(): Promise<{ cluster: TestCluster; stop(): Promise<void> }> {
  const prefix = `yunxun_test_${randomBytes(4).toString('hex')}`;
  const template = `${prefix}_template`;
  const external = process.env.YUNXUN_TEST_DATABASE_URL;
  if (external) {
    const owner = { connectionString: external };
    await makeTemplate(owner, template);
    return { cluster: { owner, template, prefix }, stop: () => dropAll(owner, prefix) };
  }
  await sweep();
  const dir = mkdtempSync(join(tmpdir(), `${dirPrefix}${process.pid}-`));
  // root's cluster runs as another user
  chmodSync(dir, 0o711);
  try {
    const postgres = await startPostgres({
      dataDir: join(dir, 'data'),
      systemDir: join(dir, 'system'),
      log: silentLog(),
      throwaway: true,
    });
    await makeTemplate(postgres.owner, template);
    return {
      cluster: { owner: postgres.owner, template, prefix },
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

async function makeTemplate(owner: pg.ClientConfig, template: string): Promise<void> {
  await asOwner(owner, (client) => client.query(`create database ${template}`));
  const database = await openDatabase({
    owner: inDatabase(owner, template),
    masterKey: testMasterKey,
    log: silentLog(),
    poolSize: 2,
  });
  try {
    await prepareQueue(database);
  } finally {
    await database.close();
  }
  // CREATE DATABASE needs a template without connections
  await asOwner(owner, (client) => client.query(`alter database ${template} allow_connections false`));
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
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(new RegExp(`^${dirPrefix}(\\d+)-`).exec(name)?.[1]);
    if (!pid || inspectProcess(pid)) continue;
    const dir = join(tmpdir(), name);
    if (statSync(dir, { throwIfNoEntry: false })?.uid !== source.uid) continue;
    const dataDir = join(dir, 'data');
    if (existsSync(dataDir)) {
      const place = findPlace(dataDir, source, join(dir, 'system'));
      if (existsSync(place.clusterDir)) await clearCluster(place, silentLog());
    }
    rmSync(dir, { recursive: true, force: true });
  }
}
