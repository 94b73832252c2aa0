// Both catalogues whole, for tests: the console itself loads them by part.
import { account as accountEn } from './en/account.ts';
import { actions as actionsEn } from './en/actions.ts';
import { assets as assetsEn } from './en/assets.ts';
import { backup as backupEn } from './en/backup.ts';
import { billing as billingEn } from './en/billing.ts';
import { explain as explainEn } from './en/explain.ts';
import { firmware as firmwareEn } from './en/firmware.ts';
import { fleet as fleetEn } from './en/fleet.ts';
import { fleetTools as fleetToolsEn } from './en/fleet-tools.ts';
import { gateway as gatewayEn } from './en/gateway.ts';
import { imports as importsEn } from './en/imports.ts';
import { inbox as inboxEn } from './en/inbox.ts';
import { inside as insideEn } from './en/inside.ts';
import { installation as installationEn } from './en/installation.ts';
import { jobDrawer as jobDrawerEn } from './en/job-drawer.ts';
import { map as mapEn } from './en/map.ts';
import { onboarding as onboardingEn } from './en/onboarding.ts';
import { outside as outsideEn } from './en/outside.ts';
import { passwords as passwordsEn } from './en/passwords.ts';
import { personal as personalEn } from './en/personal.ts';
import { planned as plannedEn } from './en/planned.ts';
import { radioPlan as radioPlanEn } from './en/radio-plan.ts';
import { statistics as statisticsEn } from './en/statistics.ts';
import { templates as templatesEn } from './en/templates.ts';
import { topology as topologyEn } from './en/topology.ts';
import { users as usersEn } from './en/users.ts';
import { wireless as wirelessEn } from './en/wireless.ts';
import { wirelessMonitor as wirelessMonitorEn } from './en/wireless-monitor.ts';
import { messages as coreEn } from './en.ts';
import type { Messages } from './parts.ts';
import { account as accountZh } from './zh-cn/account.ts';
import { actions as actionsZh } from './zh-cn/actions.ts';
import { assets as assetsZh } from './zh-cn/assets.ts';
import { backup as backupZh } from './zh-cn/backup.ts';
import { billing as billingZh } from './zh-cn/billing.ts';
import { explain as explainZh } from './zh-cn/explain.ts';
import { firmware as firmwareZh } from './zh-cn/firmware.ts';
import { fleet as fleetZh } from './zh-cn/fleet.ts';
import { fleetTools as fleetToolsZh } from './zh-cn/fleet-tools.ts';
import { gateway as gatewayZh } from './zh-cn/gateway.ts';
import { imports as importsZh } from './zh-cn/imports.ts';
import { inbox as inboxZh } from './zh-cn/inbox.ts';
import { inside as insideZh } from './zh-cn/inside.ts';
import { installation as installationZh } from './zh-cn/installation.ts';
import { jobDrawer as jobDrawerZh } from './zh-cn/job-drawer.ts';
import { map as mapZh } from './zh-cn/map.ts';
import { onboarding as onboardingZh } from './zh-cn/onboarding.ts';
import { outside as outsideZh } from './zh-cn/outside.ts';
import { passwords as passwordsZh } from './zh-cn/passwords.ts';
import { personal as personalZh } from './zh-cn/personal.ts';
import { planned as plannedZh } from './zh-cn/planned.ts';
import { radioPlan as radioPlanZh } from './zh-cn/radio-plan.ts';
import { statistics as statisticsZh } from './zh-cn/statistics.ts';
import { templates as templatesZh } from './zh-cn/templates.ts';
import { topology as topologyZh } from './zh-cn/topology.ts';
import { users as usersZh } from './zh-cn/users.ts';
import { wireless as wirelessZh } from './zh-cn/wireless.ts';
import { wirelessMonitor as wirelessMonitorZh } from './zh-cn/wireless-monitor.ts';
import { messages as coreZh } from './zh-cn.ts';

/** The whole Chinese catalogue. */
export const zh: Record<keyof Messages, string> = {
  ...coreZh,
  ...accountZh,
  ...actionsZh,
  ...backupZh,
  ...assetsZh,
  ...billingZh,
  ...explainZh,
  ...firmwareZh,
  ...fleetZh,
  ...fleetToolsZh,
  ...jobDrawerZh,
  ...radioPlanZh,
  ...gatewayZh,
  ...importsZh,
  ...inboxZh,
  ...insideZh,
  ...installationZh,
  ...mapZh,
  ...onboardingZh,
  ...outsideZh,
  ...passwordsZh,
  ...personalZh,
  ...plannedZh,
  ...statisticsZh,
  ...templatesZh,
  ...topologyZh,
  ...usersZh,
  ...wirelessZh,
  ...wirelessMonitorZh,
};
/** The whole English catalogue. */
export const en: Record<keyof Messages, string> = {
  ...coreEn,
  ...accountEn,
  ...actionsEn,
  ...backupEn,
  ...assetsEn,
  ...billingEn,
  ...explainEn,
  ...firmwareEn,
  ...fleetEn,
  ...fleetToolsEn,
  ...jobDrawerEn,
  ...radioPlanEn,
  ...gatewayEn,
  ...importsEn,
  ...inboxEn,
  ...insideEn,
  ...installationEn,
  ...mapEn,
  ...onboardingEn,
  ...outsideEn,
  ...passwordsEn,
  ...personalEn,
  ...plannedEn,
  ...statisticsEn,
  ...templatesEn,
  ...topologyEn,
  ...usersEn,
  ...wirelessEn,
  ...wirelessMonitorEn,
};
