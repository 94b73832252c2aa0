import { asNumber } from '@yunxun/contract/device';

export interface Clamps {
  count: number;
}

export const largestInt32 = 2_147_483_647;

/** Returns null out of bounds, for narrow columns. */
export function within(value: number | null, max: number, least = 0): number | null {
  return value !== null && value >= least && value <= max ? value : null;
}

export function wholeWithin(value: unknown, least: number, max: number): number | null {
  const number = within(asNumber(value), max, least);
  return number === null ? null : Math.round(number);
}

const unwanted = /[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]/gu;

const plain = /^[!-~](?:[ -~]*[!-~])?$/;

/** Drops control characters, bidirectional ones too, and truncates; null if empty. */
export function cleanText(value: unknown, max: number): string | null {
  if (typeof value !== 'string') return null;
  if (value.length <= max && plain.test(value)) return value;
  // bounds the work on long text
  const text = value
    .slice(0, max * 2)
    .replace(unwanted, '')
    .trim()
    .slice(0, max)
    .replace(unwanted, '');
  return text === '' ? null : text;
}

/** Counts dropped entries as clamped. */
export function capped<T>(list: readonly T[], max: number, clamps: Clamps): readonly T[] {
  if (list.length <= max) return list;
  clamps.count += list.length - max;
  return list.slice(0, max);
}
