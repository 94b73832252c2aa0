import { fleetAir as contract } from '@yunxun/contract';
import type { Clock } from '../../platform/clock.ts';
import { pageOf } from '../../platform/database/paging.ts';
import { implement, type Route } from '../../platform/http/call.ts';
import { apSeries } from './ap-series.ts';
import { listEvents } from './events/event-store.ts';

export function airRoutes({ clock }: { clock: Clock }): Route[] {
  return implement(contract, {
    apSeries: ({ tx, acting, input }) => apSeries(tx, acting.accountId, clock.now(), input.serial),
    async deviceEvents({ tx, acting, input }) {
      const { list, total } = await listEvents(tx, acting.accountId, input, pageOf(input));
      return { list: list.map((event) => ({ ...event, at: event.at.toISOString() })), total };
    },
  });
}
