import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import type { Currency } from '../service.ts';
import { orderTables } from './tables.ts';

export interface Difference {
  accountId: string;
  /** Null: of no network. */
  gwid: string | null;
  provider: string;
  /** UTC. */
  day: string;
  orderNo: string;
  /** Null: the order is unknown. */
  currency: Currency | null;
  oursFen: number;
  theirsFen: number;
}

/**
 * Lists differences from the statements of payment providers, newest first.
 * @param accountId null: all; requires the system role
 */
export async function reconciliationDifferences(
  tx: Tx,
  accountId: string | null,
  limit: number,
): Promise<Difference[]> {
  let found = orderTables(tx)
    .selectFrom('payment_difference as d')
    .leftJoin('billing_order as o', (join) =>
      join.onRef('o.account_id', '=', 'd.account_id').onRef('o.order_no', '=', 'd.order_no'),
    );
  if (accountId) found = found.where('d.account_id', '=', accountId);
  return found
    .select([
      'd.account_id as accountId',
      'o.gwid as gwid',
      'd.provider as provider',
      'd.order_no as orderNo',
      'o.currency as currency',
    ])
    .select(['d.ours_fen as oursFen', 'd.theirs_fen as theirsFen', sql<string>`to_char(d.day, 'YYYY-MM-DD')`.as('day')])
    .orderBy('d.day', 'desc')
    .limit(limit)
    .execute();
}

/**
 * Counts orders in yuan whose differences of all days do not cancel out, by account: what is booked on the day after
 * the provider's differs twice and is right. System role.
 */
export async function standingDifferences(tx: Tx): Promise<Map<string, number>> {
  const { rows } = await sql<{ account_id: string; orders: number }>`
    select account_id, count(*)::int as orders from (
      select d.account_id from payment_difference d
        left join billing_order o on o.account_id = d.account_id and o.order_no = d.order_no
      where o.currency is distinct from 'XTS'
      group by d.account_id, d.provider, d.order_no having sum(d.ours_fen) <> sum(d.theirs_fen)) standing
    group by account_id`.execute(tx);
  return new Map(rows.map((row) => [row.account_id, row.orders]));
}
