import type { Log } from '../../platform/log.ts';
import { createClosing } from './daily-close.ts';
import type { HomeRoutesDeps } from './home-routes.ts';
import { statisticsRoutes } from './routes.ts';

export { createClosing } from './daily-close.ts';
export { knownDays } from './known-days.ts';
export { troublesBetween } from './night.ts';

export function createStatistics(deps: HomeRoutesDeps & { log: Log }) {
  return {
    routes: () => statisticsRoutes(deps),
    tasks: { 'statistics-close': createClosing(deps) },
    schedules: [{ task: 'statistics-close', cron: '37 * * * *' }],
  };
}
