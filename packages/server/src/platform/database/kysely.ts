import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';

export function kyselyOn(pool: pg.Pool): Kysely<unknown> {
  return new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
}
