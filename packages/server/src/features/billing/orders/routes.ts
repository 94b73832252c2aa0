import { billingOrders as contract } from '@yunxun/contract';
import type { Acting } from '../../../platform/acting.ts';
import { requireWholeAccount } from '../../../platform/acting.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database, Tx } from '../../../platform/database/index.ts';
import { Failure, invalid } from '../../../platform/failure.ts';
import { implement, type Route } from '../../../platform/http/call.ts';
import { record } from '../../logs/index.ts';
import { couponOf } from '../coupons/of-order.ts';
import type { Decisions } from '../decisions/index.ts';
import { refundedCards } from '../goods/card-store.ts';
import { refundByKey, refundedOfPayer, refundsOf, settledAt } from '../refunds/refund-store.ts';
import { bookingKeys } from '../refunds/refunds.ts';
import { fenOf, journalOf, lockMoney, yuan } from '../service.ts';
import { transferOf } from './bank-transfer.ts';
import { titleOf } from './description.ts';
import { reconciliationDifferences } from './differences.ts';
import type { Order } from './order-kind.ts';
import { decideOrder } from './order-store.ts';
import type { Orders } from './orders.ts';
import type { OwnOrders } from './own-orders.ts';
import { listTransactions } from './transactions.ts';

interface OrderRoutesDeps {
  clock: Clock;
  database: Database;
  orders: Orders;
  ownOrders: OwnOrders;
  decisions: Decisions;
  publicUrl: string;
}

