import type { Database, Tx } from '../../../platform/database/index.ts';
import { Failure, invalid } from '../../../platform/failure.ts';
import { insertUse, useOf } from '../coupons/account-coupon-store.ts';
import type { AccountCoupons } from '../coupons/account-coupons.ts';
import { readBank, type TransferTo, transferOf } from './bank-transfer.ts';
import type { NewOrder, Order } from './order-kind.ts';
import { findByKey, orderByKey } from './order-store.ts';
import type { Orders } from './orders.ts';

interface OwnOrder extends Omit<NewOrder, 'payer' | 'gwid'> {
  coupon?: string | undefined;
  /** What is bought; attempts to pay it are one use of a coupon. */
  item: string;
}

export interface Ordered {
  order_no: string;
  pay_url: string | null;
  state: Order['state'];
  transfer: TransferTo;
}

export interface OwnOrdersDeps {
  database: Database;
  orders: Orders;
  coupons: AccountCoupons;
}

/** What an account buys for itself. */
export function createOwnOrders({ database, orders, coupons }: OwnOrdersDeps) {
  async function methods(): Promise<{ method: string; sandbox: boolean }[]> {
    const offered = (await orders.offered()).map(({ name: method, sandbox }) => ({ method, sandbox }));
    return (await readBank(database.system)).enabled ? [...offered, { method: 'manual', sandbox: false }] : offered;
  }

  /** Returns the order that has this key. @throws Failure changedMeanwhile for another price or coupon */
  async function knownFen(tx: Tx, { accountId, key, fen, coupon }: OwnOrder): Promise<number | null> {
    const known = await findByKey(tx, accountId, key);
    if (!known) return null;
    const use = await useOf(tx, accountId, known.orderNo);
    if (known.fen + (use?.fen ?? 0) !== fen || (use && use.code !== coupon))
      throw new Failure('changedMeanwhile', { params: { kind: 'key' } });
    return known.fen;
  }

  return {
    methods,

    /**
     * Orders once per key, less a coupon.
     * @throws Failure balanceInsufficient, changedMeanwhile; Invalid beside `method` or `coupon`
     */
    async create(tx: Tx, asked: OwnOrder): Promise<Ordered> {
      const { coupon: code, item, ...order } = asked;
      const { accountId, method, key, fen, kind } = order;
      if (method !== 'balance' && !(await methods()).some((known) => known.method === method))
        invalid('method', 'billing.method_unknown');
      const known = await knownFen(tx, asked);
      const coupon =
        known === null && code ? await coupons.reserve(tx, { accountId, code, goods: kind, fen, item }) : null;
      const { order_no, pay_url, state } = await orders.create(tx, {
        ...order,
        fen: known ?? fen - (coupon?.fen ?? 0),
        payer: 'account',
        gwid: null,
      });
      if (code && coupon && coupon.fen > 0)
        await insertUse(tx, { account_id: accountId, order_no, coupon_id: coupon.id, code, item, fen: coupon.fen });
      const transfer = await transferOf(database, await orderByKey(tx, accountId, key));
      return { order_no, pay_url, state, transfer };
    },
  };
}

export type OwnOrders = ReturnType<typeof createOwnOrders>;
