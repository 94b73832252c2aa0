import { type Actor, flow as contract, networksOf } from '@yunxun/contract';
import type { Clock } from '../../platform/clock.ts';
import { implement, type Route } from '../../platform/http/call.ts';
import { type Asked, series, sources, top } from './service.ts';

export function flowRoutes({ clock }: { clock: Clock }): Route[] {
  const asked = (actor: Actor, gwid: string | undefined): Asked => ({
    accountId: actor.accountId,
    gwids: gwid ? [gwid] : networksOf(actor),
    now: clock.now(),
  });

  return implement(contract, {
    flowSeries: ({ tx, identity, input }) => series(tx, asked(identity.actor, input.gwid), input),
    flowTop: ({ tx, identity, input }) => top(tx, asked(identity.actor, input.gwid), input),
    flowSources: ({ tx, identity, input }) => sources(tx, asked(identity.actor, input.gwid)),
  });
}
