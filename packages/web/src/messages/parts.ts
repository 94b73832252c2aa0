import type { Language } from '../app/language.ts';
import type { account } from './zh-cn/account.ts';
import type { actions } from './zh-cn/actions.ts';
import type { alarmBrowsers } from './zh-cn/alarm-browsers.ts';
import type { alarmNotices } from './zh-cn/alarm-notices.ts';
import type { alarms } from './zh-cn/alarms.ts';
import type { assets } from './zh-cn/assets.ts';
import type { backup } from './zh-cn/backup.ts';
import type { billing } from './zh-cn/billing.ts';
import type { clearing } from './zh-cn/clearing.ts';
import type { explain } from './zh-cn/explain.ts';
import type { firmware } from './zh-cn/firmware.ts';
import type { fleet } from './zh-cn/fleet.ts';
import type { fleetTools } from './zh-cn/fleet-tools.ts';
import type { flow } from './zh-cn/flow.ts';
import type { gateway } from './zh-cn/gateway.ts';
import type { goods } from './zh-cn/goods.ts';
import type { imports } from './zh-cn/imports.ts';
import type { inbox } from './zh-cn/inbox.ts';
import type { inside } from './zh-cn/inside.ts';
import type { installation } from './zh-cn/installation.ts';
import type { invoices } from './zh-cn/invoices.ts';
import type { jobDrawer } from './zh-cn/job-drawer.ts';
import type { map } from './zh-cn/map.ts';
import type { networkSettings } from './zh-cn/network-settings.ts';
import type { networkTimeline } from './zh-cn/network-timeline.ts';
import type { onboarding } from './zh-cn/onboarding.ts';
import type { outages } from './zh-cn/outages.ts';
import type { outside } from './zh-cn/outside.ts';
import type { passwords } from './zh-cn/passwords.ts';
import type { peripherals } from './zh-cn/peripherals.ts';
import type { personal } from './zh-cn/personal.ts';
import type { planned } from './zh-cn/planned.ts';
import type { plugins } from './zh-cn/plugins.ts';
import type { portal } from './zh-cn/portal.ts';
import type { portalCheck } from './zh-cn/portal-check.ts';
import type { portalTemplates } from './zh-cn/portal-templates.ts';
import type { radioPlan } from './zh-cn/radio-plan.ts';
import type { radius } from './zh-cn/radius.ts';
import type { reception } from './zh-cn/reception.ts';
import type { remote } from './zh-cn/remote.ts';
import type { reports } from './zh-cn/reports.ts';
import type { sdwan } from './zh-cn/sdwan.ts';
import type { search } from './zh-cn/search.ts';
import type { shield } from './zh-cn/shield.ts';
import type { siteSilence } from './zh-cn/site-silence.ts';
import type { sms } from './zh-cn/sms.ts';
import type { statistics } from './zh-cn/statistics.ts';
import type { switches } from './zh-cn/switches.ts';
import type { templates } from './zh-cn/templates.ts';
import type { topology } from './zh-cn/topology.ts';
import type { trouble } from './zh-cn/trouble.ts';
import type { users } from './zh-cn/users.ts';
import type { wireless } from './zh-cn/wireless.ts';
import type { wirelessMonitor } from './zh-cn/wireless-monitor.ts';
import type { withdrawals } from './zh-cn/withdrawals.ts';
import type { messages } from './zh-cn.ts';

/** All keys of the Chinese catalogue; every other language must have the same. */
export type Messages = typeof messages &
  typeof account &
  typeof actions &
  typeof alarmBrowsers &
  typeof alarmNotices &
  typeof alarms &
  typeof backup &
  typeof assets &
  typeof billing &
  typeof clearing &
  typeof goods &
  typeof explain &
  typeof firmware &
  typeof fleet &
  typeof fleetTools &
  typeof flow &
  typeof jobDrawer &
  typeof radioPlan &
  typeof gateway &
  typeof imports &
  typeof inbox &
  typeof inside &
  typeof installation &
  typeof map &
  typeof networkSettings &
  typeof networkTimeline &
  typeof onboarding &
  typeof outages &
  typeof outside &
  typeof passwords &
  typeof plugins &
  typeof portal &
  typeof portalCheck &
  typeof peripherals &
  typeof radius &
  typeof personal &
  typeof planned &
  typeof portalTemplates &
  typeof reception &
  typeof remote &
  typeof reports &
  typeof sdwan &
  typeof shield &
  typeof siteSilence &
  typeof sms &
  typeof search &
  typeof statistics &
  typeof switches &
  typeof templates &
  typeof topology &
  typeof trouble &
  typeof invoices &
  typeof withdrawals &
  typeof users &
  typeof wireless &
  typeof wirelessMonitor;

