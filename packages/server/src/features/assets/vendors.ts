import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { isRandomMac } from '@yunxun/contract/device';

/** The register of MAC addresses: makers by the first six, seven or nine digits that were given to them. */
export interface Makers {
  /** The maker of an address; null for one that nobody registered, or that a terminal made up. */
  of(mac: string): string | null;
  /** The registered beginnings whose makers' names fit, at most so many. */
  saying(fits: (name: string) => boolean, most: number): string[];
}

let loading: Promise<Makers> | null = null;

/** The register, read when somebody first asks: it is large, and most processes never do. */
export function makers(): Promise<Makers> {
  loading ??= load().catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
}

async function load(): Promise<Makers> {
  const file = createRequire(import.meta.url).resolve('oui-data');
  const register = JSON.parse(await readFile(file, 'utf8')) as Record<string, string>;
  const names = new Map<string, string>();
  for (const [digits, entry] of Object.entries(register)) {
    // name, then the postal address line by line
    const [name] = entry.split('\n');
    if (name) names.set(digits.toLowerCase(), name.trim().slice(0, 64));
  }
  return {
    of(mac) {
      if (isRandomMac(mac)) return null;
      // the longest beginning is the narrowest: a block that somebody else was given a part of
      for (const length of [9, 7, 6]) {
        const name = names.get(mac.slice(0, length));
        if (name !== undefined) return name;
      }
      return null;
    },
    saying(fits, most) {
      const found: string[] = [];
      for (const [digits, name] of names) {
        if (found.length >= most) break;
        if (fits(name)) found.push(digits);
      }
      return found;
    },
  };
}
