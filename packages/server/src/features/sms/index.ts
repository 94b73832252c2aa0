import { sms as contract } from '@yunxun/contract';
import type { Acting } from '../../platform/acting.ts';
import { requireWholeAccount } from '../../platform/acting.ts';
import { invalid } from '../../platform/failure.ts';
import { implement, type Route } from '../../platform/http/call.ts';
import type { OrderKind, Orders, OwnOrders } from '../billing/index.ts';
import { record } from '../logs/index.ts';
import { areSmsSold, saveSmsSold, smsPriceFen } from './sale.ts';
import { createSmsSender, type SmsDeps } from './send.ts';
import { createSettle, settleTask } from './settle.ts';
import { smsTables } from './tables.ts';
import { listSms, readBalance } from './views.ts';

export { smsAlarms } from './alarm-source.ts';
export type { SmsSender } from './send.ts';

const countOf = ({ subject, fen }: { subject: unknown; fen: number }) =>
  (subject as { count?: number }).count ?? fen / smsPriceFen;

const smsKind: OrderKind = {
  kind: 'sms',
  ledger: 'sms',
  takenOff: (order) => countOf(order) * smsPriceFen - order.fen,
  title: (order) => ({ key: 'smsPack', params: { count: countOf(order) } }),
  async paid(tx, { accountId, currency }) {
    // play money buys no messages
    if (currency !== 'CNY') return;
    await smsTables(tx)
      .updateTable('sms_account')
      .set({ warned_at: null })
      .where('account_id', '=', accountId)
      .execute();
  },
};

function reading(acting: Acting): string {
  requireWholeAccount(acting, 'billing.read');
  return acting.accountId;
}

export function createSms(deps: SmsDeps & { orders: Orders; ownOrders: OwnOrders; publicUrl: string }) {
  const { database, clock, keys, orders, ownOrders, outbox, publicUrl } = deps;
  orders.kinds.add(smsKind);

  return {
    sender: createSmsSender(deps),
    routes: (): Route[] =>
      implement(contract, {
        async balance({ tx, acting }) {
          const provider = !(await outbox.toFile('sms'));
          return readBalance(database, tx, reading(acting), { now: clock.now(), provider });
        },
        list: ({ tx, acting, caller, input }) => listSms(tx, keys, reading(acting), caller.locale, input),

        async orderList({ tx, acting, input }) {
          const { rows, total } = await orders.list(tx, reading(acting), 'sms', { ...input, state: input.status });
          return {
            list: rows.map((order) => ({
              order_no: order.orderNo,
              count: countOf(order),
              amount_fen: order.fen,
              refunded_fen: order.refundedFen,
              method: order.method,
              status: order.state,
              created_at: order.createdAt.toISOString(),
              paid_at: order.paidAt?.toISOString() ?? null,
            })),
            total,
          };
        },

        async orderCreate({ tx, acting, input }) {
          requireWholeAccount(acting, 'billing.write');
          const { count, method, coupon, key } = input;
          const { accountId } = acting;
          if (!contract.smsPacks.some((pack) => pack === count)) invalid('count', 'sms_pay.count_unknown');
          if (!(await areSmsSold(database))) invalid('count', 'sms_pay.not_sold');
          const { order_no, pay_url, state, transfer } = await ownOrders.create(tx, {
            accountId,
            kind: 'sms',
            subject: { count },
            fen: count * smsPriceFen,
            method,
            key,
            item: key,
            coupon,
            returnUrl: `${publicUrl}/billing/transactions`,
          });
          const object = { type: 'order', id: order_no, name: order_no } as const;
          await record(tx, acting, { action: 'order.sms', object, after: { count, method, coupon } });
          return { order_no, pay_url, transfer, status: state };
        },

        async limitSave({ tx, acting, input }) {
          requireWholeAccount(acting, 'billing.write');
          const { accountId: account_id } = acting;
          const { low_balance } = input;
          await smsTables(tx)
            .insertInto('sms_account')
            .values({ account_id, low_balance, warned_at: null })
            .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ low_balance, warned_at: null }))
            .execute();
          const object = { type: 'account', id: account_id, name: 'SMS' } as const;
          await record(tx, acting, { action: 'sms.limit', object, after: { low_balance } });
          return {};
        },

        async saleSave({ tx, acting, input }) {
          const before = { sold: await areSmsSold(database) };
          await saveSmsSold(database, input.sold);
          const object = { type: 'installation', id: acting.accountId, name: 'SMS' } as const;
          await record(tx, acting, { action: 'sms.sale', object, before, after: input });
          return {};
        },
      }),
    tasks: { [settleTask]: createSettle(deps) },
    schedules: [{ task: settleTask, cron: '* * * * *', exclusive: true as const }],
  };
}
