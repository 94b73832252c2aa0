import type { invoices as contract, DataOf, InputOf, InvoiceState } from '@yunxun/contract';
import { type ColumnType, sql } from 'kysely';
import { type Tx, tables } from '../../../platform/database/index.ts';
import { yuan } from '../service.ts';

export type Title = Omit<InputOf<typeof contract.titleSave>, 'id' | 'version'>;
export type InvoiceRow = DataOf<typeof contract.list>['list'][number];

export interface Invoice {
  account_id: string;
  id: string;
  state: InvoiceState;
  fen: number;
  original: string | null;
  title: ColumnType<Title, string, never>;
  remark: string;
  requested_at: Date;
  /** Null on red invoices. */
  requested_by: string | null;
  requester: string;
  number: string | null;
  issued_on: ColumnType<string | null, string | null, string>;
  reason: string | null;
  settled_at: Date | null;
  settler: string | null;
}

interface InvoiceTables {
  invoice: Invoice;
  invoice_order: { account_id: string; invoice_id: string; order_no: string; fen: number; live: boolean };
  invoice_title: {
    account_id: string;
    id: string;
    version: number;
    kind: Title['kind'];
    name: string;
    details: ColumnType<Omit<Title, 'kind' | 'name'>, string, string>;
  };
}
export const invoiceTables = (tx: Tx) => tables<InvoiceTables>(tx);

/** Filters ids visible to the role. */
export async function knownOf(
  tx: Tx,
  table: 'invoice' | 'invoice_title',
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await invoiceTables(tx)
    .selectFrom(table)
    .select('id')
    .where('id', 'in', [...ids])
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Locks the invoice of any visible account. */
export function lockInvoice(tx: Tx, id: string) {
  return invoiceTables(tx).selectFrom('invoice').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

export function lockTitle(tx: Tx, accountId: string, id: string) {
  return invoiceTables(tx)
    .selectFrom('invoice_title')
    .select('version')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

export async function changeInvoice(
  tx: Tx,
  { account_id, id }: Pick<Invoice, 'account_id' | 'id'>,
  change: {
    [K in 'state' | 'fen' | 'number' | 'reason' | 'settled_at' | 'settler']?: Invoice[K];
  } & { issued_on?: string },
): Promise<void> {
  await invoiceTables(tx)
    .updateTable('invoice')
    .set(change)
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .execute();
}

export async function releaseOrders(tx: Tx, { account_id, id }: Pick<Invoice, 'account_id' | 'id'>): Promise<void> {
  await invoiceTables(tx)
    .updateTable('invoice_order')
    .set({ live: false })
    .where('account_id', '=', account_id)
    .where('invoice_id', '=', id)
    .execute();
}

export async function insertOrders(
  tx: Tx,
  { account_id, id }: Pick<Invoice, 'account_id' | 'id'>,
  orders: readonly { orderNo: string; fen: number }[],
  live: boolean,
): Promise<void> {
  await invoiceTables(tx)
    .insertInto('invoice_order')
    .values(orders.map(({ orderNo, fen }) => ({ account_id, invoice_id: id, order_no: orderNo, fen, live })))
    .execute();
}

/** @param accountId null: all accounts, requests first; requires the system role */
export async function listInvoices(
  tx: Tx,
  accountId: string | null,
  { page = 1, limit = 10, state, sort, order = 'desc' }: InputOf<typeof contract.list>,
): Promise<{ list: (InvoiceRow & { account_id: string })[]; total: number }> {
  let found = invoiceTables(tx).selectFrom('invoice');
  if (accountId) found = found.where('account_id', '=', accountId);
  if (state) found = found.where('state', '=', state);
  const { total } = await found.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  let rows = found.selectAll().select(sql<string | null>`to_char(issued_on, 'YYYY-MM-DD')`.as('day'));
  // a chosen order applies to all
  if (!accountId && !sort) rows = rows.orderBy(sql`state <> 'requested'`);
  const list = await rows
    .orderBy(sort === 'amount' ? 'fen' : 'requested_at', order)
    .orderBy('id', order)
    .offset((page - 1) * limit)
    .limit(limit)
    .execute();
  const orders =
    list.length === 0
      ? []
      : await invoiceTables(tx)
          .selectFrom('invoice_order')
          .select(['invoice_id', 'order_no', 'fen'])
          .where(
            'invoice_id',
            'in',
            list.map(({ id }) => id),
          )
          .orderBy('order_no')
          .execute();
  return {
    list: list.map((row) => ({
      account_id: row.account_id,
      id: row.id,
      amount: yuan(row.fen),
      state: row.state,
      original: row.original,
      title: row.title,
      remark: row.remark,
      requester: row.requester,
      number: row.number,
      reason: row.reason,
      orders: orders
        .filter(({ invoice_id }) => invoice_id === row.id)
        .map(({ order_no, fen }) => ({ order_no, amount: yuan(fen) })),
      requested_at: row.requested_at.toISOString(),
      issued_on: row.day,
      settled_at: row.settled_at?.toISOString() ?? null,
    })),
    total: Number(total),
  };
}

export async function listTitles(tx: Tx, accountId: string): Promise<DataOf<typeof contract.titleList>['list']> {
  const rows = await invoiceTables(tx)
    .selectFrom('invoice_title')
    .select(['id', 'version', 'kind', 'name', 'details'])
    .where('account_id', '=', accountId)
    .orderBy('name')
    .execute();
  return rows.map(({ details, ...row }) => ({ ...details, ...row }));
}
