import { sql } from 'kysely';
import { type Tx, tables } from '../../platform/database/index.ts';
import type { IdentityTables } from './tables.ts';

/** A counter in the database, so that limits hold across processes. */
export interface Count {
  count: number;
  expiresAt: Date;
}

/** Adds one to a counter that starts anew once it has expired; the row stays locked until the transaction ends. */
export async function countUp(tx: Tx, key: string, now: Date, expiresAt: Date): Promise<Count> {
  const row = await tables<IdentityTables>(tx)
    .insertInto('throttle')
    .values({ key, count: 1, expires_at: expiresAt })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        count: sql`case when throttle.expires_at <= ${now} then 1 else throttle.count + 1 end`,
        expires_at: sql`case when throttle.expires_at <= ${now} then excluded.expires_at else throttle.expires_at end`,
      }),
    )
    .returning(['count', 'expires_at'])
    .executeTakeFirstOrThrow();
  return { count: row.count, expiresAt: row.expires_at };
}

/** Forgets a counter. */
export async function reset(tx: Tx, key: string): Promise<void> {
  await tables<IdentityTables>(tx).deleteFrom('throttle').where('key', '=', key).execute();
}
