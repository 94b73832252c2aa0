import { billing as contract } from '@yunxun/contract';
import type { Clock } from '../../platform/clock.ts';
import { implement, type Route } from '../../platform/http/call.ts';
import { refuseNarrowed } from '../identity/rights.ts';
import { balanceOf, yuan } from './service.ts';

/** The calls about the account's money. */
export function billingRoutes({ clock }: { clock: Clock }): Route[] {
  return implement(contract, {
    async balance({ tx, acting }) {
      // the part of it that some networks made is no balance
      refuseNarrowed(acting, 'billing.read');
      return {
        as_of: clock.now().toISOString(),
        balance: yuan(await balanceOf(tx, acting.accountId)),
        // neither coupons nor recharge cards are kept anywhere yet
        coupons: null,
        cards: null,
      };
    },
  });
}
