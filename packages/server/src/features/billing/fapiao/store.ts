import type { billingFapiao as contract, DataOf, InputOf } from '@yunxun/contract';
import { sql, type Updateable } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import { containing } from '../../../platform/search/index.ts';
import type { Order } from '../orders/order-kind.ts';
import { findOrder } from '../orders/order-store.ts';
import { yuan } from '../service.ts';
import { type Fapiao, type FapiaoTable, fapiaoTables } from './tables.ts';

type OrderKey = Pick<Order, 'accountId' | 'orderNo'>;

/** Filters ids visible to the role. */
export async function knownFapiaos(tx: Tx, ids: readonly string[]): Promise<Set<string>> {
  const rows = await fapiaoTables(tx)
    .selectFrom('fapiao')
    .select('id')
    .where('id', 'in', [...ids])
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Returns the order's invoices and red ones, newest first. */
export function fapiaosOf(tx: Tx, { accountId, orderNo }: OrderKey): Promise<Fapiao[]> {
  return fapiaoTables(tx)
    .selectFrom('fapiao')
    .selectAll()
    .select(sql<string | null>`to_char(issued_on, 'YYYY-MM-DD')`.as('issued_on'))
    .where('account_id', '=', accountId)
    .where('order_no', '=', orderNo)
    .orderBy('asked_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** Locks the order first, as refunds do. */
export async function lockFapiao(
  tx: Tx,
  accountId: string,
  id: string,
): Promise<{ row: Fapiao; order: Order; all: Fapiao[] } | null> {
  const found = await fapiaoTables(tx)
    .selectFrom('fapiao')
    .select('order_no')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  const order = found && (await findOrder(tx, accountId, found.order_no, 'lock'));
  if (!order) return null;
  const all = await fapiaosOf(tx, order);
  const row = all.find((one) => one.id === id);
  return row ? { row, order, all } : null;
}

export async function changeFapiao(
  tx: Tx,
  { account_id, id }: Pick<Fapiao, 'account_id' | 'id'>,
  change: Updateable<FapiaoTable>,
): Promise<void> {
  await fapiaoTables(tx)
    .updateTable('fapiao')
    .set(change)
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .execute();
}

export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return at > 0 ? `${email[0]}***${email.slice(at)}` : email;
}

const orderColumns = { asked_at: 'f.asked_at', amount: 'f.fen', tax: 'f.tax_fen' } as const;

export async function listFapiaos(
  tx: Tx,
  accountId: string,
  { page = 1, limit = 10, sort = 'asked_at', order = 'desc', state, keyword }: InputOf<typeof contract.list>,
  showsEmails: boolean,
): Promise<DataOf<typeof contract.list>> {
  let found = fapiaoTables(tx).selectFrom('fapiao as f').where('f.account_id', '=', accountId);
  if (state) found = found.where('f.state', '=', state);
  if (keyword) {
    const text = containing(keyword);
    found = found.where(
      sql<boolean>`(f.order_no ilike ${text} or f.number ilike ${text} or f.buyer ->> 'name' ilike ${text}
        or f.buyer ->> 'tax_no' ilike ${text})`,
    );
  }
  const { total } = await found.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await found
    .leftJoin('fapiao as o', (join) => join.onRef('o.account_id', '=', 'f.account_id').onRef('o.id', '=', 'f.original'))
    .select(['f.id', 'f.order_no', 'f.gwid', 'f.state', 'f.buyer', 'f.seller', 'f.fen', 'f.tax_fen', 'f.issuer'])
    .select(['f.sent_fen', 'f.asked_at', 'f.number', 'f.reason', 'f.settled_at', 'o.number as original'])
    .select(sql<string | null>`to_char(f.issued_on, 'YYYY-MM-DD')`.as('issued_on'))
    .orderBy(orderColumns[sort], order)
    .orderBy('f.id', order)
    .offset((page - 1) * limit)
    .limit(limit)
    .execute();
  return {
    list: rows.map(({ buyer, seller, fen, tax_fen, sent_fen, asked_at, settled_at, ...row }) => ({
      ...row,
      ...buyer,
      email: showsEmails ? buyer.email : maskEmail(buyer.email),
      amount: yuan(fen),
      tax: yuan(tax_fen),
      rate: seller.rate,
      sent: sent_fen !== null,
      asked_at: asked_at.toISOString(),
      settled_at: settled_at?.toISOString() ?? null,
    })),
    total: Number(total),
  };
}
