import { fleetOutages as contract } from '@yunxun/contract';
import type { Clock } from '../../../platform/clock.ts';
import { invalid } from '../../../platform/failure.ts';
import { implement, type Route } from '../../../platform/http/call.ts';
import { availability } from './availability.ts';
import { listOutages } from './outage-list.ts';

export function outageRoutes({ clock }: { clock: Clock }): Route[] {
  return implement(contract, {
    outageList: ({ tx, acting, input }) => listOutages(tx, acting.accountId, clock.now(), input),
    outageAvailability({ tx, acting, input: { serial, gwid } }) {
      if (serial) return availability(tx, acting.accountId, clock.now(), { serial });
      if (gwid) return availability(tx, acting.accountId, clock.now(), { gwid });
      return invalid('gwid', 'validation.required');
    },
  });
}
