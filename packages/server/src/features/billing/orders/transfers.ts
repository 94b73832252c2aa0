import { transfers as contract, type InputOf, type Locale } from '@yunxun/contract';
import type { Acting } from '../../../platform/acting.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database, Tx } from '../../../platform/database/index.ts';
import { Failure } from '../../../platform/failure.ts';
import { implement, type Route } from '../../../platform/http/call.ts';
import { containing } from '../../../platform/search/index.ts';
import { accounts } from '../../identity/index.ts';
import { type Operation, record, recordBoth } from '../../logs/index.ts';
import type { Messages } from '../../messages/index.ts';
import { yuan } from '../service.ts';
import { readBank, saveBank } from './bank-transfer.ts';
import { titleOf } from './description.ts';
import type { Order } from './order-kind.ts';
import { decideOrder, findOrder, orderOf } from './order-store.ts';
import type { Orders } from './orders.ts';
import { orderTables } from './tables.ts';
import { orderEndOf, referenceOf } from './transfer-reference.ts';

interface TransferDeps {
  database: Database;
  clock: Clock;
  orders: Orders;
  messages: Messages;
}

export function transferRoutes({ database, clock, orders, messages }: TransferDeps): Route[] {
  /** Logs in both accounts. @throws Failure orderUnknown */
  async function decide(
    acting: Acting,
    orderNo: string,
    action: 'confirm' | 'refuse',
    given: { receipt: string } | { reason: string },
    work: (tx: Tx, order: Order) => Promise<unknown>,
  ): Promise<void> {
    await database.withSystem(async (tx) => {
      const order = await findOrder(tx, null, orderNo, 'lock');
      if (order?.method !== 'manual' || order.payer !== 'account') throw new Failure('orderUnknown');
      await work(tx, order);
      await decideOrder(tx, order, {
        receipt: null,
        reason: null,
        ...given,
        decided_at: clock.now(),
        decided_by: acting.actor?.name ?? acting.source,
      });
      const operation: Operation = {
        action: `transfer.${action}`,
        object: { type: 'order', id: orderNo, name: orderNo },
        after: { amount: yuan(order.fen), ...given },
        command: true,
      };
      if (order.accountId === acting.accountId) await record(tx, acting, operation);
      else
        await recordBoth(tx, [
          [acting, operation],
          [{ ...acting, accountId: order.accountId }, operation],
        ]);
    });
  }

  async function list(
    tx: Tx,
    locale: Locale,
    { page = 1, limit = 10, state, sort, order = 'desc', keyword }: InputOf<typeof contract.list>,
  ) {
    let found = orderTables(tx)
      .selectFrom('billing_order')
      .where('method', '=', 'manual')
      .where('payer', '=', 'account');
    if (state) found = found.where('state', '=', state);
    if (keyword) {
      const end = orderEndOf(keyword);
      found = found.where('order_no', 'ilike', end === null ? containing(keyword) : `%${end}`);
    }
    const { total } = await found
      .select((select) => select.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    let rows = found.selectAll();
    // a chosen order applies to all
    if (!sort) rows = rows.orderBy((by) => by('state', '<>', 'incomplete'));
    const listed = await rows
      .orderBy(sort === 'amount' ? 'fen' : 'created_at', order)
      .orderBy('order_no', order)
      .offset((page - 1) * limit)
      .limit(limit)
      .execute();
    const names = await accounts.namesOfAccounts(tx, [...new Set(listed.map((row) => row.account_id))]);
    return {
      list: listed.map((row) => ({
        order_no: row.order_no,
        reference: referenceOf(row.order_no),
        account: names.get(row.account_id) ?? '',
        title: titleOf(locale, orderOf(row), orders.kinds.of(row.kind)),
        amount: yuan(row.fen),
        state: row.state,
        created_at: row.created_at.toISOString(),
        decided_at: (row.decided_at ?? row.paid_at)?.toISOString() ?? null,
        decided_by: row.decided_by,
        receipt: row.receipt,
        reason: row.reason,
      })),
      total: Number(total),
    };
  }

  return implement(contract, {
    bankGet: () => readBank(database.system),

    async bankSave({ acting, input }) {
      await database.withSystem((tx) => saveBank(tx, acting, input));
      return {};
    },

    list: ({ caller, input }) => database.withSystem((tx) => list(tx, caller.locale, input)),

    async confirm({ acting, input: { order_no, receipt } }) {
      await decide(acting, order_no, 'confirm', { receipt }, async (tx, { accountId, fen }) => {
        await orders.settle(tx, accountId, order_no);
        await messages.post(tx, accountId, {
          template: 'transferConfirmed',
          params: { order: order_no, amount: yuan(fen) },
          link: '/billing/transactions',
        });
      });
      return {};
    },

    async refuse({ acting, input: { order_no, reason } }) {
      await decide(acting, order_no, 'refuse', { reason }, async (tx, { accountId, fen }) => {
        await orders.refuse(tx, accountId, order_no);
        await messages.post(tx, accountId, {
          template: 'transferRefused',
          params: { order: order_no, amount: yuan(fen), reason },
          link: '/billing/transactions',
        });
      });
      return {};
    },
  });
}
