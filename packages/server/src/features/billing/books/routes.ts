import { billingBooks as contract } from '@yunxun/contract';
import { requireWholeAccount } from '../../../platform/acting.ts';
import type { Clock } from '../../../platform/clock.ts';
import { Failure, invalid } from '../../../platform/failure.ts';
import { implement, type Route } from '../../../platform/http/call.ts';
import { accounts } from '../../identity/index.ts';
import { record } from '../../logs/index.ts';
import { bookDeferred } from '../deferred/daily.ts';
import { keepNumbersUntil } from '../exports/numbers.ts';
import { lockMoney } from '../service.ts';
import { listJournal } from './journal.ts';
import { closedUntil, monthOf, monthTables } from './months.ts';
import { isOver, trialBalance } from './trial-balance.ts';

export function bookRoutes({ clock }: { clock: Clock }): Route[] {
  return implement(contract, {
    trialBalance({ tx, acting, input: { month } }) {
      requireWholeAccount(acting, 'billing.read');
      return trialBalance(tx, acting.accountId, month, clock.now());
    },

    journal({ tx, acting, caller, input }) {
      requireWholeAccount(acting, 'billing.read');
      return listJournal(tx, acting.accountId, caller.locale, input);
    },

    async closeMonth({ tx, acting, input: { month } }) {
      requireWholeAccount(acting, 'billing.write');
      const { accountId } = acting;
      await lockMoney(tx, accountId);
      const { time_zone: zone, name } = await accounts.accountOf(tx, accountId);
      const asked = await monthOf(tx, accountId, month, zone);
      const until = await closedUntil(tx, accountId);
      if (asked.closed || (until !== null && until >= asked.to)) throw new Failure('changedMeanwhile');
      if (!isOver(asked, clock.now())) invalid('month', 'validation.monthOpen');
      await bookDeferred(tx, accountId, clock.now());
      await monthTables(tx)
        .insertInto('ledger_month')
        .values({
          account_id: accountId,
          month,
          begins_at: asked.from,
          ends_at: asked.to,
          closed_at: clock.now(),
          closed_by: acting.actor?.name ?? acting.source,
          time_zone: zone,
        })
        .execute();
      await keepNumbersUntil(tx, accountId, month, until);
      await record(tx, acting, {
        action: 'books.close',
        object: { type: 'account', id: accountId, name },
        after: { month },
      });
      return {};
    },
  });
}
