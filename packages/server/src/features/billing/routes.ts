import { billingIncome, billing as contract } from '@yunxun/contract';
import { requireWholeAccount } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import { implement, type Route } from '../../platform/http/call.ts';
import { usableCoupons } from './coupons/guest-coupons.ts';
import { usableCards } from './goods/index.ts';
import { listIncome, listIncomeLines } from './income.ts';
import { balanceOf, ledgerSum, yuan } from './service.ts';

export function billingRoutes({ clock }: { clock: Clock }): Route[] {
  return [
    ...implement(contract, {
      async balance({ tx, acting }) {
        // income of some networks is no balance
        requireWholeAccount(acting, 'billing.read');
        return {
          as_of: clock.now().toISOString(),
          balance: yuan(await balanceOf(tx, acting.accountId)),
          earned: yuan(await ledgerSum(tx, acting.accountId, 'balance')),
          recharged: yuan(await ledgerSum(tx, acting.accountId, 'recharged')),
          play_balance: yuan(await balanceOf(tx, acting.accountId, 'XTS')),
          coupons: await usableCoupons(tx, acting.accountId, clock.now()),
          cards: await usableCards(tx, acting.accountId, clock.now()),
        };
      },
    }),
    ...implement(billingIncome, {
      list({ tx, acting, input }) {
        requireWholeAccount(acting, 'billing.read');
        return listIncome(tx, { ...input, accountId: acting.accountId, now: clock.now() }, input);
      },
      journal({ tx, acting, caller, input }) {
        requireWholeAccount(acting, 'billing.read');
        const asked = { ...input, accountId: acting.accountId, now: clock.now() };
        return listIncomeLines(tx, asked, caller.locale, input);
      },
    }),
  ];
}
