import { type Selectable, sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import { shareTables, type Term } from './tables.ts';

/** Serialises changes of a network's share until the transaction ends. */
export async function lockShare(tx: Tx, accountId: string, gwid: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`share ${accountId} ${gwid}`}, 0))`.execute(tx);
}

export async function openTerm(tx: Tx, accountId: string, gwid: string): Promise<Selectable<Term> | undefined> {
  return shareTables(tx)
    .selectFrom('billing_share_term')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('gwid', '=', gwid)
    .where('until_at', 'is', null)
    .executeTakeFirst();
}

/** @returns its end */
export async function endTerm(
  tx: Tx,
  { account_id, id, from_at }: Pick<Selectable<Term>, 'account_id' | 'id' | 'from_at'>,
  at: Date,
): Promise<Date> {
  const row = await shareTables(tx)
    .updateTable('billing_share_term')
    .set({ until_at: sql<Date>`coalesce(until_at, ${at > from_at ? at : from_at})` })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .returning('until_at')
    .executeTakeFirstOrThrow();
  return row.until_at!;
}
