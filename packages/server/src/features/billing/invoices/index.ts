import { invoices as contract, type InputOf, type Locale } from '@yunxun/contract';
import { sql } from 'kysely';
import type { Feature } from '../../../feature.ts';
import type { Acting } from '../../../platform/acting.ts';
import { requireWholeAccount } from '../../../platform/acting.ts';
import type { Clock } from '../../../platform/clock.ts';
import { type Database, newId, type Tx } from '../../../platform/database/index.ts';
import { Failure, invalid, refuseOutdated } from '../../../platform/failure.ts';
import { implement } from '../../../platform/http/call.ts';
import { accounts } from '../../identity/index.ts';
import { type Operation, record, recordBoth } from '../../logs/index.ts';
import type { Messages } from '../../messages/index.ts';
import { titleOf } from '../orders/description.ts';
import { orderOf } from '../orders/order-store.ts';
import type { Orders } from '../orders/orders.ts';
import { orderTables } from '../orders/tables.ts';
import { yuan } from '../service.ts';
import { readSlip, renderSlip } from './invoice-document.ts';
import { followFailure, followRefund, invoiceable, requestInvoice } from './requests.ts';
import {
  changeInvoice,
  type Invoice,
  invoiceTables,
  knownOf,
  listInvoices,
  listTitles,
  lockInvoice,
  lockTitle,
  releaseOrders,
} from './store.ts';

interface InvoiceDeps {
  database: Database;
  clock: Clock;
  messages: Messages;
  orders: Orders;
}

type Notify = (
  tx: Tx,
  row: Pick<Invoice, 'account_id' | 'fen'>,
  to: { link: string; personId?: string },
) => Promise<unknown>;

/** UTC+14 has the latest day. */
const earliestZoneMs = 14 * 3_600_000;

