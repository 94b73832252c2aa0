import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import { movementOf, noteMovements } from '../clearing/movements.ts';
import { type Booking, rowsOf } from '../service.ts';
import { books } from '../tables.ts';
import type { Order } from './order-kind.ts';
import { orderOf } from './order-store.ts';
import type { PaymentEvent } from './payment-provider.ts';
import { orderTables } from './tables.ts';

interface Payment {
  order: Order;
  provider: string;
  event: PaymentEvent;
  booking: Booking;
}

/** Locks unpaid orders by number; leaves out those that another transaction holds. */
export async function lockUnpaid(tx: Tx, orderNos: readonly string[]): Promise<Map<string, Order>> {
  const rows = await orderTables(tx)
    .selectFrom('billing_order')
    .selectAll()
    .where(sql<boolean>`order_no = any(${[...orderNos]})`)
    .where('state', 'in', ['incomplete', 'expired'])
    .forUpdate()
    .skipLocked()
    .execute();
  return new Map(rows.map((row) => [row.order_no, orderOf(row)]));
}

/** Marks orders as paid, and writes events and bookings, in a statement for each table. @throws Error on repetitions */
export async function bookTogether(tx: Tx, payments: readonly Payment[], at: Date): Promise<Order[]> {
  const rows = payments.map(({ booking }) => rowsOf(booking));
  await books(tx)
    .insertInto('ledger_transaction')
    .values(rows.map(({ transaction }) => transaction))
    .execute();
  await books(tx)
    .insertInto('ledger_entry')
    .values(rows.flatMap(({ entries }) => entries))
    .execute();
  await noteMovements(
    tx,
    payments.flatMap(({ order, booking: { key } }) => movementOf(order, { key, kind: 'payment', fen: order.fen, at })),
  );
  const events = payments.map(({ order, provider, event: { id, type, fen } }) => ({
    account_id: order.accountId,
    order_no: order.orderNo,
    gwid: order.gwid,
    provider,
    event_id: id,
    type,
    fen,
    outcome: 'applied',
    at,
  }));
  await orderTables(tx).insertInto('payment_event').values(events).execute();
  const paid = await orderTables(tx)
    .updateTable('billing_order')
    .set({ state: 'completed', paid_at: at })
    .where(sql<boolean>`order_no = any(${payments.map(({ order }) => order.orderNo)})`)
    .where(sql<boolean>`account_id = any(${payments.map(({ order }) => order.accountId)}::uuid[])`)
    .returningAll()
    .execute();
  return paid.map(orderOf);
}
