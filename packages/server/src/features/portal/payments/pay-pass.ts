import type { EdgeCaptiveParams } from '@yunxun/contract/device';
import type { Tx } from '../../../platform/database/index.ts';
import { dayStartOf } from '../day-start.ts';
import { lockIdentity } from '../methods/proof.ts';
import type { GuestSite } from '../page-frame.ts';
import { portal } from '../tables.ts';

export type PayPass = Extract<EdgeCaptiveParams, { op: 'pass' }>;

export const payPassLimits = { seconds: 600, perDay: 5 } as const;

/** Returns what to order of the gateway; null: not one, or the device has had its passes. */
export async function payPassOf(
  tx: Tx,
  { site, row }: Pick<GuestSite, 'site' | 'row'>,
  device: { key: Buffer; mac: string | null; verified: boolean },
  order: { orderNo: string; expiresAt: Date },
  now: Date,
): Promise<PayPass | null> {
  const { accountId, gwid } = site;
  const { key, mac, verified } = device;
  if (row.gateway !== 'edge' || !verified || mac === null) return null;
  await lockIdentity(tx, key);
  const own = portal(tx)
    .selectFrom('portal_pay_pass')
    .where('account_id', '=', accountId)
    .where('gwid', '=', gwid)
    .where('device_key', '=', key);
  const known = await own.select('until').where('order_no', '=', order.orderNo).executeTakeFirst();
  const most = now.getTime() + payPassLimits.seconds * 1000;
  const until = known?.until ?? new Date(Math.min(most, order.expiresAt.getTime()));
  const seconds = Math.ceil((until.getTime() - now.getTime()) / 1000);
  if (seconds <= 0) return null;
  if (!known) {
    const from = await dayStartOf(tx, accountId, now);
    const { passes } = await own
      .select(({ fn }) => fn.countAll<number>().as('passes'))
      .where('at', '>=', from)
      .executeTakeFirstOrThrow();
    if (Number(passes) >= payPassLimits.perDay) return null;
    await portal(tx)
      .insertInto('portal_pay_pass')
      .values({ account_id: accountId, gwid, device_key: key, order_no: order.orderNo, at: now, until })
      .execute();
  }
  return { tool: 'captive', op: 'pass', mac, seconds };
}
