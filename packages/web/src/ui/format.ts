import { momentAt, wallClock } from '@yunxun/contract/local-time';
import { bytesText } from '@yunxun/contract/rules';
import { locale, t } from '../app/i18n.ts';
import { preferences } from '../app/preferences.ts';

export { bytesText as bytes } from '@yunxun/contract/rules';

/** Uses round steps: `200 GB`. */
export function bytesTick(value: number): string {
  return bytesText(value).replace(/\.00 /, ' ');
}

/** Uses 1000 steps: `12.4 Mbps`. */
export function bitRate(value: number): string {
  const units = ['bps', 'kbps', 'Mbps', 'Gbps', 'Tbps'];
  let rate = value;
  let unit = 0;
  while (Math.abs(rate) >= 1000 && unit < units.length - 1) {
    rate /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? Math.round(rate) : rate.toFixed(1)} ${units[unit]}`;
}

export function count(value: number): string {
  return value.toLocaleString(locale());
}

export function money(yuan: number): string {
  const [minimumFractionDigits, maximumFractionDigits] = [2, 2];
  const figure = Math.abs(yuan).toLocaleString(locale(), { minimumFractionDigits, maximumFractionDigits });
  return `${yuan < 0 ? '-' : ''}¥${figure}`;
}

export function percent(value: number): string {
  return `${Math.round(value)}%`;
}

const known = new Map<string | undefined, boolean>();

/** Undefined if an old browser does not know it. */
function knownZone(timeZone: string | undefined): string | undefined {
  if (!known.has(timeZone)) known.set(timeZone, isKnown(timeZone));
  return known.get(timeZone) ? timeZone : undefined;
}

const zone = (): string | undefined => knownZone(preferences().timeZone);

/** Of the account, whose days and months the books have. */
export const booksZone = (): string | undefined => knownZone(preferences().booksZone);

function isKnown(timeZone: string | undefined): boolean {
  try {
    Intl.DateTimeFormat('en', { timeZone });
    return true;
  } catch {
    return false;
  }
}

/** Returns the person's local time: `2026-11-20T08:05:30.000Z`. */
function wall(at: Date, of = zone()): string {
  return new Date(wallClock(at.getTime(), of)).toISOString();
}

export function date(at: Date, of = zone()): string {
  return wall(at, of).slice(0, 10);
}

export function clock(at: Date, seconds = false): string {
  return wall(at).slice(11, seconds ? 19 : 16);
}

export function minuteOfDay(at: Date): number {
  const [hour, minute] = clock(at).split(':').map(Number) as [number, number];
  return hour * 60 + minute;
}

/** Uses the person's time zone, `days` after `at`. */
export function startOfDay(at: Date, days = 0, of = zone()): Date {
  return momentAt(date(at, of), days * 1440, of);
}

/** Parses a time in the person's time zone: `2026-11-20T08:05`. */
export function momentTyped(typed: string): Date {
  const [day, time] = typed.split('T') as [string, string];
  const [hour, minute] = time.split(':').map(Number) as [number, number];
  return momentAt(day, hour * 60 + minute, zone());
}

export const isPast = (typed: string): boolean => momentTyped(typed).getTime() <= Date.now() - 60_000;

export function exactTime(at: Date, of = zone()): string {
  return wall(at, of).slice(0, 19).replace('T', ' ');
}

export function minuteTime(at: Date): string {
  return `${date(at)} ${clock(at)}`;
}

/** Omits date today, year this year. */
export function shortTime(at: Date, now = new Date()): string {
  if (date(at) === date(now)) return clock(at);
  const day = date(at);
  return `${day.slice(0, 4) === date(now).slice(0, 4) ? day.slice(5) : day} ${clock(at)}`;
}

export function ago(at: Date, now: number): string {
  const seconds = Math.max(0, Math.round((now - at.getTime()) / 1000));
  if (seconds < 5) return t('time.now');
  if (seconds < 60) return t('time.seconds_ago', { n: seconds });
  if (seconds < 3600) return t('time.minutes_ago', { n: Math.floor(seconds / 60) });
  if (seconds < 86_400) return t('time.hours_ago', { n: Math.floor(seconds / 3600) });
  return t('time.days_ago', { n: Math.floor(seconds / 86_400) });
}

/** Shows the two largest units: `3 d 4 h`, `5 min`, `12 s`. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const days = Math.floor(whole / 86_400);
  const hours = Math.floor((whole % 86_400) / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  if (days > 0) return hours > 0 ? t('time.days_hours', { d: days, h: hours }) : t('time.days', { n: days });
  if (hours > 0) return minutes > 0 ? t('time.hours_minutes', { h: hours, m: minutes }) : t('time.hours', { n: hours });
  if (minutes > 0) return t('time.minutes', { n: minutes });
  return t('time.seconds', { n: whole });
}

export function minutesSeconds(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

export function mac(serial: string): string {
  return (serial.match(/../g) ?? [serial]).join(':');
}
