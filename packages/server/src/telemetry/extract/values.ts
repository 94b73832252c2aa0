import { asNumber } from '@yunxun/contract/device';

/** Counts what a report said that no column takes: too many entries, numbers that cannot be. */
export interface Clamps {
  count: number;
}

export const largestInt32 = 2_147_483_647;

/** The value, or null when it is outside least…most: a broken number must not reach a narrow column. */
export function within(value: number | null, most: number, least = 0): number | null {
  return value !== null && value >= least && value <= most ? value : null;
}

/** A whole number within bounds, null otherwise. */
export function wholeWithin(value: unknown, least: number, most: number): number | null {
  const number = within(asNumber(value), most, least);
  return number === null ? null : Math.round(number);
}

/** What no text column takes, and no screen should: control characters and halves of surrogate pairs. */
const unwanted = /[\p{Cc}\p{Cs}\u2028\u2029]/gu;

/** Text as nearly all of it is: of ASCII, without a space around it. */
const plain = /^[!-~](?:[ -~]*[!-~])?$/;

/** Text of a device as it may be stored and shown as text: no control characters, at most so many; null when nothing is left. */
export function cleanText(value: unknown, most: number): string | null {
  if (typeof value !== 'string') return null;
  if (value.length <= most && plain.test(value)) return value;
  // cut first: what is longer was not meant
  const text = value
    .slice(0, most * 2)
    .replace(unwanted, '')
    .trim()
    .slice(0, most)
    .replace(unwanted, '');
  return text === '' ? null : text;
}

/** The first entries of a list; the others are counted as clamped. */
export function capped<T>(list: readonly T[], most: number, clamps: Clamps): readonly T[] {
  if (list.length <= most) return list;
  clamps.count += list.length - most;
  return list.slice(0, most);
}
