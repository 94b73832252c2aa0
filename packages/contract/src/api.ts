import * as configuration from './configuration.ts';
import * as fleet from './fleet.ts';
import * as identity from './identity.ts';
import * as jobs from './jobs.ts';
import * as logs from './logs.ts';
import * as uplink from './uplink.ts';

/** Every endpoint, by feature: routes, OpenAPI, the typed client and the isolation and audit tests are made from this. */
export const api = { configuration, fleet, identity, jobs, logs, uplink } as const;
export type Api = typeof api;
