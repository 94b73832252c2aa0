import * as account from './account.ts';
import * as assets from './assets.ts';
import * as backup from './backup.ts';
import * as billing from './billing.ts';
import * as configuration from './configuration.ts';
import * as firmware from './firmware.ts';
import * as fleet from './fleet.ts';
import * as fleetAir from './fleet-air.ts';
import * as fleetBatch from './fleet-batch.ts';
import * as fleetTools from './fleet-tools.ts';
import * as gateway from './gateway.ts';
import * as groupSettings from './group-settings.ts';
import * as identity from './identity.ts';
import * as imports from './imports.ts';
import * as installation from './installation.ts';
import * as jobs from './jobs.ts';
import * as logs from './logs.ts';
import * as map from './map.ts';
import * as messages from './messages.ts';
import * as passwords from './passwords.ts';
import * as profile from './personal.ts';
import * as security from './personal-security.ts';
import * as radioPlan from './radio-plan.ts';
import * as statistics from './statistics.ts';
import * as templatePush from './template-push.ts';
import * as templates from './templates.ts';
import * as topology from './topology.ts';
import * as uplink from './uplink.ts';
import * as users from './users.ts';
import * as wirelessMonitor from './wireless-monitor.ts';

const personal = { ...profile, ...security } as const;

/** Every endpoint, by feature: routes, OpenAPI, the typed client and the isolation and audit tests are made from this. */
export const api = {
  account,
  assets,
  backup,
  billing,
  configuration,
  firmware,
  fleet,
  fleetAir,
  fleetBatch,
  fleetTools,
  gateway,
  groupSettings,
  identity,
  imports,
  installation,
  jobs,
  logs,
  map,
  messages,
  passwords,
  personal,
  radioPlan,
  statistics,
  templatePush,
  templates,
  topology,
  uplink,
  users,
  wirelessMonitor,
} as const;
export type Api = typeof api;
