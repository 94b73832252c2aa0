import type { Selectable } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import { containing } from '../../../platform/search/index.ts';
import type { NewOrder, Order } from './order-kind.ts';
import { type OrderRow, orderTables } from './tables.ts';

export function orderOf(row: Selectable<OrderRow>): Order {
  return {
    accountId: row.account_id,
    orderNo: row.order_no,
    kind: row.kind,
    subject: row.subject,
    fen: row.fen,
    currency: row.currency,
    refundedFen: row.refunded_fen,
    gwid: row.gwid,
    payer: row.payer,
    method: row.method,
    state: row.state,
    returnUrl: row.return_url,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    paidAt: row.paid_at,
  };
}

/** Null: the key exists. */
export async function insertOrder(
  tx: Tx,
  {
    accountId,
    returnUrl,
    subject,
    ...order
  }: NewOrder & Pick<OrderRow, 'currency' | 'order_no' | 'created_at' | 'expires_at'>,
): Promise<Order | null> {
  const row = await orderTables(tx)
    .insertInto('billing_order')
    .values({
      account_id: accountId,
      ...order,
      subject: JSON.stringify(subject),
      return_url: returnUrl,
      state: 'incomplete',
      paid_at: null,
    })
    .onConflict((conflict) => conflict.columns(['account_id', 'key']).doNothing())
    .returningAll()
    .executeTakeFirst();
  return row ? orderOf(row) : null;
}

export async function findByKey(tx: Tx, accountId: string, key: string): Promise<Order | null> {
  const row = await orderTables(tx)
    .selectFrom('billing_order')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('key', '=', key)
    .executeTakeFirst();
  return row ? orderOf(row) : null;
}

/** @throws Error if there is none */
export async function orderByKey(tx: Tx, accountId: string, key: string): Promise<Order> {
  const order = await findByKey(tx, accountId, key);
  if (!order) throw new Error(`no order has the key ${key}`);
  return order;
}

/** @param accountId null: every account; providers know the number only */
export async function findOrder(
  tx: Tx,
  accountId: string | null,
  orderNo: string,
  lock: 'lock' | 'read' = 'read',
): Promise<Order | null> {
  let query = orderTables(tx).selectFrom('billing_order').selectAll().where('order_no', '=', orderNo);
  if (accountId) query = query.where('account_id', '=', accountId);
  if (lock === 'lock') query = query.forUpdate();
  const row = await query.executeTakeFirst();
  return row ? orderOf(row) : null;
}

export async function ordersByNo(
  tx: Tx,
  accountId: string,
  numbers: readonly string[],
): Promise<ReadonlyMap<string, Order>> {
  if (numbers.length === 0) return new Map();
  const rows = await orderTables(tx)
    .selectFrom('billing_order')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('order_no', 'in', [...new Set(numbers)])
    .execute();
  return new Map(rows.map((row) => [row.order_no, orderOf(row)]));
}

const orderColumns = { at: 'created_at', amount_fen: 'fen', refunded_fen: 'refunded_fen' } as const;

/** Returns newest first unless `sort` or `order` differ. */
export async function listOrders(
  tx: Tx,
  accountId: string,
  kind: string,
  asked: Partial<Record<'page' | 'limit', number>> & {
    state?: Order['state'] | undefined;
    keyword?: string;
    sort?: 'at' | 'amount_fen' | 'refunded_fen';
    order?: 'asc' | 'desc';
  },
): Promise<{ rows: Order[]; total: number }> {
  const { page = 1, limit = 10, sort = 'at', order = 'desc', state, keyword } = asked;
  let found = orderTables(tx)
    .selectFrom('billing_order')
    .where('account_id', '=', accountId)
    .where('kind', '=', kind)
    .where('payer', '=', 'account');
  if (state) found = found.where('state', '=', state);
  if (keyword) found = found.where('order_no', 'ilike', containing(keyword));
  const { total } = await found.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await found
    .selectAll()
    .orderBy(orderColumns[sort], order)
    .orderBy('order_no', order)
    .limit(limit)
    .offset((page - 1) * limit)
    .execute();
  return { rows: rows.map(orderOf), total: Number(total) };
}

export async function setOrder(
  tx: Tx,
  { accountId, orderNo }: Order,
  change: { state?: Order['state']; paid_at?: Date; refunded_fen?: number; key?: string },
): Promise<Order> {
  const row = await orderTables(tx)
    .updateTable('billing_order')
    .set(change)
    .where('account_id', '=', accountId)
    .where('order_no', '=', orderNo)
    .returningAll()
    .executeTakeFirstOrThrow();
  return orderOf(row);
}

export async function decideOrder(
  tx: Tx,
  { accountId, orderNo }: Order,
  decision: { decided_at: Date; decided_by: string; receipt: string | null; reason: string | null },
): Promise<void> {
  await orderTables(tx)
    .updateTable('billing_order')
    .set(decision)
    .where('account_id', '=', accountId)
    .where('order_no', '=', orderNo)
    .execute();
}

export async function expireOrders(tx: Tx, now: Date): Promise<void> {
  await orderTables(tx)
    .updateTable('billing_order')
    .set({ state: 'expired' })
    .where('state', '=', 'incomplete')
    .where('expires_at', '<=', now)
    .execute();
}

export async function isKnownEvent(tx: Tx, { accountId }: Order, provider: string, eventId: string): Promise<boolean> {
  const row = await orderTables(tx)
    .selectFrom('payment_event')
    .select('event_id')
    .where('account_id', '=', accountId)
    .where('provider', '=', provider)
    .where('event_id', '=', eventId)
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertEvent(
  tx: Tx,
  order: Order,
  event: {
    provider: string;
    event_id: string;
    type: 'paid' | 'refunded' | 'disputed';
    fen: number;
    outcome: string;
    at: Date;
  },
): Promise<void> {
  await orderTables(tx)
    .insertInto('payment_event')
    .values({ account_id: order.accountId, order_no: order.orderNo, gwid: order.gwid, ...event })
    .execute();
}
