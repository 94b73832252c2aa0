import type { billingCoupons as contract, DataOf, InputOf } from '@yunxun/contract';
import { sql } from 'kysely';
import type { Acting } from '../../../platform/acting.ts';
import { requireWholeAccount } from '../../../platform/acting.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database, Tx } from '../../../platform/database/index.ts';
import { invalid } from '../../../platform/failure.ts';
import { fenOf, yuan } from '../service.ts';
import { type AccountCoupon, type CouponGoods, couponByCode, usesOf, validCoupons } from './account-coupon-store.ts';
import { presentDiscount, takenOffBy } from './terms.ts';

interface Asked {
  accountId: string;
  code: string;
  goods: string;
  fen: number;
  /** Orders of one item are one use. */
  item: string;
}

/** Null: no limit. */
function leftOf({ per_account, max_uses }: AccountCoupon, uses: { all: number; own: number }): number | null {
  const left = [...(per_account > 0 ? [per_account - uses.own] : []), ...(max_uses > 0 ? [max_uses - uses.all] : [])];
  return left.length > 0 ? Math.max(0, Math.min(...left)) : null;
}

export function createAccountCoupons({ database, clock }: { database: Database; clock: Clock }) {
  /** @throws Invalid beside `coupon` */
  async function check({ accountId, code, goods, fen, item }: Asked): Promise<{ id: string; fen: number }> {
    return database.withSystem(async (tx) => {
      const coupon = await couponByCode(tx, accountId, code);
      if (!coupon || !(coupon.enabled || coupon.ended_at)) return invalid('coupon', 'billing.coupon_unknown');
      if (!coupon.goods.includes(goods as CouponGoods)) invalid('coupon', 'billing.coupon_goods');
      if (coupon.ended_at || coupon.until <= clock.now()) invalid('coupon', 'billing.coupon_over');
      if (fen < coupon.min_fen) invalid('coupon', 'billing.coupon_minimum', { min: yuan(coupon.min_fen) });
      if (leftOf(coupon, await usesOf(tx, coupon.id, accountId, item)) === 0) invalid('coupon', 'billing.coupon_used');
      return { id: coupon.id, fen: takenOffBy(coupon, fen) };
    });
  }

  return {
    /** Serialises the uses of the code until the transaction ends. @throws Invalid beside `coupon` */
    async reserve(tx: Tx, asked: Asked): Promise<{ id: string; fen: number }> {
      await sql`select pg_advisory_xact_lock(hashtextextended(${`coupon ${asked.code}`}, 0))`.execute(tx);
      return check(asked);
    },

    async usable(
      acting: Acting,
      { item = '' }: InputOf<typeof contract.usable>,
    ): Promise<DataOf<typeof contract.usable>> {
      requireWholeAccount(acting, 'billing.read');
      const { accountId } = acting;
      return database.withSystem(async (tx) => {
        const list: DataOf<typeof contract.usable>['list'] = [];
        for (const coupon of await validCoupons(tx, accountId, clock.now())) {
          const left = leftOf(coupon, await usesOf(tx, coupon.id, accountId, item));
          const { name, code, goods, until } = coupon;
          if (left !== 0)
            list.push({ name, code, ...presentDiscount(coupon), goods, left, until: until.toISOString() });
        }
        return { list };
      });
    },

    async quote(
      acting: Acting,
      { coupon: code, goods, price, item = '' }: InputOf<typeof contract.quote>,
    ): Promise<DataOf<typeof contract.quote>> {
      requireWholeAccount(acting, 'billing.read');
      const fen = fenOf(price);
      const off = await check({ accountId: acting.accountId, code, goods, fen, item });
      return { taken_off: yuan(off.fen), price: yuan(fen - off.fen) };
    },
  };
}

export type AccountCoupons = ReturnType<typeof createAccountCoupons>;
