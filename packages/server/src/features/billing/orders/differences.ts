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