export function orderRoutes({ database, clock, orders, ownOrders, decisions, publicUrl }: OrderRoutesDeps): Route[] {
  async function log(
    tx: Tx,
    acting: Acting,
    action: string,
    { orderNo, gwid }: Pick<Order, 'orderNo' | 'gwid'>,
    after: object,
  ) {
    await record(tx, acting, {
      action: `order.${action}`,
      object: { type: 'order', id: orderNo, name: orderNo },
      gwid,
      after,
    });
  }

  /** Otherwise an account could use goods and get its money back. */
  function requireRefunder(acting: Acting, { payer, kind }: Order) {
    if (payer === 'account' && kind !== 'recharge') requireInstallationAdmin(acting);
  }

  decisions.on('order', async (tx, acting, { object: orderNo, fen, input, by }) => {
    const { accountId } = acting;
    requireRefunder(acting, await orders.get(tx, accountId, orderNo));
    const order = await orders.refund(tx, { accountId, orderNo, fen, ...input, by });
    const { reason, used } = input;
    await log(tx, acting, 'refund', order, { amount: yuan(fen), reason, used, by });
  });

  return implement(contract, {
    methods: async () => ({ list: await ownOrders.methods() }),

    async recharge({ tx, acting, input }) {
      requireWholeAccount(acting, 'billing.write');
      const { accountId } = acting;
      const { amount, method, key } = input;
      if (method === 'balance') invalid('method', 'billing.method_unknown');
      const { order_no, pay_url, transfer } = await ownOrders.create(tx, {
        accountId,
        kind: 'recharge',
        subject: {},
        fen: fenOf(amount),
        method,
        key,
        item: key,
        returnUrl: `${publicUrl}/billing/transactions`,
      });
      await log(tx, acting, 'recharge', { orderNo: order_no, gwid: null }, { amount, method });
      return { order_no, pay_url, transfer };
    },

    async orderGet({ tx, acting, caller, input }) {
      requireWholeAccount(acting, 'billing.read');
      const order = await orders.get(tx, acting.accountId, input.order_no);
      const refunds = await refundsOf(tx, order);
      const keys = [`order:${order.orderNo}`, ...bookingKeys(order, refunds)];
      return {
        order_no: order.orderNo,
        kind: order.kind,
        title: titleOf(caller.locale, order, orders.kinds.of(order.kind)),
        amount: yuan(order.fen),
        currency: order.currency,
        coupon: await couponOf(tx, order),
        transfer: await transferOf(database, order),
        unused: yuan(await orders.refundable(tx, order, false)),
        refunded: yuan(order.refundedFen),
        payer: order.payer,
        method: order.method,
        state: order.state,
        gwid: order.gwid,
        created_at: order.createdAt.toISOString(),
        paid_at: order.paidAt?.toISOString() ?? null,
        refunds: refunds.map(({ fen, reason, by, at, state, failure, ...row }) => ({
          amount: yuan(fen),
          reason,
          by,
          at: at.toISOString(),
          state,
          failure,
          settled_at: settledAt({ ...row, state })?.toISOString() ?? null,
        })),
        journal: (await journalOf(tx, acting.accountId, keys)).map(({ transaction_id, kind, ledger, fen, at }) => ({
          transaction_id,
          kind,
          ledger,
          amount: yuan(fen),
          at: at.toISOString(),
        })),
      };
    },

    async orderRefund({ tx, acting, input }) {
      requireWholeAccount(acting, 'billing.write');
      const { order_no: orderNo, amount, reason, used = false, key } = input;
      const asked = await orders.get(tx, acting.accountId, orderNo, 'lock');
      requireRefunder(acting, asked);
      const fen = fenOf(amount);
      const known = await refundByKey(tx, acting.accountId, key);
      if (known && (known.order_no !== orderNo || known.fen !== fen))
        throw new Failure('changedMeanwhile', { params: { kind: 'key' } });
      if (known) return { waiting: false };
      if (await decisions.holds(tx, acting.accountId, orderNo, key)) return { waiting: true };
      await orders.requireRefundable(tx, asked, fen, used);
      // parts that are refunded at once count together
      await lockMoney(tx, acting.accountId);
      const since = new Date(clock.now().getTime() - 86_400_000);
      // any guest may have bought the cards
      const ofCards = asked.payer === 'guest' ? await refundedCards(tx, acting.accountId, since) : 0;
      const ofDay = ofCards + (await refundedOfPayer(tx, asked, since));
      const asks = {
        kind: 'order' as const,
        object: orderNo,
        name: orderNo,
        fen,
        sumFen: asked.refundedFen + ofDay + fen,
        gwid: asked.gwid,
        input: { reason, used, key },
      };
      if (asked.currency === 'CNY' && (await decisions.hold(tx, acting, asks))) return { waiting: true };
      const by = acting.actor?.name ?? acting.source;
      const order = await orders.refund(tx, { accountId: acting.accountId, orderNo, fen, reason, by, used, key });
      await log(tx, acting, 'refund', order, { amount, reason, used });
      return { waiting: false };
    },

    async orderSettle({ tx, acting, input }) {
      requireWholeAccount(acting, 'billing.write');
      const { payer } = await orders.get(tx, acting.accountId, input.order_no);
      // otherwise an account could credit itself
      if (payer === 'account') requireInstallationAdmin(acting);
      const order = await orders.settle(tx, acting.accountId, input.order_no);
      const decided_by = acting.actor?.name ?? acting.source;
      await decideOrder(tx, order, { decided_at: order.paidAt!, decided_by, receipt: null, reason: null });
      await log(tx, acting, 'settle', order, { amount: yuan(order.fen) });
      return {};
    },

    transactions: ({ tx, acting, caller, input }) => {
      requireWholeAccount(acting, 'billing.read');
      return listTransactions(tx, acting.accountId, caller.locale, input);
    },

    async differences({ tx, acting }) {
      requireWholeAccount(acting, 'billing.read');
      const found = await reconciliationDifferences(tx, acting.accountId, 200);
      const currencies = new Map(orders.providers.map(({ name, currency }) => [name, currency]));
      return {
        list: found.map(({ provider, day, orderNo, oursFen, theirsFen, currency }) => ({
          provider,
          day,
          order_no: orderNo,
          ours: yuan(oursFen),
          theirs: yuan(theirsFen),
          currency: currency ?? currencies.get(provider) ?? 'CNY',
        })),
      };
    },
  });
}

/** @throws Failure noPermission */
function requireInstallationAdmin({ actor }: Acting): void {
  if (!actor?.installationAdmin)
    throw new Failure('noPermission', { data: { permission: 'install.admin', reason: 'permission' } });
}
