import { allows, networkTimeline as contract } from '@yunxun/contract';
import type { Clock } from '../../platform/clock.ts';
import { implement, type Route } from '../../platform/http/call.ts';
import { linesOf } from './lines.ts';
import { marksOf } from './marks.ts';

export function networkTimelineRoutes({ clock }: { clock: Clock }): Route[] {
  return implement(contract, {
    async networkTimeline({ tx, identity: { actor }, caller, input: { gwid, hours } }) {
      const now = clock.now();
      const lines = await linesOf(tx, actor.accountId, { gwid, hours, now });
      const marks = await marksOf(tx, actor.accountId, {
        gwid,
        now,
        from: new Date(lines.from),
        jobs: allows(actor, 'job.read'),
        log: allows(actor, 'log.read'),
        alarms: allows(actor, 'message.read'),
        locale: caller.locale,
      });
      return { as_of: now.toISOString(), ...lines, ...marks };
    },
  });
}
