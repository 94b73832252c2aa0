import type { Locale } from '@yunxun/contract';
import { messageByKey } from '@yunxun/contract/messages';

/** Formats seconds in whole minutes, at least one. */
export function durationText(locale: Locale, seconds: number): string {
  const all = Math.max(1, Math.round(seconds / 60));
  const [d, h, m] = [Math.floor(all / 1440), Math.floor((all % 1440) / 60), all % 60];
  if (d > 0) return messageByKey(locale, 'report.days_hours', { d, h });
  if (h > 0) return messageByKey(locale, 'report.hours_minutes', { h, m });
  return messageByKey(locale, 'report.minutes', { n: m });
}

export function countText(locale: Locale, value: number): string {
  return value.toLocaleString(locale);
}

/** Shows three decimals at most; the value is rounded down already. */
export function percentText(value: number): string {
  return `${value}%`;
}
