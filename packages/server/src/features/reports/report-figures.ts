import type { Locale } from '@yunxun/contract';
import { messageByKey } from '@yunxun/contract/messages';

const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'] as const;

/** Formats bytes as the console does: in 1024 steps with two decimals. */
export function bytesText(value: number): string {
  let size = value;
  let unit = 0;
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return `${unit === 0 ? size : size.toFixed(2)} ${units[unit]}`;
}

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
  return `${value} %`;
}
