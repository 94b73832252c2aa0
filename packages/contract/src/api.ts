import * as account from './account.ts';
import * as billing from './billing.ts';
import * as configuration from './configuration.ts';
import * as fleet from './fleet.ts';
import * as gateway from './gateway.ts';
import * as identity from './identity.ts';
import * as installation from './installation.ts';
import * as jobs from './jobs.ts';
import * as logs from './logs.ts';
import * as messages from './messages.ts';
import * as profile from './personal.ts';
import * as security from './personal-security.ts';
import * as statistics from './statistics.ts';
import * as uplink from './uplink.ts';
import * as users from './users.ts';
import * as wirelessMonitor from './wireless-monitor.ts';

const personal = { ...profile, ...security } as const;

/** Every endpoint, by feature: routes, OpenAPI, the typed client and the isolation and audit tests are made from this. */
export const api = {
  account,
  billing,
  configuration,
  fleet,
  gateway,
  identity,
  installation,
  jobs,
  logs,
  messages,
  personal,
  statistics,
  uplink,
  users,
  wirelessMonitor,
} as const;
export type Api = typeof api;
