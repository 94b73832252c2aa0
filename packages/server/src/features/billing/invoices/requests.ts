import type { invoices as contract, InputOf } from '@yunxun/contract';
import type { Acting } from '../../../platform/acting.ts';
import { newId, type Tx } from '../../../platform/database/index.ts';
import { Failure } from '../../../platform/failure.ts';
import { record } from '../../logs/index.ts';
import type { Order } from '../orders/order-kind.ts';
import { findOrder } from '../orders/order-store.ts';
import { yuan } from '../service.ts';
import { changeInvoice, insertOrders, invoiceTables, listTitles, lockInvoice, releaseOrders } from './store.ts';

/** Returns fen; money from the balance was invoiced when recharged. */
export function invoiceable(order: Order): number {
  const { state, payer, method, currency } = order;
  const paid = state === 'completed' || state === 'refunded';
  return paid && payer === 'account' && method !== 'balance' && currency === 'CNY' ? order.fen - order.refundedFen : 0;
}

/** @throws Failure orderUnknown; changedMeanwhile if invoiced already, or nothing is left */
export async function requestInvoice(
  tx: Tx,
  acting: Acting,
  now: Date,
  { order_nos, title_id, remark = '' }: InputOf<typeof contract.request>,
): Promise<string> {
  const { accountId } = acting;
  const title = (await listTitles(tx, accountId)).find(({ id }) => id === title_id);
  if (!title) throw new Failure('notFound');
  const orders: { orderNo: string; fen: number }[] = [];
  // in order: requests wait instead of deadlocking
  for (const orderNo of order_nos.toSorted()) {
    const order = await findOrder(tx, accountId, orderNo, 'lock');
    if (!order) throw new Failure('orderUnknown');
    const fen = invoiceable(order);
    if (fen <= 0) throw new Failure('changedMeanwhile', { params: { kind: 'invoiced' } });
    orders.push({ orderNo, fen });
  }
  const taken = await invoiceTables(tx)
    .selectFrom('invoice_order')
    .select('order_no')
    .where('account_id', '=', accountId)
    .where('order_no', 'in', order_nos)
    .where('live', '=', true)
    .executeTakeFirst();
  if (taken) throw new Failure('changedMeanwhile', { params: { kind: 'invoiced' } });
  const fen = orders.reduce((sum, order) => sum + order.fen, 0);
  const id = newId(now.getTime());
  const { id: _title, ...kept } = title;
  await invoiceTables(tx)
    .insertInto('invoice')
    .values({
      account_id: accountId,
      id,
      state: 'requested',
      fen,
      original: null,
      title: JSON.stringify(kept),
      remark,
      requested_at: now,
      requested_by: acting.userId,
      requester: acting.actor?.name ?? acting.source,
      number: null,
      issued_on: null,
      reason: null,
      settled_at: null,
      settler: null,
    })
    .execute();
  await insertOrders(tx, { account_id: accountId, id }, orders, true);
  await record(tx, acting, {
    action: 'invoice.request',
    object: { type: 'invoice', id, name: yuan(fen) },
    after: { amount: yuan(fen), title: title.name, orders: order_nos },
    command: true,
  });
  return id;
}

/**
 * Follows the refund of a locked order: shrinks a request, cancels it when nothing is left, or requests a red invoice
 * for an issued one.
 */
export async function followRefund(tx: Tx, order: Order, refundFen: number, now: Date): Promise<void> {
  const { accountId: account_id, orderNo } = order;
  const line = await invoiceTables(tx)
    .selectFrom('invoice_order')
    .select(['invoice_id', 'fen'])
    .where('account_id', '=', account_id)
    .where('order_no', '=', orderNo)
    .where('live', '=', true)
    .executeTakeFirst();
  const invoice = line && (await lockInvoice(tx, line.invoice_id));
  if (!invoice) return;
  if (invoice.state === 'issued') {
    const id = newId(now.getTime());
    await invoiceTables(tx)
      .insertInto('invoice')
      .values({
        account_id,
        id,
        state: 'requested',
        fen: -refundFen,
        original: invoice.id,
        remark: '',
        title: JSON.stringify(invoice.title),
        requested_at: now,
        requested_by: null,
        requester: '',
        number: null,
        issued_on: null,
        reason: null,
        settled_at: null,
        settler: null,
      })
      .execute();
    await insertOrders(tx, { account_id, id }, [{ orderNo, fen: -refundFen }], false);
    return;
  }
  const left = invoice.fen - refundFen;
  await invoiceTables(tx)
    .updateTable('invoice_order')
    .set({ fen: line.fen - refundFen })
    .where('account_id', '=', account_id)
    .where('invoice_id', '=', invoice.id)
    .where('order_no', '=', orderNo)
    .execute();
  await changeInvoice(tx, invoice, left > 0 ? { fen: left } : { fen: 0, state: 'cancelled', settled_at: now });
  if (left <= 0) await releaseOrders(tx, invoice);
}

/**
 * Follows a refund of a locked order that failed: cancels the red request that it made, or gives an open request its
 * amount back. A request that it cancelled is made anew.
 */
export async function followFailure(tx: Tx, order: Order, refundFen: number, now: Date): Promise<void> {
  const { accountId: account_id, orderNo } = order;
  const lines = await invoiceTables(tx)
    .selectFrom('invoice_order as l')
    .innerJoin('invoice as i', (join) =>
      join.onRef('i.account_id', '=', 'l.account_id').onRef('i.id', '=', 'l.invoice_id'),
    )
    .select(['i.id', 'l.fen', 'l.live'])
    .where('l.account_id', '=', account_id)
    .where('l.order_no', '=', orderNo)
    .where('i.state', '=', 'requested')
    .orderBy('i.requested_at', 'desc')
    .execute();
  const red = lines.find(({ live, fen }) => !live && fen === -refundFen);
  const line = red ?? lines.find(({ live }) => live);
  const invoice = line && (await lockInvoice(tx, line.id));
  if (!invoice) return;
  if (red) return changeInvoice(tx, invoice, { state: 'cancelled', settled_at: now });
  await invoiceTables(tx)
    .updateTable('invoice_order')
    .set({ fen: line.fen + refundFen })
    .where('account_id', '=', account_id)
    .where('invoice_id', '=', invoice.id)
    .where('order_no', '=', orderNo)
    .execute();
  await changeInvoice(tx, invoice, { fen: invoice.fen + refundFen });
}
