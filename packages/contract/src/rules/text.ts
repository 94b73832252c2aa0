const encoder = new TextEncoder();

export const bytesOf = (text: string): number => encoder.encode(text).length;

/** Counts code points: an emoji is one. */
export const charactersOf = (text: string): number => [...text].length;

/** Counts non-ASCII characters as 3. */
export const tripleLengthOf = (text: string): number => {
  let length = 0;
  for (const character of text) length += character < '\x80' ? 1 : 3;
  return length;
};

/** Formats bytes in 1024 steps with two decimals: `1.50 GB`. */
export function bytesText(value: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'];
  let [size, unit] = [value, 0];
  while (Math.abs(size) >= 1024 && unit < units.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return `${unit === 0 ? size : size.toFixed(2)} ${units[unit]}`;
}

/** Formats the largest unit with at most 2 decimals: `2 MB`, `500 KB`. */
export function sizeText(kilobytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let [size, unit] = [kilobytes * 1024, 0];
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return `${Number(size.toFixed(2))} ${units[unit]}`;
}

/** Returns `é`, or `U+202E` for a character without a glyph. */
export const characterText = (character: string): string =>
  /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character)
    ? character
    : `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;

/** Returns lower case with colons. Accepts colons, hyphens or none; else null. */
export function normaliseMac(text: string): string | null {
  const hex = text.trim().toLowerCase().replace(/[:-]/g, '');
  return /^[\da-f]{12}$/.test(hex) ? (hex.match(/../g) as string[]).join(':') : null;
}
