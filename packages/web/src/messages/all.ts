import { account as accountEn } from './en/account.ts';
import { actions as actionsEn } from './en/actions.ts';
import { alarmBrowsers as alarmBrowsersEn } from './en/alarm-browsers.ts';
import { alarmNotices as alarmNoticesEn } from './en/alarm-notices.ts';
import { alarms as alarmsEn } from './en/alarms.ts';
import { assets as assetsEn } from './en/assets.ts';
import { backup as backupEn } from './en/backup.ts';
import { billing as billingEn } from './en/billing.ts';
import { clearing as clearingEn } from './en/clearing.ts';
import { explain as explainEn } from './en/explain.ts';
import { firmware as firmwareEn } from './en/firmware.ts';
import { fleet as fleetEn } from './en/fleet.ts';
import { fleetTools as fleetToolsEn } from './en/fleet-tools.ts';
import { flow as flowEn } from './en/flow.ts';
import { gateway as gatewayEn } from './en/gateway.ts';
import { goods as goodsEn } from './en/goods.ts';
import { imports as importsEn } from './en/imports.ts';
import { inbox as inboxEn } from './en/inbox.ts';
import { inside as insideEn } from './en/inside.ts';
import { installation as installationEn } from './en/installation.ts';
import { invoices as invoicesEn } from './en/invoices.ts';
import { jobDrawer as jobDrawerEn } from './en/job-drawer.ts';
import { map as mapEn } from './en/map.ts';
import { networkSettings as networkSettingsEn } from './en/network-settings.ts';
import { networkTimeline as networkTimelineEn } from './en/network-timeline.ts';
import { onboarding as onboardingEn } from './en/onboarding.ts';
import { outages as outagesEn } from './en/outages.ts';
import { outside as outsideEn } from './en/outside.ts';
import { passwords as passwordsEn } from './en/passwords.ts';
import { peripherals as peripheralsEn } from './en/peripherals.ts';
import { personal as personalEn } from './en/personal.ts';
import { planned as plannedEn } from './en/planned.ts';
import { plugins as pluginsEn } from './en/plugins.ts';
import { portal as portalEn } from './en/portal.ts';
import { portalCheck as portalCheckEn } from './en/portal-check.ts';
import { portalTemplates as portalTemplatesEn } from './en/portal-templates.ts';
import { radioPlan as radioPlanEn } from './en/radio-plan.ts';
import { radius as radiusEn } from './en/radius.ts';
import { reception as receptionEn } from './en/reception.ts';
import { remote as remoteEn } from './en/remote.ts';
import { reports as reportsEn } from './en/reports.ts';
import { sdwan as sdwanEn } from './en/sdwan.ts';
import { search as searchEn } from './en/search.ts';
import { shield as shieldEn } from './en/shield.ts';
import { siteSilence as siteSilenceEn } from './en/site-silence.ts';
import { sms as smsEn } from './en/sms.ts';
import { statistics as statisticsEn } from './en/statistics.ts';
import { switches as switchesEn } from './en/switches.ts';
import { templates as templatesEn } from './en/templates.ts';
import { topology as topologyEn } from './en/topology.ts';
import { trouble as troubleEn } from './en/trouble.ts';
import { users as usersEn } from './en/users.ts';
import { wireless as wirelessEn } from './en/wireless.ts';
import { wirelessMonitor as wirelessMonitorEn } from './en/wireless-monitor.ts';
import { withdrawals as withdrawalsEn } from './en/withdrawals.ts';
import { messages as coreEn } from './en.ts';
import type { Messages } from './parts.ts';
import { account as accountZh } from './zh-cn/account.ts';
import { actions as actionsZh } from './zh-cn/actions.ts';
import { alarmBrowsers as alarmBrowsersZh } from './zh-cn/alarm-browsers.ts';
import { alarmNotices as alarmNoticesZh } from './zh-cn/alarm-notices.ts';
import { alarms as alarmsZh } from './zh-cn/alarms.ts';
import { assets as assetsZh } from './zh-cn/assets.ts';
import { backup as backupZh } from './zh-cn/backup.ts';
import { billing as billingZh } from './zh-cn/billing.ts';
import { clearing as clearingZh } from './zh-cn/clearing.ts';
import { explain as explainZh } from './zh-cn/explain.ts';
import { firmware as firmwareZh } from './zh-cn/firmware.ts';
import { fleet as fleetZh } from './zh-cn/fleet.ts';
import { fleetTools as fleetToolsZh } from './zh-cn/fleet-tools.ts';
import { flow as flowZh } from './zh-cn/flow.ts';
import { gateway as gatewayZh } from './zh-cn/gateway.ts';
import { goods as goodsZh } from './zh-cn/goods.ts';
import { imports as importsZh } from './zh-cn/imports.ts';
import { inbox as inboxZh } from './zh-cn/inbox.ts';
import { inside as insideZh } from './zh-cn/inside.ts';
import { installation as installationZh } from './zh-cn/installation.ts';
import { invoices as invoicesZh } from './zh-cn/invoices.ts';
import { jobDrawer as jobDrawerZh } from './zh-cn/job-drawer.ts';
import { map as mapZh } from './zh-cn/map.ts';
import { networkSettings as networkSettingsZh } from './zh-cn/network-settings.ts';
import { networkTimeline as networkTimelineZh } from './zh-cn/network-timeline.ts';
import { onboarding as onboardingZh } from './zh-cn/onboarding.ts';
import { outages as outagesZh } from './zh-cn/outages.ts';
import { outside as outsideZh } from './zh-cn/outside.ts';
import { passwords as passwordsZh } from './zh-cn/passwords.ts';
import { peripherals as peripheralsZh } from './zh-cn/peripherals.ts';
import { personal as personalZh } from './zh-cn/personal.ts';
import { planned as plannedZh } from './zh-cn/planned.ts';
import { plugins as pluginsZh } from './zh-cn/plugins.ts';
import { portal as portalZh } from './zh-cn/portal.ts';
import { portalCheck as portalCheckZh } from './zh-cn/portal-check.ts';
import { portalTemplates as portalTemplatesZh } from './zh-cn/portal-templates.ts';
import { radioPlan as radioPlanZh } from './zh-cn/radio-plan.ts';
import { radius as radiusZh } from './zh-cn/radius.ts';
import { reception as receptionZh } from './zh-cn/reception.ts';
import { remote as remoteZh } from './zh-cn/remote.ts';
import { reports as reportsZh } from './zh-cn/reports.ts';
import { sdwan as sdwanZh } from './zh-cn/sdwan.ts';
import { search as searchZh } from './zh-cn/search.ts';
import { shield as shieldZh } from './zh-cn/shield.ts';
import { siteSilence as siteSilenceZh } from './zh-cn/site-silence.ts';
import { sms as smsZh } from './zh-cn/sms.ts';
import { statistics as statisticsZh } from './zh-cn/statistics.ts';
import { switches as switchesZh } from './zh-cn/switches.ts';
import { templates as templatesZh } from './zh-cn/templates.ts';
import { topology as topologyZh } from './zh-cn/topology.ts';
import { trouble as troubleZh } from './zh-cn/trouble.ts';
import { users as usersZh } from './zh-cn/users.ts';
import { wireless as wirelessZh } from './zh-cn/wireless.ts';
import { wirelessMonitor as wirelessMonitorZh } from './zh-cn/wireless-monitor.ts';
import { withdrawals as withdrawalsZh } from './zh-cn/withdrawals.ts';
import { messages as coreZh } from './zh-cn.ts';

