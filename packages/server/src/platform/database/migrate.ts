import type pg from 'pg';
import { migrations } from '../../../migrations/index.ts';
import type { Log } from '../log.ts';

/** @throws an error with a sentence for a newer version's database */
async function migrated(client: pg.ClientBase | pg.Pool): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>('select name from platform.migration');
  const done = new Set(rows.map((row) => row.name));
  const unknown = [...done].filter((name) => !migrations.some((migration) => migration.name === name));
  if (unknown.length > 0) {
    throw new Error(
      `The database was written by a newer version of Yunxun (it has ${unknown.join(', ')}). Start that version.`,
    );
  }
  return done;
}

/** @throws an error with a sentence unless exactly ours have run */
export async function checkMigrations(pool: pg.Pool): Promise<void> {
  const done = await migrated(pool);
  const missing = migrations.filter(({ name }) => !done.has(name)).map(({ name }) => name);
  if (missing.length > 0) throw new Error(`The database lacks ${missing.join(', ')}.`);
}

/** Uses a transaction each; needs the start lock. */
export async function migrate(owner: pg.Client, log: Log): Promise<void> {
  await owner.query('create schema if not exists platform');
  await owner.query(
    'create table if not exists platform.migration (name text primary key, at timestamptz not null default now())',
  );
  await owner.query('grant usage on schema platform to yunxun_system');
  await owner.query('grant select on platform.migration to yunxun_system');
  const done = await migrated(owner);
  for (const { name, up } of migrations) {
    if (done.has(name)) continue;
    await owner.query('begin');
    try {
      await owner.query(up);
      await owner.query('insert into platform.migration (name) values ($1)', [name]);
      await owner.query('commit');
    } catch (error) {
      await owner.query('rollback');
      throw new Error(`Migration ${name} failed: ${(error as Error).message}`, { cause: error });
    }
    log.info({ migration: name }, 'migrated');
  }
}
