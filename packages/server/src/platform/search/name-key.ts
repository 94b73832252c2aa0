/** Ignores letter case, width and runs of blanks. */
export const nameKey = (name: string): string =>
  name.normalize('NFKC').toLowerCase().normalize('NFKC').replace(/\s+/g, ' ').trim();