export const parts = {
  account: {
    'zh-CN': async () => (await import('./zh-cn/account.ts')).account,
    en: async () => (await import('./en/account.ts')).account,
  },
  actions: {
    'zh-CN': async () => (await import('./zh-cn/actions.ts')).actions,
    en: async () => (await import('./en/actions.ts')).actions,
  },
  alarmBrowsers: {
    'zh-CN': async () => (await import('./zh-cn/alarm-browsers.ts')).alarmBrowsers,
    en: async () => (await import('./en/alarm-browsers.ts')).alarmBrowsers,
  },
  alarmNotices: {
    'zh-CN': async () => (await import('./zh-cn/alarm-notices.ts')).alarmNotices,
    en: async () => (await import('./en/alarm-notices.ts')).alarmNotices,
  },
  alarms: {
    'zh-CN': async () => (await import('./zh-cn/alarms.ts')).alarms,
    en: async () => (await import('./en/alarms.ts')).alarms,
  },
  backup: {
    'zh-CN': async () => (await import('./zh-cn/backup.ts')).backup,
    en: async () => (await import('./en/backup.ts')).backup,
  },
  assets: {
    'zh-CN': async () => (await import('./zh-cn/assets.ts')).assets,
    en: async () => (await import('./en/assets.ts')).assets,
  },
  billing: {
    'zh-CN': async () => (await import('./zh-cn/billing.ts')).billing,
    en: async () => (await import('./en/billing.ts')).billing,
  },
  clearing: {
    'zh-CN': async () => (await import('./zh-cn/clearing.ts')).clearing,
    en: async () => (await import('./en/clearing.ts')).clearing,
  },
  goods: {
    'zh-CN': async () => (await import('./zh-cn/goods.ts')).goods,
    en: async () => (await import('./en/goods.ts')).goods,
  },
  explain: {
    'zh-CN': async () => (await import('./zh-cn/explain.ts')).explain,
    en: async () => (await import('./en/explain.ts')).explain,
  },
  firmware: {
    'zh-CN': async () => (await import('./zh-cn/firmware.ts')).firmware,
    en: async () => (await import('./en/firmware.ts')).firmware,
  },
  fleet: {
    'zh-CN': async () => (await import('./zh-cn/fleet.ts')).fleet,
    en: async () => (await import('./en/fleet.ts')).fleet,
  },
  jobDrawer: {
    'zh-CN': async () => (await import('./zh-cn/job-drawer.ts')).jobDrawer,
    en: async () => (await import('./en/job-drawer.ts')).jobDrawer,
  },
  radioPlan: {
    'zh-CN': async () => (await import('./zh-cn/radio-plan.ts')).radioPlan,
    en: async () => (await import('./en/radio-plan.ts')).radioPlan,
  },
  fleetTools: {
    'zh-CN': async () => (await import('./zh-cn/fleet-tools.ts')).fleetTools,
    en: async () => (await import('./en/fleet-tools.ts')).fleetTools,
  },
  gateway: {
    'zh-CN': async () => (await import('./zh-cn/gateway.ts')).gateway,
    en: async () => (await import('./en/gateway.ts')).gateway,
  },
  imports: {
    'zh-CN': async () => (await import('./zh-cn/imports.ts')).imports,
    en: async () => (await import('./en/imports.ts')).imports,
  },
  inbox: {
    'zh-CN': async () => (await import('./zh-cn/inbox.ts')).inbox,
    en: async () => (await import('./en/inbox.ts')).inbox,
  },
  inside: {
    'zh-CN': async () => (await import('./zh-cn/inside.ts')).inside,
    en: async () => (await import('./en/inside.ts')).inside,
  },
  installation: {
    'zh-CN': async () => (await import('./zh-cn/installation.ts')).installation,
    en: async () => (await import('./en/installation.ts')).installation,
  },
  map: {
    'zh-CN': async () => (await import('./zh-cn/map.ts')).map,
    en: async () => (await import('./en/map.ts')).map,
  },
  networkSettings: {
    'zh-CN': async () => (await import('./zh-cn/network-settings.ts')).networkSettings,
    en: async () => (await import('./en/network-settings.ts')).networkSettings,
  },
  siteSilence: {
    'zh-CN': async () => (await import('./zh-cn/site-silence.ts')).siteSilence,
    en: async () => (await import('./en/site-silence.ts')).siteSilence,
  },
  networkTimeline: {
    'zh-CN': async () => (await import('./zh-cn/network-timeline.ts')).networkTimeline,
    en: async () => (await import('./en/network-timeline.ts')).networkTimeline,
  },
  onboarding: {
    'zh-CN': async () => (await import('./zh-cn/onboarding.ts')).onboarding,
    en: async () => (await import('./en/onboarding.ts')).onboarding,
  },
  outages: {
    'zh-CN': async () => (await import('./zh-cn/outages.ts')).outages,
    en: async () => (await import('./en/outages.ts')).outages,
  },
  outside: {
    'zh-CN': async () => (await import('./zh-cn/outside.ts')).outside,
    en: async () => (await import('./en/outside.ts')).outside,
  },
  portal: {
    'zh-CN': async () => (await import('./zh-cn/portal.ts')).portal,
    en: async () => (await import('./en/portal.ts')).portal,
  },
  portalCheck: {
    'zh-CN': async () => (await import('./zh-cn/portal-check.ts')).portalCheck,
    en: async () => (await import('./en/portal-check.ts')).portalCheck,
  },
  plugins: {
    'zh-CN': async () => (await import('./zh-cn/plugins.ts')).plugins,
    en: async () => (await import('./en/plugins.ts')).plugins,
  },
  peripherals: {
    'zh-CN': async () => (await import('./zh-cn/peripherals.ts')).peripherals,
    en: async () => (await import('./en/peripherals.ts')).peripherals,
  },
  invoices: {
    'zh-CN': async () => (await import('./zh-cn/invoices.ts')).invoices,
    en: async () => (await import('./en/invoices.ts')).invoices,
  },
  withdrawals: {
    'zh-CN': async () => (await import('./zh-cn/withdrawals.ts')).withdrawals,
    en: async () => (await import('./en/withdrawals.ts')).withdrawals,
  },
  radius: {
    'zh-CN': async () => (await import('./zh-cn/radius.ts')).radius,
    en: async () => (await import('./en/radius.ts')).radius,
  },
  passwords: {
    'zh-CN': async () => (await import('./zh-cn/passwords.ts')).passwords,
    en: async () => (await import('./en/passwords.ts')).passwords,
  },
  personal: {
    'zh-CN': async () => (await import('./zh-cn/personal.ts')).personal,
    en: async () => (await import('./en/personal.ts')).personal,
  },
  planned: {
    'zh-CN': async () => (await import('./zh-cn/planned.ts')).planned,
    en: async () => (await import('./en/planned.ts')).planned,
  },
  portalTemplates: {
    'zh-CN': async () => (await import('./zh-cn/portal-templates.ts')).portalTemplates,
    en: async () => (await import('./en/portal-templates.ts')).portalTemplates,
  },
  shield: {
    'zh-CN': async () => (await import('./zh-cn/shield.ts')).shield,
    en: async () => (await import('./en/shield.ts')).shield,
  },
  reception: {
    'zh-CN': async () => (await import('./zh-cn/reception.ts')).reception,
    en: async () => (await import('./en/reception.ts')).reception,
  },
  remote: {
    'zh-CN': async () => (await import('./zh-cn/remote.ts')).remote,
    en: async () => (await import('./en/remote.ts')).remote,
  },
  reports: {
    'zh-CN': async () => (await import('./zh-cn/reports.ts')).reports,
    en: async () => (await import('./en/reports.ts')).reports,
  },
  sdwan: {
    'zh-CN': async () => (await import('./zh-cn/sdwan.ts')).sdwan,
    en: async () => (await import('./en/sdwan.ts')).sdwan,
  },
  sms: {
    'zh-CN': async () => (await import('./zh-cn/sms.ts')).sms,
    en: async () => (await import('./en/sms.ts')).sms,
  },
  search: {
    'zh-CN': async () => (await import('./zh-cn/search.ts')).search,
    en: async () => (await import('./en/search.ts')).search,
  },
  statistics: {
    'zh-CN': async () => (await import('./zh-cn/statistics.ts')).statistics,
    en: async () => (await import('./en/statistics.ts')).statistics,
  },
  switches: {
    'zh-CN': async () => (await import('./zh-cn/switches.ts')).switches,
    en: async () => (await import('./en/switches.ts')).switches,
  },
  templates: {
    'zh-CN': async () => (await import('./zh-cn/templates.ts')).templates,
    en: async () => (await import('./en/templates.ts')).templates,
  },
  topology: {
    'zh-CN': async () => (await import('./zh-cn/topology.ts')).topology,
    en: async () => (await import('./en/topology.ts')).topology,
  },
  trouble: {
    'zh-CN': async () => (await import('./zh-cn/trouble.ts')).trouble,
    en: async () => (await import('./en/trouble.ts')).trouble,
  },
  users: {
    'zh-CN': async () => (await import('./zh-cn/users.ts')).users,
    en: async () => (await import('./en/users.ts')).users,
  },
  wireless: {
    'zh-CN': async () => (await import('./zh-cn/wireless.ts')).wireless,
    en: async () => (await import('./en/wireless.ts')).wireless,
  },
  flow: {
    'zh-CN': async () => (await import('./zh-cn/flow.ts')).flow,
    en: async () => (await import('./en/flow.ts')).flow,
  },
  wirelessMonitor: {
    'zh-CN': async () => (await import('./zh-cn/wireless-monitor.ts')).wirelessMonitor,
    en: async () => (await import('./en/wireless-monitor.ts')).wirelessMonitor,
  },
} as const satisfies Record<string, Record<Language, () => Promise<Readonly<Record<string, string>>>>>;

export type Part = keyof typeof parts;
