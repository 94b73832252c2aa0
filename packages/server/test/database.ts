import { randomBytes } from 'node:crypto';
import { get } from 'node:http';
import pg from 'pg';
import { inject } from 'vitest';
import { type Database, openDatabase } from '../src/platform/database/index.ts';
import { silentLog } from '../src/platform/log.ts';
import { asOwner, copyDatabase, inDatabase, type TestCluster, testMasterKey } from './cluster.ts';

export { asOwner, testMasterKey } from './cluster.ts';

export interface TestDatabase {
  database: Database;
  /** Bypasses row security. */
  owner: pg.ClientConfig;
  masterKey: Buffer;
  /** Bypasses row security too, in one connection that stays: a new one reads the catalog anew. */
  query(text: string, values?: unknown[]): Promise<pg.QueryResult>;
  reopen(): Promise<Database>;
  drop(): Promise<void>;
}

/** Usage: `const { database, drop } = await createTestDatabase(); afterAll(drop);` It has no partitions yet. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const cluster = await runningCluster();
  return copyOf(cluster, cluster.template);
}

export async function createServerDatabase(): Promise<TestDatabase> {
  const cluster = await runningCluster();
  return copyOf(cluster, cluster.serverTemplate);
}

async function copyOf(cluster: TestCluster, template: string): Promise<TestDatabase> {
  const name = `${cluster.prefix}_${randomBytes(6).toString('hex')}`;
  await copyDatabase(cluster.owner, template, name);
  return openTestDatabase(inDatabase(cluster.owner, name), async () => {
    await asOwner(cluster.owner, (client) => client.query(`drop database ${name} with (force)`));
  });
}

export async function openTestDatabase(owner: pg.ClientConfig, drop = async () => {}): Promise<TestDatabase> {
  const opened: Database[] = [];
  const reopen = async () => {
    const database = await openDatabase({ owner, masterKey: testMasterKey, log: silentLog(), poolSize: 8 });
    opened.push(database);
    return database;
  };
  const kept = new pg.Pool({ ...owner, max: 1, idleTimeoutMillis: 0 });
  // a test ended the connection; the next query opens another
  kept.on('error', () => undefined);
  return {
    database: await reopen(),
    owner,
    masterKey: testMasterKey,
    query: (text, values) => kept.query(text, values),
    reopen,
    async drop() {
      await kept.end();
      await Promise.all(opened.map((database) => database.close()));
      await drop();
    },
  };
}

export async function createEmptyDatabase(): Promise<{ owner: pg.ClientConfig; drop(): Promise<void> }> {
  const cluster = await runningCluster();
  const name = `${cluster.prefix}_${randomBytes(6).toString('hex')}`;
  await asOwner(cluster.owner, (client) => client.query(`create database ${name}`));
  return {
    owner: inDatabase(cluster.owner, name),
    async drop() {
      await asOwner(cluster.owner, (client) => client.query(`drop database ${name} with (force)`));
    },
  };
}

async function runningCluster(): Promise<TestCluster> {
  const socketPath = inject('testClusterSocket');
  return new Promise((resolve, reject) => {
    // a kept connection may just have been closed by its server
    get({ socketPath, path: '/', agent: false }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (chunk: string) => {
        text += chunk;
      });
      answer.on('end', () => {
        if (answer.statusCode === 200) resolve(JSON.parse(text) as TestCluster);
        else reject(new Error(`the test database did not start: ${text}`));
      });
    }).once('error', reject);
  });
}
