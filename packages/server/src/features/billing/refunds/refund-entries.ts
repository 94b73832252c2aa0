import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import { goodsEntries } from '../orders/goods-entries.ts';
import type { Order, OrderKind } from '../orders/order-kind.ts';
import { type Entry, type Ledger, requireSms, spend, takeRecharged, withoutZeros } from '../service.ts';
import { books } from '../tables.ts';

/**
 * The money goes back to where it came from.
 * @param forced it has moved already: ledgers may become negative @throws Failure balanceInsufficient unless forced
 */
export async function refundEntries(
  tx: Tx,
  order: Order,
  kind: OrderKind,
  fen: number,
  forced: boolean,
): Promise<Entry[]> {
  const { accountId, payer, method, currency } = order;
  const { ledger } = kind;
  if (payer === 'guest') {
    const taken =
      method === 'manual' ? [{ ledger: 'cash', fen: -fen } as const] : spend(tx, accountId, fen, { currency, forced });
    return [...(await taken), { ledger: 'income', fen }];
  }
  if (ledger === 'recharged')
    return [...(await takeRecharged(tx, accountId, fen, { currency, forced })), { ledger: 'external', fen }];
  const goods = goodsEntries(kind, order, fen, order.refundedFen).map((entry) => ({ ...entry, fen: -entry.fen }));
  if (ledger === 'sms' && !forced) await requireSms(tx, accountId, -goods[0]!.fen, currency);
  if (method !== 'balance') return [...goods, { ledger: 'external', fen }];
  // recharged money was taken last, and comes back first
  const ofRecharged = Math.min(fen, -(await netOf(tx, order, 'recharged')));
  return withoutZeros([
    ...goods,
    { ledger: 'recharged', fen: ofRecharged },
    { ledger: 'balance', fen: fen - ofRecharged },
  ]);
}

async function netOf(tx: Tx, { accountId, orderNo }: Order, ledger: Ledger): Promise<number> {
  const { rows } = await sql<{ fen: number }>`
    select coalesce(sum(e.fen), 0)::bigint as fen from ledger_transaction t
    join ledger_entry e on e.account_id = t.account_id and e.transaction_id = t.id and e.ledger = ${ledger}
    where t.account_id = ${accountId} and (t.key = ${`order:${orderNo}`}
      or (t.kind in ('refund', 'refund_failed') and split_part(t.key, ':', 2) = ${orderNo}))`.execute(tx);
  return Number(rows[0]!.fen);
}

export async function reversedEntries(tx: Tx, accountId: string, key: string): Promise<Entry[]> {
  const rows = await books(tx)
    .selectFrom('ledger_entry as e')
    .innerJoin('ledger_transaction as t', (join) =>
      join.onRef('t.account_id', '=', 'e.account_id').onRef('t.id', '=', 'e.transaction_id'),
    )
    .select(['e.ledger', 'e.fen'])
    .where('t.account_id', '=', accountId)
    .where('t.key', '=', key)
    .orderBy('e.seq')
    .execute();
  if (rows.length === 0) throw new Error(`nothing is booked as ${key}`);
  return rows.map(({ ledger, fen }) => ({ ledger: ledger as Ledger, fen: -fen }));
}
