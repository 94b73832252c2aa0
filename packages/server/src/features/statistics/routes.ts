import { type Actor, statistics as contract, networksOf } from '@yunxun/contract';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/database/index.ts';
import { implement, type Route } from '../../platform/http/call.ts';
import { fleetGateways } from '../fleet/index.ts';
import { type HomeRoutesDeps, homeRoutes } from './home-routes.ts';
import { flowModel, type Period, userModel } from './models.ts';
import { hide, isHidden } from './notice-store.ts';
import { apComplex, complex, trend } from './overview.ts';
import { ask } from './scope.ts';

/** Bytes: 32 GB, decimal. */
const noticeBelow = 32e9;

const periodOf = (day: 30 | '30' | 'history'): Period => (day === 'history' ? 'history' : 'month');

export function statisticsRoutes(deps: HomeRoutesDeps): Route[] {
  return [...countRoutes(deps.clock), ...homeRoutes(deps)];
}

function countRoutes(clock: Clock): Route[] {
  const asked = (tx: Tx, actor: Actor, gwid: string | undefined) =>
    ask(tx, actor.accountId, gwid ? [gwid] : networksOf(actor), clock.now());

  return implement(contract, {
    complex: async ({ tx, identity, input, caller }) =>
      complex(tx, identity.actor, await asked(tx, identity.actor, input.gwid), caller.locale),
    apComplex: async ({ tx, identity, input }) => apComplex(tx, await asked(tx, identity.actor, input.gwid)),
    clientNum: async ({ tx, identity, input }) =>
      trend(tx, await asked(tx, identity.actor, input.gwid), Number(input.day)),
    flowModel: async ({ tx, identity, input }) =>
      flowModel(tx, await asked(tx, identity.actor, input.gwid), periodOf(input.day)),
    userModel: async ({ tx, identity, input }) =>
      userModel(tx, await asked(tx, identity.actor, input.gwid), periodOf(input.day)),

    async activeDetails({ tx, identity: { actor } }) {
      const { below, unknown } = await fleetGateways.routersByStorage(tx, actor.accountId, noticeBelow);
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
