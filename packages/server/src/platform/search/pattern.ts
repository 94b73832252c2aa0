/** Patterns for `like` and `ilike`. The contract's `Keyword` has its outer blanks cut already. */

/** Escapes wildcards. */
export const containing = (keyword: string): string => `%${keyword.replace(/[\\%_]/g, '\\$&')}%`;

/** Returns the pattern of a MAC address or a part of it, in any notation, for bare lower-case digits; else null. */
export function macContaining(keyword: string): string | null {
  const digits = keyword.replace(/[:.-]/g, '').toLowerCase();
  return /^[0-9a-f]{2,12}$/.test(digits) ? `%${digits}%` : null;
}