export function createInvoices({ database, clock, messages, orders }: InvoiceDeps): Feature {
  orders.onRefund({
    refunded: (tx, order, fen) => followRefund(tx, order, fen, clock.now()),
    failed: (tx, order, fen) => followFailure(tx, order, fen, clock.now()),
  });

  async function decide(
    acting: Acting,
    id: string,
    change: Parameters<typeof changeInvoice>[2],
    notify: Notify,
    action: 'invoice.issue' | 'invoice.refuse',
  ): Promise<void> {
    await database.withSystem(async (tx) => {
      const row = await lockInvoice(tx, id);
      if (!row) throw new Failure('notFound');
      if (row.state !== 'requested' || (action === 'invoice.refuse' && row.fen < 0))
        throw new Failure('changedMeanwhile');
      const settler = acting.actor?.name ?? acting.source;
      await changeInvoice(tx, row, { ...change, settled_at: clock.now(), settler });
      if (action === 'invoice.refuse') await releaseOrders(tx, row);
      await notify(tx, row, { link: '/billing/invoices', ...(row.requested_by && { personId: row.requested_by }) });
      const operation: Operation = {
        action,
        object: { type: 'invoice', id, name: yuan(row.fen) },
        after: change,
        command: true,
      };
      if (row.account_id === acting.accountId) await record(tx, acting, operation);
      else
        await recordBoth(tx, [
          [acting, operation],
          [{ ...acting, accountId: row.account_id }, operation],
        ]);
    });
  }

  return {
    objects: {
      invoice: (tx, ids) => knownOf(tx, 'invoice', ids),
      invoice_title: (tx, ids) => knownOf(tx, 'invoice_title', ids),
      invoice_request: (_tx, ids) => database.withSystem((tx) => knownOf(tx, 'invoice', ids)),
    },
    routes: () =>
      implement(contract, {
        async titleList({ tx, acting }) {
          requireWholeAccount(acting, 'billing.read');
          return { list: await listTitles(tx, acting.accountId) };
        },

        async titleSave({ tx, acting, input: { id: known, version, kind, name, ...details } }) {
          requireWholeAccount(acting, 'billing.write');
          if (kind === 'company' && !details.tax_no) invalid('tax_no', 'validation.required');
          const id = known ?? newId(clock.now().getTime());
          const before = await lockTitle(tx, acting.accountId, id);
          if (known && !before) throw new Failure('notFound');
          refuseOutdated(before, { version });
          const values = { version: (before?.version ?? 0) + 1, kind, name, details: JSON.stringify(details) };
          await invoiceTables(tx)
            .insertInto('invoice_title')
            .values({ account_id: acting.accountId, id, ...values })
            .onConflict((conflict) => conflict.columns(['account_id', 'id']).doUpdateSet(values))
            .execute();
          await record(tx, acting, {
            action: known ? 'invoice_title.change' : 'invoice_title.add',
            object: { type: 'invoice_title', id, name },
            after: { kind, name, ...details },
          });
          return { id };
        },

        async titleDelete({ tx, acting, input: { id } }) {
          requireWholeAccount(acting, 'billing.write');
          const { name } = await invoiceTables(tx)
            .deleteFrom('invoice_title')
            .where('account_id', '=', acting.accountId)
            .where('id', '=', id)
            .returning('name')
            .executeTakeFirstOrThrow();
          await record(tx, acting, { action: 'invoice_title.delete', object: { type: 'invoice_title', id, name } });
          return {};
        },

        orderList({ tx, acting, caller, input }) {
          requireWholeAccount(acting, 'billing.read');
          return listInvoiceable(tx, orders, acting.accountId, caller.locale, input);
        },

        async request({ tx, acting, input }) {
          requireWholeAccount(acting, 'billing.write');
          return { id: await requestInvoice(tx, acting, clock.now(), input) };
        },

        async list({ tx, acting, input }) {
          requireWholeAccount(acting, 'billing.read');
          const { list, total } = await listInvoices(tx, acting.accountId, input);
          return { list: list.map(({ account_id: _own, ...row }) => row), total };
        },

        async pdf({ acting, caller, input, inTenant }) {
          requireWholeAccount(acting, 'billing.read');
          return renderSlip(await inTenant((tx) => readSlip(tx, input.id)), input.language ?? caller.locale);
        },

        async allPdf({ caller, input }) {
          const slip = await database.withSystem((tx) => readSlip(tx, input.id));
          return renderSlip(slip, input.language ?? caller.locale);
        },

        async cancel({ tx, acting, input: { id } }) {
          requireWholeAccount(acting, 'billing.write');
          const row = await lockInvoice(tx, id);
          // the refund of an issued invoice stays
          if (row?.state !== 'requested' || row.fen < 0) throw new Failure('changedMeanwhile');
          await changeInvoice(tx, row, { state: 'cancelled', settled_at: clock.now() });
          await releaseOrders(tx, row);
          const object = { type: 'invoice', id, name: yuan(row.fen) } as const;
          await record(tx, acting, { action: 'invoice.cancel', object, command: true });
          return {};
        },

        allList: ({ input }) =>
          database.withSystem(async (tx) => {
            const { list, total } = await listInvoices(tx, null, input);
            const names = await accounts.namesOfAccounts(tx, [...new Set(list.map((row) => row.account_id))]);
            return {
              list: list.map(({ account_id, ...row }) => ({ ...row, account: names.get(account_id) ?? '' })),
              total,
            };
          }),

        async issue({ acting, input: { id, number, issued_on } }) {
          const latest = new Date(clock.now().getTime() + earliestZoneMs).toISOString().slice(0, 10);
          if (issued_on > latest) invalid('issued_on', 'invoice.future');
          const change = { state: 'issued' as const, number, issued_on };
          const notify: Notify = (tx, { account_id, fen }, to) =>
            messages.post(tx, account_id, {
              template: 'invoiceIssued',
              params: { number, amount: yuan(fen) },
              ...to,
            });
          await decide(acting, id, change, notify, 'invoice.issue');
          return {};
        },

        async refuse({ acting, input: { id, reason } }) {
          const change = { state: 'refused' as const, reason };
          const notify: Notify = (tx, { account_id, fen }, to) =>
            messages.post(tx, account_id, {
              template: 'invoiceRefused',
              params: { amount: yuan(fen), reason },
              ...to,
            });
          await decide(acting, id, change, notify, 'invoice.refuse');
          return {};
        },
      }),
  };
}

async function listInvoiceable(
  tx: Tx,
  orders: Orders,
  accountId: string,
  locale: Locale,
  { page = 1, limit = 10, sort, order = 'desc' }: InputOf<typeof contract.orderList>,
) {
  const found = orderTables(tx)
    .selectFrom('billing_order')
    .where('account_id', '=', accountId)
    .where('payer', '=', 'account')
    .where('method', '<>', 'balance')
    .where('currency', '=', 'CNY')
    .where('state', '=', 'completed')
    .where(
      sql<boolean>`not exists (select from invoice_order i
        where i.account_id = billing_order.account_id and i.order_no = billing_order.order_no and i.live)`,
    );
  const { total } = await found.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await found
    .selectAll()
    .orderBy(sort === 'amount' ? sql`fen - refunded_fen` : sql`paid_at`, order)
    .orderBy('order_no', order)
    .offset((page - 1) * limit)
    .limit(limit)
    .execute();
  return {
    list: rows.map(orderOf).map((order) => ({
      order_no: order.orderNo,
      title: titleOf(locale, order, orders.kinds.of(order.kind)),
      method: order.method,
      amount: yuan(invoiceable(order)),
      state: order.state,
      paid_at: order.paidAt!.toISOString(),
    })),
    total: Number(total),
  };
}
