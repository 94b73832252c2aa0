import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { type Database, openDatabase } from '../src/platform/database/index.ts';
import { silentLog } from '../src/platform/log.ts';

/** The roles' passwords derive from the master key, and roles belong to the whole cluster: every test uses this one. */
export const testMasterKey = Buffer.alloc(32, 7);

export interface TestDatabase {
  database: Database;
  masterKey: Buffer;
  /** How the owner connects; for tests of the schema itself. */
  owner: pg.ClientConfig;
  /** Opens the database again after a program has closed it. */
  reopen(): Promise<Database>;
  drop(): Promise<void>;
}

/** A fresh, migrated database on the cluster of this test run. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const url = process.env.YUNXUN_TEST_DATABASE_URL;
  if (!url) throw new Error('no test cluster: vitest.config.ts names the global set-up that starts one');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onCluster(url, `create database ${name}`);
  const target = new URL(url);
  target.pathname = `/${name}`;
  const owner = { connectionString: target.toString() };
  const open = () => openDatabase({ owner, masterKey: testMasterKey, log: silentLog(), poolSize: 8 });
  const database = await open();
  return {
    database,
    masterKey: testMasterKey,
    owner,
    reopen: open,
    async drop() {
      await onCluster(url, `drop database if exists ${name} with (force)`);
    },
  };
}

async function onCluster(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
