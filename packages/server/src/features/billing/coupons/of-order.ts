import type { Tx } from '../../../platform/database/index.ts';
import { goodsTables } from '../goods/tables.ts';
import type { Order } from '../orders/order-kind.ts';
import { yuan } from '../service.ts';
import { useOf } from './account-coupon-store.ts';

/** Returns the coupon that made the order cheaper. */
export async function couponOf(
  tx: Tx,
  { accountId, orderNo, payer }: Order,
): Promise<{ code: string; taken_off: string } | null> {
  const use = payer === 'account' ? await useOf(tx, accountId, orderNo) : await guestUse(tx, accountId, orderNo);
  return use && { code: use.code, taken_off: yuan(use.fen) };
}

async function guestUse(tx: Tx, accountId: string, orderNo: string): Promise<{ code: string; fen: number } | null> {
  const row = await goodsTables(tx)
    .selectFrom('billing_coupon_use as u')
    .innerJoin('billing_coupon as c', (join) =>
      join.onRef('c.account_id', '=', 'u.account_id').onRef('c.id', '=', 'u.coupon_id'),
    )
    .select(['c.code', 'u.fen'])
    .where('u.account_id', '=', accountId)
    .where('u.order_no', '=', orderNo)
    .executeTakeFirst();
  return row ?? null;
}
