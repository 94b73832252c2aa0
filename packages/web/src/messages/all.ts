// Both catalogues whole, for tests: the console itself loads them by part.
import { account as accountEn } from './en/account.ts';
import { billing as billingEn } from './en/billing.ts';
import { explain as explainEn } from './en/explain.ts';
import { fleet as fleetEn } from './en/fleet.ts';
import { gateway as gatewayEn } from './en/gateway.ts';
import { inbox as inboxEn } from './en/inbox.ts';
import { installation as installationEn } from './en/installation.ts';
import { outside as outsideEn } from './en/outside.ts';
import { personal as personalEn } from './en/personal.ts';
import { planned as plannedEn } from './en/planned.ts';
import { statistics as statisticsEn } from './en/statistics.ts';
import { users as usersEn } from './en/users.ts';
import { wirelessMonitor as wirelessMonitorEn } from './en/wireless-monitor.ts';
import { messages as coreEn } from './en.ts';
import type { Messages } from './parts.ts';
import { account as accountZh } from './zh-cn/account.ts';
import { billing as billingZh } from './zh-cn/billing.ts';
import { explain as explainZh } from './zh-cn/explain.ts';
import { fleet as fleetZh } from './zh-cn/fleet.ts';
import { gateway as gatewayZh } from './zh-cn/gateway.ts';
import { inbox as inboxZh } from './zh-cn/inbox.ts';
import { installation as installationZh } from './zh-cn/installation.ts';
import { outside as outsideZh } from './zh-cn/outside.ts';
import { personal as personalZh } from './zh-cn/personal.ts';
import { planned as plannedZh } from './zh-cn/planned.ts';
import { statistics as statisticsZh } from './zh-cn/statistics.ts';
import { users as usersZh } from './zh-cn/users.ts';
import { wirelessMonitor as wirelessMonitorZh } from './zh-cn/wireless-monitor.ts';
import { messages as coreZh } from './zh-cn.ts';

/** The whole Chinese catalogue. */
export const zh: Record<keyof Messages, string> = {
  ...coreZh,
  ...accountZh,
  ...billingZh,
  ...explainZh,
  ...fleetZh,
  ...gatewayZh,
  ...inboxZh,
  ...installationZh,
  ...outsideZh,
  ...personalZh,
  ...plannedZh,
  ...statisticsZh,
  ...usersZh,
  ...wirelessMonitorZh,
};
/** The whole English catalogue. */
export const en: Record<keyof Messages, string> = {
  ...coreEn,
  ...accountEn,
  ...billingEn,
  ...explainEn,
  ...fleetEn,
  ...gatewayEn,
  ...inboxEn,
  ...installationEn,
  ...outsideEn,
  ...personalEn,
  ...plannedEn,
  ...statisticsEn,
  ...usersEn,
  ...wirelessMonitorEn,
};
