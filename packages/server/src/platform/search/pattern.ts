import { type RawBuilder, sql } from 'kysely';

/** Patterns for `like` and `ilike`. The contract's `Keyword` has its outer blanks cut already. */

/** Escapes wildcards. */
export const containing = (keyword: string): string => `%${keyword.replace(/[\\%_]/g, '\\$&')}%`;

/** Digits between separators. */
const groupSizes: Readonly<Record<string, readonly number[]>> = { ':': [2], '-': [2, 4, 6], '.': [4] };

/** Returns bare lower-case digits of a MAC address or a part with a whole group: `53:49:4`, `5349.4d`; not of `10.0`. */
export function macDigits(text: string): string | null {
  const separator = /[:.-]/.exec(text)?.[0];
  const groups = separator === undefined ? [text] : text.split(separator);
  const fits = (size: number) =>
    groups.every(({ length }, at) => length === size || (length < size && (at === 0 || at === groups.length - 1))) &&
    groups.some(({ length }) => length === size);
  if (separator !== undefined && !groupSizes[separator]!.some(fits)) return null;
  const digits = groups.join('').toLowerCase();
  return /^[0-9a-f]{2,12}$/.test(digits) ? digits : null;
}

/** Returns the pattern of a MAC address or a part of it, in any notation, for bare lower-case digits; else null. */
export function macContaining(keyword: string): string | null {
  const digits = macDigits(keyword);
  return digits && `%${digits}%`;
}

/** Whether a text has a MAC address, in any notation, that matches the pattern; other digits do not count. */
export const hasMac = (column: string, pattern: string): RawBuilder<boolean> => sql<boolean>`exists (
  select from regexp_matches(lower(${sql.ref(column)}),
    '(?<![0-9a-z-])([0-9a-f]{2}(?:[:-]?[0-9a-f]{2}){5})(?![0-9a-z-])', 'g') as found (macs)
  where translate(found.macs[1], ':-', '') like ${pattern})`;

/** A shorter word is in many UUIDs by chance. */
export const namesUuid = (keyword: string): boolean => keyword.length >= 8;
