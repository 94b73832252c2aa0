import { randomInt } from 'node:crypto';
import { passwords } from '@yunxun/contract';
import { momentAt } from '@yunxun/contract/local-time';
import { addDays, dayOf, weekdayOf } from '../../platform/calendar.ts';

type Plan = passwords.PasswordPlan;
const { passwordLimits: limits } = passwords;

/** No look-alikes: 0 and O, 1, l and I. */
const charsets = {
  digits: '23456789',
  letters: 'abcdefghijkmnopqrstuvwxyz',
  mixed: 'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789',
} as const;

/** Appends random characters to the prefix. Saved rules may have a prefix too long for their length. */
export function makePassword({ charset, length, prefix }: Pick<Plan, 'charset' | 'length' | 'prefix'>): string {
  const from = charsets[charset];
  const random = Math.max(limits.random, length - prefix.length);
  return prefix + Array.from({ length: random }, () => from[randomInt(from.length)]).join('');
}

const dayMinutes = 24 * 60;
const minutesOf = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));
/** Returns the next change after `after`; quiet hours postpone it, unless they cover the day. */
export function nextChange(plan: Plan, after: Date, zone: string): Date {
  let day = dayOf(after, zone);
  for (let tries = 0; tries <= 62; tries += 1, day = addDays(day, 1)) {
    if (plan.cycle === 'weekly' && weekdayOf(day) !== plan.weekday) continue;
    if (plan.cycle === 'monthly' && Number(day.slice(8)) !== plan.month_day) continue;
    const minute = outOfQuiet(minutesOf(plan.at), plan.quiet);
    const at = momentAt(day, minute, zone);
    if (at > after) return at;
  }
  throw new Error('every month has the first 28 days');
}

/** Returns the first minute outside quiet hours, which may be on the next day. */
function outOfQuiet(minute: number, quiet: readonly string[]): number {
  const buckets = quiet.map((bucket) => ({ from: minutesOf(bucket.slice(0, 5)), to: minutesOf(bucket.slice(6)) }));
  const isQuiet = (at: number) =>
    buckets.some(({ from, to }) => (from <= to ? at >= from && at < to : at >= from || at < to));
  for (let later = 0; later < dayMinutes; later += 1) {
    if (!isQuiet((minute + later) % dayMinutes)) return minute + later;
  }
  return minute;
}
