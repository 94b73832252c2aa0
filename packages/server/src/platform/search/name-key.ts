/**
 * Returns what tells names apart in files: letter case, width (full-width letters and digits, half-width kana) and runs
 * of blanks do not.
 */
export const nameKey = (name: string): string =>
  // lower case may compose anew: İ
  name.normalize('NFKC').toLowerCase().normalize('NFKC').replace(/\s+/g, ' ').trim();
