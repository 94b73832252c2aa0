import type { Language } from '../app/language.ts';
import type { account } from './zh-cn/account.ts';
import type { actions } from './zh-cn/actions.ts';
import type { assets } from './zh-cn/assets.ts';
import type { backup } from './zh-cn/backup.ts';
import type { billing } from './zh-cn/billing.ts';
import type { explain } from './zh-cn/explain.ts';
import type { firmware } from './zh-cn/firmware.ts';
import type { fleet } from './zh-cn/fleet.ts';
import type { fleetTools } from './zh-cn/fleet-tools.ts';
import type { gateway } from './zh-cn/gateway.ts';
import type { imports } from './zh-cn/imports.ts';
import type { inbox } from './zh-cn/inbox.ts';
import type { inside } from './zh-cn/inside.ts';
import type { installation } from './zh-cn/installation.ts';
import type { jobDrawer } from './zh-cn/job-drawer.ts';
import type { map } from './zh-cn/map.ts';
import type { onboarding } from './zh-cn/onboarding.ts';
import type { outside } from './zh-cn/outside.ts';
import type { passwords } from './zh-cn/passwords.ts';
import type { personal } from './zh-cn/personal.ts';
import type { planned } from './zh-cn/planned.ts';
import type { radioPlan } from './zh-cn/radio-plan.ts';
import type { statistics } from './zh-cn/statistics.ts';
import type { templates } from './zh-cn/templates.ts';
import type { topology } from './zh-cn/topology.ts';
import type { users } from './zh-cn/users.ts';
import type { wireless } from './zh-cn/wireless.ts';
import type { wirelessMonitor } from './zh-cn/wireless-monitor.ts';
import type { messages } from './zh-cn.ts';

/** Every key of the Chinese catalogue: the source of the keys that every other language must hold. */
export type Messages = typeof messages &
  typeof account &
  typeof actions &
  typeof backup &
  typeof assets &
  typeof billing &
  typeof explain &
  typeof firmware &
  typeof fleet &
  typeof fleetTools &
  typeof jobDrawer &
  typeof radioPlan &
  typeof gateway &
  typeof imports &
  typeof inbox &
  typeof inside &
  typeof installation &
  typeof map &
  typeof onboarding &
  typeof outside &
  typeof passwords &
  typeof personal &
  typeof planned &
  typeof statistics &
  typeof templates &
  typeof topology &
  typeof users &
  typeof wireless &
  typeof wirelessMonitor;

/** The catalogues that come with the screens that need them, by part and language. */
export const parts = {
  account: {
    'zh-CN': async () => (await import('./zh-cn/account.ts')).account,
    en: async () => (await import('./en/account.ts')).account,
  },
  actions: {
    'zh-CN': async () => (await import('./zh-cn/actions.ts')).actions,
    en: async () => (await import('./en/actions.ts')).actions,
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
  onboarding: {
    'zh-CN': async () => (await import('./zh-cn/onboarding.ts')).onboarding,
    en: async () => (await import('./en/onboarding.ts')).onboarding,
  },
  outside: {
    'zh-CN': async () => (await import('./zh-cn/outside.ts')).outside,
    en: async () => (await import('./en/outside.ts')).outside,
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
  statistics: {
    'zh-CN': async () => (await import('./zh-cn/statistics.ts')).statistics,
    en: async () => (await import('./en/statistics.ts')).statistics,
  },
  templates: {
    'zh-CN': async () => (await import('./zh-cn/templates.ts')).templates,
    en: async () => (await import('./en/templates.ts')).templates,
  },
  topology: {
    'zh-CN': async () => (await import('./zh-cn/topology.ts')).topology,
    en: async () => (await import('./en/topology.ts')).topology,
  },
  users: {
    'zh-CN': async () => (await import('./zh-cn/users.ts')).users,
    en: async () => (await import('./en/users.ts')).users,
  },
  wireless: {
    'zh-CN': async () => (await import('./zh-cn/wireless.ts')).wireless,
    en: async () => (await import('./en/wireless.ts')).wireless,
  },
  wirelessMonitor: {
    'zh-CN': async () => (await import('./zh-cn/wireless-monitor.ts')).wirelessMonitor,
    en: async () => (await import('./en/wireless-monitor.ts')).wirelessMonitor,
  },
} as const satisfies Record<string, Record<Language, () => Promise<Readonly<Record<string, string>>>>>;

/** A part of the catalogue. */
export type Part = keyof typeof parts;
