import { type Actor, wirelessMonitor as contract, networksOf } from '@yunxun/contract';
import type { Clock } from '../../platform/clock.ts';
import { implement, type Route } from '../../platform/http/call.ts';
import { type Asked, lines, score, summary, worst } from './service.ts';

export function wirelessMonitorRoutes({ clock }: { clock: Clock }): Route[] {
  const asked = (actor: Actor, gwid: string | undefined): Asked => ({
    accountId: actor.accountId,
    gwids: gwid ? [gwid] : networksOf(actor),
    now: clock.now(),
  });

  return implement(contract, {
    wirelessSummary: ({ tx, identity, input }) => summary(tx, asked(identity.actor, input.gwid)),
    wirelessScore: ({ tx, identity, input }) => score(tx, asked(identity.actor, input.gwid)),
    wirelessSeries: ({ tx, identity, input }) => lines(tx, asked(identity.actor, input.gwid), input.step ?? '5m'),
    wirelessWorst: ({ tx, identity, input }) => worst(tx, asked(identity.actor, input.gwid)),
  });
}
