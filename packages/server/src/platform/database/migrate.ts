import type pg from 'pg';
import { migrations } from '../../../migrations/index.ts';
import type { Log } from '../log.ts';

/** Runs what has not run yet, each migration in a transaction of its own. The caller sees to it that one process does at a time. */
export async function migrate(owner: pg.Client, log: Log): Promise<void> {
  await owner.query('create schema if not exists platform');
  await owner.query(
    'create table if not exists platform.migration (name text primary key, at timestamptz not null default now())',
  );
  const done = new Set(
    (await owner.query<{ name: string }>('select name from platform.migration')).rows.map((row) => row.name),
  );
  const unknown = [...done].filter((name) => !migrations.some((migration) => migration.name === name));
  if (unknown.length > 0) {
    throw new Error(
      `The database was written by a newer version of Yunxun (it has ${unknown.join(', ')}). Start that version.`,
    );
  }
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
