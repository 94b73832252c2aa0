import { type Actor, statistics as contract, networksOf } from '@yunxun/contract';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/database/index.ts';
import { implement, type Route } from '../../platform/http/call.ts';
import { routersByStorage } from '../fleet/counts.ts';
import { flowModel, type Period, userModel } from './models.ts';
import { hide, isHidden } from './notice-store.ts';
import { apComplex, complex, trend } from './overview.ts';
import { ask } from './scope.ts';

/** The business notice is about routers with less storage than this: 32 GB as disks are sold, in bytes. */
const noticeBelow = 32e9;

const periodOf = (day: 30 | '30' | 'history'): Period => (day === 'history' ? 'history' : 'month');

/** The calls of the home page. */
export function statisticsRoutes({ clock }: { clock: Clock }): Route[] {
  /** What the caller asks about: the network named, or all that the caller may see. */
  const asked = (tx: Tx, actor: Actor, gwid: string | undefined) =>
    ask(tx, actor.accountId, gwid ? [gwid] : networksOf(actor), clock.now());

  return implement(contract, {
    complex: async ({ tx, identity, input }) => complex(tx, await asked(tx, identity.actor, input.gwid)),
    apComplex: async ({ tx, identity, input }) => apComplex(tx, await asked(tx, identity.actor, input.gwid)),
    clientNum: async ({ tx, identity, input }) =>
      trend(tx, await asked(tx, identity.actor, input.gwid), Number(input.day)),
    flowModel: async ({ tx, identity, input }) =>
      flowModel(tx, await asked(tx, identity.actor, input.gwid), periodOf(input.day)),
    userModel: async ({ tx, identity, input }) =>
      userModel(tx, await asked(tx, identity.actor, input.gwid), periodOf(input.day)),

    async activeDetails({ tx, identity: { actor } }) {
      const { below, unknown } = await routersByStorage(tx, actor.accountId, noticeBelow);
      return {
        as_of: clock.now().toISOString(),
        is_hidden: await isHidden(tx, actor.accountId, actor.userId),
        lt_32g_router_num: below,
        unknown_router_num: unknown,
      };
    },
    async hiddenStarDialog({ tx, identity: { actor } }) {
      await hide(tx, actor.accountId, actor.userId, clock.now());
      return {};
    },
  });
}
