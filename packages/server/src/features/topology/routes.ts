import { topology as contract } from '@yunxun/contract';
import type { Clock } from '../../platform/clock.ts';
import { implement, type Route } from '../../platform/http/call.ts';
import { topologyOf } from './service.ts';

export function topologyRoutes({ clock }: { clock: Clock }): Route[] {
  return implement(contract, {
    get: ({ tx, acting, input }) => topologyOf(tx, acting.accountId, input.gwid, clock.now()),
  });
}
