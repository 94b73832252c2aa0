import { billingDeferred as contract } from '@yunxun/contract';
import { sql } from 'kysely';
import { requireWholeAccount } from '../../../platform/acting.ts';
import { addDays, dayOf, startOfDay } from '../../../platform/calendar.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { Failure } from '../../../platform/failure.ts';
import { implement, type Route } from '../../../platform/http/call.ts';
import { accounts } from '../../identity/index.ts';
import { record } from '../../logs/index.ts';
import { monthAfter } from '../books/months.ts';
import { lockMoney, yuan } from '../service.ts';
import { addSoldOf, bookDeferred, readSetting } from './daily.ts';
import { liabilityOf, openItems } from './items.ts';
import { liabilityAt } from './liability.ts';
import { listDeferred, listLines } from './list.ts';
import { deferredTables } from './tables.ts';

const months = 12;

export function deferredRoutes({ clock }: { clock: Clock }): Route[] {
  return implement(contract, {
    async get({ tx, acting: { accountId, ...acting } }) {
      requireWholeAccount({ accountId, ...acting }, 'billing.read');
      const setting = await readSetting(tx, accountId);
      const { time_zone: zone } = await accounts.accountOf(tx, accountId);
      const liability = await liabilityOf(tx, accountId);
      return {
        enabled: setting !== null && setting.until === null,
        since: setting?.since.toISOString() ?? null,
        version: setting?.version ?? 0,
        liability: yuan(liability),
        months: await pastMonths(tx, accountId, zone, clock.now()),
        schedule: liability > 0 ? await schedule(tx, accountId, zone, clock.now()) : [],
      };
    },

    async save({ tx, acting, input: { enabled, version } }) {
      requireWholeAccount(acting, 'billing.write');
      const { accountId } = acting;
      const now = clock.now();
      await lockMoney(tx, accountId);
      const setting = await readSetting(tx, accountId);
      if ((setting?.version ?? 0) !== version) throw new Failure('changedMeanwhile');
      const { time_zone: zone, name } = await accounts.accountOf(tx, accountId);
      const today = dayOf(now, zone);
      // a change of the period leaves out no sale of the one before
      await bookDeferred(tx, accountId, now);
      if (setting) await addSoldOf(tx, accountId, setting, startOfDay(today, zone), now);
      const wasOn = setting !== null && setting.until === null;
      const next = {
        since: enabled && !wasOn ? now : (setting?.since ?? now),
        until: enabled ? null : (setting?.until ?? now),
      };
      await deferredTables(tx)
        .insertInto('billing_deferred_setting')
        .values({ account_id: accountId, ...next, booked_day: addDays(today, -1), version: version + 1 })
        .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ ...next, version: version + 1 }))
        .execute();
      await record(tx, acting, {
        action: 'books.deferred_save',
        object: { type: 'account', id: accountId, name },
        before: { enabled: wasOn },
        after: { enabled },
      });
      return { version: version + 1 };
    },

    async list({ tx, acting, input }) {
      requireWholeAccount(acting, 'billing.read');
      return listDeferred(tx, acting.accountId, input);
    },

    async lines({ tx, acting, input }) {
      requireWholeAccount(acting, 'billing.read');
      return listLines(tx, acting.accountId, input);
    },
  });
}

async function pastMonths(tx: Tx, accountId: string, zone: string, now: Date) {
  const current = dayOf(now, zone).slice(0, 7);
  const from = startOfDay(`${monthAfter(current, 1 - months)}-01`, zone);
  const { rows } = await sql<{ month: string; sold: number; deferred: number }>`
    select to_char(at at time zone ${zone}, 'YYYY-MM') as month,
      coalesce(-sum(fen) filter (where ledger = 'income'), 0)::bigint as sold,
      coalesce(sum(fen) filter (where ledger = 'earned'), 0)::bigint as deferred
    from ledger_entry
    where account_id = ${accountId} and ledger in ('income', 'earned') and currency = 'CNY' and at >= ${from}
    group by 1 order by 1 desc`.execute(tx);
  return rows.map(({ month, sold, deferred }) => ({
    month,
    sold: yuan(Number(sold)),
    earned: yuan(Number(sold) - Number(deferred)),
  }));
}

async function schedule(tx: Tx, accountId: string, zone: string, now: Date) {
  const begun = (await openItems(tx, accountId, now)).filter(({ startedAt }) => startedAt);
  const ends = Array.from({ length: months }, (_, nth) => monthAfter(dayOf(now, zone).slice(0, 7), nth));
  let before = begun.reduce((sum, { liabilityFen }) => sum + liabilityFen, 0);
  return ends.flatMap((month) => {
    const end = startOfDay(`${monthAfter(month, 1)}-01`, zone);
    const day = addDays(`${monthAfter(month, 1)}-01`, -1);
    const after = begun.reduce((sum, item) => sum + liabilityAt(item, { day, end, zone }), 0);
    const fen = before - after;
    before = after;
    return fen === 0 ? [] : [{ month, amount: yuan(fen) }];
  });
}
