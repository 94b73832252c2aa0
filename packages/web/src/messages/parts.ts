import type { Language } from '../app/language.ts';
import type { account } from './zh-cn/account.ts';
import type { billing } from './zh-cn/billing.ts';
import type { explain } from './zh-cn/explain.ts';
import type { fleet } from './zh-cn/fleet.ts';
import type { gateway } from './zh-cn/gateway.ts';
import type { inbox } from './zh-cn/inbox.ts';
import type { installation } from './zh-cn/installation.ts';
import type { outside } from './zh-cn/outside.ts';
import type { personal } from './zh-cn/personal.ts';
import type { planned } from './zh-cn/planned.ts';
import type { statistics } from './zh-cn/statistics.ts';
import type { users } from './zh-cn/users.ts';
import type { wirelessMonitor } from './zh-cn/wireless-monitor.ts';
import type { messages } from './zh-cn.ts';

/** Every key of the Chinese catalogue: the source of the keys that every other language must hold. */
export type Messages = typeof messages &
  typeof account &
  typeof billing &
  typeof explain &
  typeof fleet &
  typeof gateway &
  typeof inbox &
  typeof installation &
  typeof outside &
  typeof personal &
  typeof planned &
  typeof statistics &
  typeof users &
  typeof wirelessMonitor;

/** The catalogues that come with the screens that need them, by part and language. */
export const parts = {
  account: {
    'zh-CN': async () => (await import('./zh-cn/account.ts')).account,
    en: async () => (await import('./en/account.ts')).account,
  },
  billing: {
    'zh-CN': async () => (await import('./zh-cn/billing.ts')).billing,
    en: async () => (await import('./en/billing.ts')).billing,
  },
  explain: {
    'zh-CN': async () => (await import('./zh-cn/explain.ts')).explain,
    en: async () => (await import('./en/explain.ts')).explain,
  },
  fleet: {
    'zh-CN': async () => (await import('./zh-cn/fleet.ts')).fleet,
    en: async () => (await import('./en/fleet.ts')).fleet,
  },
  gateway: {
    'zh-CN': async () => (await import('./zh-cn/gateway.ts')).gateway,
    en: async () => (await import('./en/gateway.ts')).gateway,
  },
  inbox: {
    'zh-CN': async () => (await import('./zh-cn/inbox.ts')).inbox,
    en: async () => (await import('./en/inbox.ts')).inbox,
  },
  installation: {
    'zh-CN': async () => (await import('./zh-cn/installation.ts')).installation,
    en: async () => (await import('./en/installation.ts')).installation,
  },
  outside: {
    'zh-CN': async () => (await import('./zh-cn/outside.ts')).outside,
    en: async () => (await import('./en/outside.ts')).outside,
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
  users: {
    'zh-CN': async () => (await import('./zh-cn/users.ts')).users,
    en: async () => (await import('./en/users.ts')).users,
  },
  wirelessMonitor: {
    'zh-CN': async () => (await import('./zh-cn/wireless-monitor.ts')).wirelessMonitor,
    en: async () => (await import('./en/wireless-monitor.ts')).wirelessMonitor,
  },
} as const satisfies Record<string, Record<Language, () => Promise<Readonly<Record<string, string>>>>>;

/** A part of the catalogue. */
export type Part = keyof typeof parts;
