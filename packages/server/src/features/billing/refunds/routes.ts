import { billingRefunds as contract } from '@yunxun/contract';
import { requireWholeAccount } from '../../../platform/acting.ts';
import type { Clock } from '../../../platform/clock.ts';
import { Failure } from '../../../platform/failure.ts';
import { implement, type Route } from '../../../platform/http/call.ts';
import { record } from '../../logs/index.ts';
import { titleOf } from '../orders/description.ts';
import { ordersByNo } from '../orders/order-store.ts';
import type { Orders } from '../orders/orders.ts';
import { yuan } from '../service.ts';
import { handleException, listExceptions } from './exceptions.ts';
import { listRefunds, settledAt } from './refund-store.ts';

export function refundRoutes({ clock, orders }: { clock: Clock; orders: Pick<Orders, 'kinds'> }): Route[] {
  return implement(contract, {
    async list({ tx, acting, caller, input }) {
      requireWholeAccount(acting, 'billing.read');
      const { rows, total } = await listRefunds(tx, acting.accountId, input);
      const known = await ordersByNo(
        tx,
        acting.accountId,
        rows.map((row) => row.order_no),
      );
      const list = rows.map((row) => {
        const order = known.get(row.order_no)!;
        return {
          order_no: row.order_no,
          refund_no: row.refund_no,
          title: titleOf(caller.locale, order, orders.kinds.of(order.kind)),
          method: order.method,
          amount: yuan(row.fen),
          currency: order.currency,
          state: row.state,
          failure: row.failure,
          reason: row.reason,
          by: row.by,
          gwid: row.gwid,
          at: row.at.toISOString(),
          settled_at: settledAt(row)?.toISOString() ?? null,
        };
      });
      return { list, total };
    },

    async exceptions({ tx, acting, input }) {
      requireWholeAccount(acting, 'billing.read');
      const { rows, total } = await listExceptions(tx, acting.accountId, input);
      const numbers = rows.map((row) => row.order_no);
      const known = await ordersByNo(tx, acting.accountId, numbers);
      return {
        list: rows.map(({ account_id: _account, fen, at, handled_at, ...row }) => ({
          ...row,
          amount: yuan(fen),
          currency: known.get(row.order_no)!.currency,
          at: at.toISOString(),
          handled_at: handled_at?.toISOString() ?? null,
        })),
        total,
      };
    },

    async exceptionHandle({ tx, acting, input: { id, remark } }) {
      requireWholeAccount(acting, 'billing.write');
      const handled_by = acting.actor?.name ?? acting.source;
      const row = await handleException(tx, acting.accountId, id, { handled_at: clock.now(), handled_by, remark });
      if (!row) throw new Failure('changedMeanwhile');
      await record(tx, acting, {
        action: 'order.exception_handle',
        object: { type: 'order', id: row.order_no, name: row.order_no },
        gwid: row.gwid,
        after: { kind: row.kind, amount: yuan(row.fen), remark },
      });
      return {};
    },
  });
}
