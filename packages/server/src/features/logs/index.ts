import type { Database } from '../../platform/database/index.ts';
import type { Route } from '../../platform/http/call.ts';
import type { Downloads } from '../../platform/http/download.ts';
import type { Calls } from '../../platform/http/invoke.ts';
import { logRoutes, type TimeZoneOf } from './routes.ts';
import { createLogSearch, type NetworkNames } from './search.ts';
import { knownOperations } from './store.ts';

export { type Operation, record, recordSignIn } from './audit.ts';
export { recordBoth } from './both-sides.ts';

export interface LogsDeps {
  database: Database;
  downloads: Downloads;
  networkNames: NetworkNames;
  timeZoneOf: TimeZoneOf;
}

export function createLogs(deps: LogsDeps) {
  return {
    routes: (calls: Calls): Route[] => logRoutes({ ...deps, calls }),
    objects: { operation: knownOperations },
    search: createLogSearch(deps),
  };
}
