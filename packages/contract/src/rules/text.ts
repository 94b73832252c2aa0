const encoder = new TextEncoder();

/** Length in UTF-8 bytes. */
export const bytesOf = (text: string): number => encoder.encode(text).length;

/** Length in characters (code points, so that an emoji is one). */
export const charactersOf = (text: string): number => [...text].length;

/** Length where each non-ASCII character counts as 3 (spec section 5). */
export const tripleLengthOf = (text: string): number => {
  let length = 0;
  for (const character of text) length += character < '\x80' ? 1 : 3;
  return length;
};

/** A size given in KB, in the largest unit it fills (1024 steps, at most 2 decimals): `2 MB`, `500 KB`. */
export function sizeText(kilobytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let [size, unit] = [kilobytes * 1024, 0];
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return `${Number(size.toFixed(2))} ${units[unit]}`;
}

/** A MAC address in the one form we store: lower case, colons. Null when it is none; colons, hyphens or nothing between the pairs. */
export function normaliseMac(text: string): string | null {
  const hex = text.trim().toLowerCase().replace(/[:-]/g, '');
  return /^[\da-f]{12}$/.test(hex) ? (hex.match(/../g) as string[]).join(':') : null;
}
