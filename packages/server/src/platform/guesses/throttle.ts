import { sql } from 'kysely';
import { type Tx, tables } from '../database/index.ts';

interface ThrottleTables {
  throttle: { key: string; count: number; expires_at: Date; running: Date[] };
}

/** In the database: limits hold across processes. */
export interface Count {
  count: number;
  expiresAt: Date;
}

/** Restarts an expired counter; locks the row until the transaction ends. */
export async function countUp(tx: Tx, key: string, now: Date, expiresAt: Date): Promise<Count> {
  const row = await tables<ThrottleTables>(tx)
    .insertInto('throttle')
    .values({ key, count: 1, expires_at: expiresAt, running: [] })
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

/** Returns 0 once expired. */
export async function peekCount(tx: Tx, key: string, now: Date): Promise<Count> {
  const row = await tables<ThrottleTables>(tx)
    .selectFrom('throttle')
    .select(['count', 'expires_at'])
    .where('key', '=', key)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return { count: row?.count ?? 0, expiresAt: row?.expires_at ?? now };
}

/** Keeps the row: checks that run hold slots in it. */
export async function resetCount(tx: Tx, key: string): Promise<void> {
  await tables<ThrottleTables>(tx).updateTable('throttle').set({ count: 0 }).where('key', '=', key).execute();
}

/** Covers all keys with the prefix. */
export async function resetCounts(tx: Tx, prefix: string): Promise<void> {
  await tables<ThrottleTables>(tx)
    .updateTable('throttle')
    .set({ count: 0 })
    .where(sql<boolean>`starts_with(key, ${prefix})`)
    .execute();
}

export async function deleteExpiredCounts(tx: Tx, now: Date): Promise<void> {
  await tables<ThrottleTables>(tx).deleteFrom('throttle').where('expires_at', '<=', now).execute();
}
