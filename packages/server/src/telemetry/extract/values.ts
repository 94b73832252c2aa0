import { asNumber } from '@yunxun/contract/device';

export interface Clamps {
  count: number;
}

export const largestInt32 = 2_147_483_647;

/** Returns null out of bounds, for narrow columns. */
export function within(value: number | null, most: number, least = 0): number | null {
  return value !== null && value >= least && value <= most ? value : null;
}

export function wholeWithin(value: unknown, least: number, most: number): number | null {
  const number = within(asNumber(value), most, least);
  return number === null ? null : Math.round(number);
}

const unwanted = /[\p{Cc}\p{Cs}\u2028\u2029]/gu;

const plain = /^[!-~](?:[ -~]*[!-~])?$/;

/** Drops control characters and truncates; null if empty. */
export function cleanText(value: unknown, most: number): string | null {
  if (typeof value !== 'string') return null;
  if (value.length <= most && plain.test(value)) return value;
  // bounds the work on long text
  const text = value
    .slice(0, most * 2)
    .replace(unwanted, '')
    .trim()
    .slice(0, most)
    .replace(unwanted, '');
  return text === '' ? null : text;
}

/** Counts dropped entries as clamped. */
export function capped<T>(list: readonly T[], most: number, clamps: Clamps): readonly T[] {
  if (list.length <= most) return list;
  clamps.count += list.length - most;
  return list.slice(0, most);
}