export const zh: Record<keyof Messages, string> = {
  ...coreZh,
  ...accountZh,
  ...actionsZh,
  ...backupZh,
  ...assetsZh,
  ...billingZh,
  ...clearingZh,
  ...goodsZh,
  ...explainZh,
  ...firmwareZh,
  ...fleetZh,
  ...fleetToolsZh,
  ...flowZh,
  ...jobDrawerZh,
  ...radioPlanZh,
  ...gatewayZh,
  ...importsZh,
  ...inboxZh,
  ...insideZh,
  ...installationZh,
  ...mapZh,
  ...networkSettingsZh,
  ...networkTimelineZh,
  ...onboardingZh,
  ...outagesZh,
  ...alarmBrowsersZh,
  ...alarmNoticesZh,
  ...alarmsZh,
  ...outsideZh,
  ...passwordsZh,
  ...pluginsZh,
  ...portalZh,
  ...portalCheckZh,
  ...peripheralsZh,
  ...invoicesZh,
  ...withdrawalsZh,
  ...radiusZh,
  ...personalZh,
  ...plannedZh,
  ...portalTemplatesZh,
  ...receptionZh,
  ...remoteZh,
  ...reportsZh,
  ...sdwanZh,
  ...shieldZh,
  ...siteSilenceZh,
  ...smsZh,
  ...searchZh,
  ...statisticsZh,
  ...switchesZh,
  ...templatesZh,
  ...topologyZh,
  ...troubleZh,
  ...usersZh,
  ...wirelessZh,
  ...wirelessMonitorZh,
};
export const en: Record<keyof Messages, string> = {
  ...coreEn,
  ...accountEn,
  ...actionsEn,
  ...backupEn,
  ...assetsEn,
  ...billingEn,
  ...clearingEn,
  ...goodsEn,
  ...explainEn,
  ...firmwareEn,
  ...fleetEn,
  ...fleetToolsEn,
  ...flowEn,
  ...jobDrawerEn,
  ...radioPlanEn,
  ...gatewayEn,
  ...importsEn,
  ...inboxEn,
  ...insideEn,
  ...installationEn,
  ...mapEn,
  ...networkSettingsEn,
  ...networkTimelineEn,
  ...onboardingEn,
  ...outagesEn,
  ...alarmBrowsersEn,
  ...alarmNoticesEn,
  ...alarmsEn,
  ...outsideEn,
  ...passwordsEn,
  ...pluginsEn,
  ...portalEn,
  ...portalCheckEn,
  ...peripheralsEn,
  ...invoicesEn,
  ...withdrawalsEn,
  ...radiusEn,
  ...personalEn,
  ...plannedEn,
  ...portalTemplatesEn,
  ...receptionEn,
  ...remoteEn,
  ...reportsEn,
  ...sdwanEn,
  ...shieldEn,
  ...siteSilenceEn,
  ...smsEn,
  ...searchEn,
  ...statisticsEn,
  ...switchesEn,
  ...templatesEn,
  ...topologyEn,
  ...troubleEn,
  ...usersEn,
  ...wirelessEn,
  ...wirelessMonitorEn,
};
