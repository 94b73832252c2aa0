import { billing as contract } from '@yunxun/contract';
import type { Clock } from '../../platform/clock.ts';
import { implement, type Route } from '../../platform/http/call.ts';
import { balanceOf, yuan } from './service.ts';

/** The calls about the account's money. */
export function billingRoutes({ clock }: { clock: Clock }): Route[] {
  return implement(contract, {
    balance: async ({ tx, identity: { actor } }) => ({
      as_of: clock.now().toISOString(),
      balance: yuan(await balanceOf(tx, actor.accountId)),
      // neither coupons nor recharge cards are kept anywhere yet
      coupons: null,
      cards: null,
    }),
  });
}
