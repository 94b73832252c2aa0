import * as account from './account.ts';
import * as accountCoupons from './account-coupons.ts';
import * as accountRoles from './account-roles.ts';
import * as alarmBacktest from './alarm-backtest.ts';
import * as alarmBrowsers from './alarm-browsers.ts';
import * as alarmNotices from './alarm-notices.ts';
import * as alarmRules from './alarm-rules.ts';
import * as alarmSilences from './alarm-silences.ts';
import * as alarms from './alarms.ts';
import * as assets from './assets.ts';
import * as backup from './backup.ts';
import * as billing from './billing.ts';
import * as billingBooks from './billing-books.ts';
import * as billingClearing from './billing-clearing.ts';
import * as billingCoupons from './billing-coupons.ts';
import * as billingDecisions from './billing-decisions.ts';
import * as billingDeferred from './billing-deferred.ts';
import * as billingExports from './billing-exports.ts';
import * as billingFapiao from './billing-fapiao.ts';
import * as billingGoods from './billing-goods.ts';
import * as billingIncome from './billing-income.ts';
import * as billingOrders from './billing-orders.ts';
import * as billingRefunds from './billing-refunds.ts';
import * as billingShares from './billing-shares.ts';
import * as binding from './binding.ts';
import * as configuration from './configuration.ts';
import * as firmware from './firmware.ts';
import * as fleet from './fleet.ts';
import * as fleetAir from './fleet-air.ts';
import * as fleetBatch from './fleet-batch.ts';
import * as fleetConfirm from './fleet-confirm.ts';
import * as fleetMaintenance from './fleet-maintenance.ts';
import * as fleetOutages from './fleet-outages.ts';
import * as fleetRestarts from './fleet-restarts.ts';
import * as fleetTools from './fleet-tools.ts';
import * as fleetViews from './fleet-views.ts';
import * as flow from './flow.ts';
import * as gateway from './gateway.ts';
import * as groupSettings from './group-settings.ts';
import * as home from './home.ts';
import * as homeTop from './home-top.ts';
import * as identity from './identity.ts';
import * as imports from './imports.ts';
import * as installation from './installation.ts';
import * as invoices from './invoices.ts';
import * as jobs from './jobs.ts';
import * as logs from './logs.ts';
import * as map from './map.ts';
import * as messages from './messages.ts';
import * as networkTimeline from './network-timeline.ts';
import * as passwords from './passwords.ts';
import * as payments from './payments.ts';
import * as peripheralImport from './peripheral-import.ts';
import * as peripheralPower from './peripheral-power.ts';
import * as peripheralScan from './peripheral-scan.ts';
import * as peripherals from './peripherals.ts';
import * as profile from './personal.ts';
import * as security from './personal-security.ts';
import * as plugins from './plugins.ts';
import * as portal from './portal.ts';
import * as portalPrivacy from './portal-privacy.ts';
import * as portalReception from './portal-reception.ts';
import * as portalSessions from './portal-sessions.ts';
import * as portalShops from './portal-shops.ts';
import * as portalTemplates from './portal-templates.ts';
import * as radioPlan from './radio-plan.ts';
import * as radius from './radius.ts';
import * as remote from './remote.ts';
import * as remoteCredential from './remote-credential.ts';
import * as remoteLinks from './remote-links.ts';
import * as remoteReplay from './remote-replay.ts';
import * as reports from './reports.ts';
import * as sdwan from './sdwan.ts';
import * as sdwanGroups from './sdwan-groups.ts';
import * as sdwanOrders from './sdwan-orders.ts';
import * as search from './search.ts';
import * as serialTransfers from './serial-transfers.ts';
import * as shield from './shield.ts';
import * as sms from './sms.ts';
import * as statistics from './statistics.ts';
import * as switches from './switches.ts';
import * as templatePush from './template-push.ts';
import * as templates from './templates.ts';
import * as topology from './topology.ts';
import * as transfers from './transfers.ts';
import * as uplink from './uplink.ts';
import * as users from './users.ts';
import * as wirelessMonitor from './wireless-monitor.ts';
import * as withdrawals from './withdrawals.ts';

const personal = { ...profile, ...security } as const;

/** Source of routes, OpenAPI, typed client, isolation and audit tests. */
export const api = {
  account,
  accountCoupons,
  accountRoles,
  alarmBrowsers,
  alarmNotices,
  alarms,
  alarmBacktest,
  alarmRules,
  alarmSilences,
  assets,
  backup,
  billing,
  billingBooks,
  billingClearing,
  billingCoupons,
  billingDecisions,
  billingDeferred,
  billingFapiao,
  billingExports,
  billingGoods,
  billingIncome,
  billingOrders,
  billingRefunds,
  billingShares,
  binding,
  configuration,
  firmware,
  fleet,
  fleetAir,
  fleetConfirm,
  fleetBatch,
  fleetMaintenance,
  fleetOutages,
  fleetRestarts,
  fleetTools,
  fleetViews,
  flow,
  gateway,
  groupSettings,
  home,
  homeTop,
  identity,
  imports,
  installation,
  jobs,
  logs,
  map,
  messages,
  networkTimeline,
  passwords,
  personal,
  portal,
  portalPrivacy,
  portalReception,
  portalSessions,
  portalShops,
  portalTemplates,
  radioPlan,
  radius,
  peripheralImport,
  peripheralPower,
  peripheralScan,
  peripherals,
  plugins,
  remote,
  remoteCredential,
  remoteLinks,
  remoteReplay,
  reports,
  sdwan,
  sdwanGroups,
  sdwanOrders,
  search,
  serialTransfers,
  shield,
  sms,
  statistics,
  switches,
  templatePush,
  templates,
  topology,
  uplink,
  users,
  wirelessMonitor,
  invoices,
  payments,
  transfers,
  withdrawals,
} as const;
export type Api = typeof api;
