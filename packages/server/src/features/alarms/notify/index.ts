import { alarmBrowsers as browserContract, alarmNotices as contract } from '@yunxun/contract';
import { sql } from 'kysely';
import { implement, type Route } from '../../../platform/http/call.ts';
import { type BrowserDeps, createBrowserActions } from './browser-actions.ts';
import { knownBrowsers } from './browser-store.ts';
import { dispatchTask } from './decide.ts';
import { createDeliver, type DeliverDeps } from './deliver.ts';
import { createDispatch, type DispatchDeps } from './dispatch.ts';
import { purgeEnded } from './informed-recipients.ts';
import { deliverTask } from './messages-out.ts';
import { listNotices } from './notice-list.ts';
import { createSubscriptionActions } from './subscription-actions.ts';
import { knownSubscriptions } from './subscription-store.ts';

export type NotifyDeps = DispatchDeps & DeliverDeps & BrowserDeps;

/** Per statement. */
const pruneBatch = 5000;

export function createNotify(deps: NotifyDeps) {
  const { database, clock } = deps;
  const actions = createSubscriptionActions(deps);
  const browsers = createBrowserActions(deps);

  async function prune(): Promise<void> {
    const before = new Date(clock.now().getTime() - contract.noticeLimits.keptDays * 86_400_000);
    await sql`delete from alarm_browser where ended_at < ${before}`.execute(database.system);
    await database.withSystem((tx) => purgeEnded(tx, null));
    for (let last = pruneBatch; last === pruneBatch; ) {
      const { numAffectedRows } = await sql`
        delete from alarm_delivery where (account_id, id) in (
          select account_id, id from alarm_delivery d where created_at < ${before} and not exists (
            select from alarm_notice n join alarm a on a.account_id = n.account_id and a.id = n.alarm_id
            where n.account_id = d.account_id and n.batch_id = d.batch_id and a.state <> 'recovered')
          limit ${pruneBatch})
      `.execute(database.system);
      last = Number(numAffectedRows ?? 0);
    }
  }

  return {
    routes: (): Route[] => [
      ...implement(browserContract, {
        browserList: ({ tx, acting, caller }) => browsers.list(tx, acting, caller.locale),
        browserSave: ({ acting, input }) => browsers.save(acting, input),
        browserRenew: ({ input, caller }) => browsers.renew(input, caller.ip),
        async browserDelete({ tx, acting, input }) {
          await browsers.remove(tx, acting, input.id);
          return {};
        },
      }),
      ...implement(contract, {
        subscriptionList: ({ tx, acting }) => actions.list(tx, acting),
        subscriptionPeople: ({ acting }) => actions.people(acting),
        subscriptionSave: ({ tx, acting, input }) => actions.save(tx, acting, input),
        async subscriptionDelete({ tx, acting, input }) {
          await actions.remove(tx, acting, input.id);
          return {};
        },
        subscriptionTest: ({ acting, input }) => actions.test(acting, input.id),
        noticeList: ({ tx, acting, input, caller }) => listNotices(tx, acting, input, caller.locale),
      }),
    ],
    objects: { subscription: knownSubscriptions, alarm_browser: knownBrowsers },
    tasks: {
      [dispatchTask]: createDispatch(deps).run,
      [deliverTask]: createDeliver(deps).run,
      'alarms-notify-prune': prune,
    },
    schedules: [
      { task: dispatchTask, cron: '* * * * *', exclusive: true as const },
      { task: deliverTask, cron: '* * * * *', exclusive: true as const },
      { task: 'alarms-notify-prune', cron: '41 * * * *' },
    ],
  };
}
