import type { billingRefunds as contract, InputOf } from '@yunxun/contract';
import { type Insertable, type Selectable, sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import { containing } from '../../../platform/search/index.ts';
import type { Order } from '../orders/order-kind.ts';
import { type OrderTables, orderTables } from '../orders/tables.ts';

export type RefundRow = Selectable<OrderTables['billing_refund']>;
type OrderKey = Pick<Order, 'accountId' | 'orderNo'>;

export async function insertRefund(
  tx: Tx,
  { accountId, orderNo, gwid }: Order,
  refund: Omit<Insertable<OrderTables['billing_refund']>, 'account_id' | 'order_no' | 'gwid'>,
): Promise<void> {
  await orderTables(tx)
    .insertInto('billing_refund')
    .values({ account_id: accountId, order_no: orderNo, gwid, ...refund })
    .execute();
}

export async function refundsOf(tx: Tx, { accountId, orderNo }: OrderKey): Promise<RefundRow[]> {
  return orderTables(tx)
    .selectFrom('billing_refund')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('order_no', '=', orderNo)
    .orderBy('at')
    .orderBy('refund_no')
    .execute();
}

export const settledAt = ({
  state,
  confirmed_at,
  failed_at,
}: Pick<RefundRow, 'state' | 'confirmed_at' | 'failed_at'>) => (state === 'failed' ? failed_at : confirmed_at);

export async function refundByKey(tx: Tx, accountId: string, key: string): Promise<RefundRow | null> {
  const row = await orderTables(tx)
    .selectFrom('billing_refund')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('key', '=', key)
    .executeTakeFirst();
  return row ?? null;
}

export async function changeRefund(
  tx: Tx,
  { account_id, order_no, refund_no }: RefundRow,
  change: Partial<Pick<RefundRow, 'state' | 'failure' | 'failures'>> & { confirmed_at?: Date; failed_at?: Date },
): Promise<void> {
  await orderTables(tx)
    .updateTable('billing_refund')
    .set(change)
    .where('account_id', '=', account_id)
    .where('order_no', '=', order_no)
    .where('refund_no', '=', refund_no)
    .execute();
}

/** Lists refunds in [`from`, `to`) that no provider has settled, oldest first. System role. */
export async function openRefunds(tx: Tx, from: Date, to: Date, limit: number): Promise<RefundRow[]> {
  return orderTables(tx)
    .selectFrom('billing_refund')
    .selectAll()
    .where('state', 'in', ['asked', 'accepted'])
    .where('at', '>=', from)
    .where('at', '<', to)
    .orderBy('at')
    .limit(limit)
    .execute();
}

export async function listRefunds(
  tx: Tx,
  accountId: string,
  { page = 1, limit = 10, sort = 'at', order = 'desc', state, keyword }: InputOf<typeof contract.list>,
): Promise<{ rows: RefundRow[]; total: number }> {
  let found = orderTables(tx).selectFrom('billing_refund').where('account_id', '=', accountId);
  if (state) found = found.where('state', '=', state);
  if (keyword) found = found.where('order_no', 'ilike', containing(keyword));
  const { total } = await found.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await found
    .selectAll()
    .orderBy(sort === 'amount' ? 'fen' : 'at', order)
    .orderBy('refund_no', order)
    .limit(limit)
    .offset((page - 1) * limit)
    .execute();
  return { rows, total: Number(total) };
}

/** Sums refunds of other orders of the order's payer, fen; guests count by their device. Without failed ones. */
export async function refundedOfPayer(tx: Tx, { accountId, orderNo }: OrderKey, since: Date): Promise<number> {
  const { rows } = await sql<{ fen: number }>`
    select coalesce(sum(r.fen), 0)::bigint as fen
    from billing_order asked
    join billing_order o on o.account_id = asked.account_id and o.payer = asked.payer
      and o.currency = asked.currency and o.order_no <> asked.order_no
      and o.subject ->> 'device' is not distinct from asked.subject ->> 'device'
    join billing_refund r on r.account_id = o.account_id and r.order_no = o.order_no
    where asked.account_id = ${accountId} and asked.order_no = ${orderNo} and r.at > ${since}
      and r.state <> 'failed'`.execute(tx);
  return Number(rows[0]!.fen);
}

export async function refundedOfAnyGuest(tx: Tx, accountId: string, since: Date): Promise<number> {
  const { rows } = await sql<{ fen: number }>`
    select coalesce(max(fen), 0)::bigint as fen from (
      select sum(r.fen) as fen from billing_refund r
      join billing_order o on o.account_id = r.account_id and o.order_no = r.order_no
      where r.account_id = ${accountId} and r.at > ${since} and r.state <> 'failed'
        and o.payer = 'guest' and o.currency = 'CNY'
      group by o.subject ->> 'device') guests`.execute(tx);
  return Number(rows[0]!.fen);
}
