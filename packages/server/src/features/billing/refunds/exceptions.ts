import type { billingRefunds, InputOf } from '@yunxun/contract';
import type { Selectable } from 'kysely';
import { newId, type Tx } from '../../../platform/database/index.ts';
import { containing } from '../../../platform/search/index.ts';
import type { Order } from '../orders/order-kind.ts';
import { type OrderTables, orderTables } from '../orders/tables.ts';

export type ExceptionRow = Selectable<OrderTables['payment_exception']>;

export interface NewException {
  kind: billingRefunds.ExceptionKind;
  fen: number;
  at: Date;
  refund_no?: string;
  ours?: string;
  theirs?: string;
  reason?: string;
}

/** Keeps one open row of the same; a provider repeats itself. */
export async function noteException(tx: Tx, order: Order, { at, ...exception }: NewException): Promise<void> {
  const { accountId, orderNo, gwid, method } = order;
  await orderTables(tx)
    .insertInto('payment_exception')
    .values({
      account_id: accountId,
      id: newId(at.getTime()),
      gwid,
      provider: method,
      order_no: orderNo,
      at,
      ...exception,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function listExceptions(
  tx: Tx,
  accountId: string,
  { page = 1, limit = 10, sort = 'at', order = 'desc', open, keyword }: InputOf<typeof billingRefunds.exceptions>,
): Promise<{ rows: ExceptionRow[]; total: number }> {
  let found = orderTables(tx).selectFrom('payment_exception').where('account_id', '=', accountId);
  if (open !== undefined) found = found.where('handled_at', open ? 'is' : 'is not', null);
  if (keyword) found = found.where('order_no', 'ilike', containing(keyword));
  const { total } = await found.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await found
    .selectAll()
    .orderBy(sort === 'amount' ? 'fen' : 'at', order)
    .orderBy('id', order)
    .limit(limit)
    .offset((page - 1) * limit)
    .execute();
  return { rows, total: Number(total) };
}

export async function handleException(
  tx: Tx,
  accountId: string,
  id: string,
  handled: { handled_at: Date; handled_by: string; remark: string },
): Promise<ExceptionRow | null> {
  const row = await orderTables(tx)
    .updateTable('payment_exception')
    .set(handled)
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('handled_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

export async function knownExceptions(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await orderTables(tx)
    .selectFrom('payment_exception')
    .select('id')
    .where('id', 'in', [...ids])
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Counts open ones by account; those about play money are left out. System role. */
export async function openExceptions(tx: Tx): Promise<Map<string, number>> {
  const rows = await orderTables(tx)
    .selectFrom('payment_exception as e')
    .innerJoin('billing_order as o', (join) =>
      join.onRef('o.account_id', '=', 'e.account_id').onRef('o.order_no', '=', 'e.order_no'),
    )
    .select(({ fn }) => ['e.account_id', fn.countAll<number>().as('open')])
    .where('e.handled_at', 'is', null)
    .where('o.currency', '=', 'CNY')
    .groupBy('e.account_id')
    .execute();
  return new Map(rows.map(({ account_id, open }) => [account_id, Number(open)]));
}
