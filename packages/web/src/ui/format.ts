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

let formatter: Intl.DateTimeFormat | undefined;
let formatterZone: string | undefined;

function wallClock(timeZone: string | undefined): Intl.DateTimeFormat {
  const make = (zone: string | undefined) =>
    new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
      ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
      ...{ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
      ...(zone ? { timeZone: zone } : {}),
    });
  try {
    return make(timeZone);
  } catch {
    // zone unknown to an old browser
    return make(undefined);
  }
}

function wall(at: Date): Record<string, string> {
  const { timeZone } = preferences();
  if (!formatter || formatterZone !== timeZone) {
    formatter = wallClock(timeZone);
    formatterZone = timeZone;
  }
  return Object.fromEntries(formatter.formatToParts(at).map(({ type, value }) => [type, value]));
}

export function date(at: Date): string {
  const { year, month, day } = wall(at);
  return `${year}-${month}-${day}`;
}

export function clock(at: Date, seconds = false): string {
  const { hour, minute, second } = wall(at);
  return `${hour}:${minute}${seconds ? `:${second}` : ''}`;
}

export function minuteOfDay(at: Date): number {
  const { hour, minute } = wall(at);
  return Number(hour) * 60 + Number(minute);
}

/** Uses the person's time zone, `days` after `at`. */
export function startOfDay(at: Date, days = 0): Date {
  const [year, month, day] = date(at).split('-').map(Number) as [number, number, number];
  return momentShown(Date.UTC(year, month - 1, day + days));
}

/** Parses `datetime-local` in the person's time zone: `2026-11-20T08:05`. */
export function momentTyped(typed: string): Date {
  return momentShown(Date.parse(`${typed}Z`));
}

export const isPast = (typed: string): boolean => momentTyped(typed).getTime() <= Date.now() - 60_000;

/** Returns when the person's clock shows what a UTC clock shows at `wanted`. */
function momentShown(wanted: number): Date {
  const shownAt = (moment: number): number => {
    const shown = wall(new Date(moment));
    return Date.UTC(
      ...(['year', 'month', 'day', 'hour', 'minute', 'second'].map(
        (part) => Number(shown[part]) - Number(part === 'month'),
      ) as [number, number]),
    );
  };
  // the offset at the result may differ (daylight saving)
  let moment = wanted - (shownAt(wanted) - wanted);
  moment -= shownAt(moment) - wanted;
  return new Date(moment);
}

export function exactTime(at: Date): string {
  return `${date(at)} ${clock(at, true)}`;
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
  if (days > 0) return t('time.days_hours', { d: days, h: hours });
  if (hours > 0) return t('time.hours_minutes', { h: hours, m: minutes });
  if (minutes > 0) return t('time.minutes', { n: minutes });
  return t('time.seconds', { n: whole });
}

export function minutesSeconds(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

export function mac(serial: string): string {
  return (serial.match(/../g) ?? [serial]).join(':');
}
