import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { isRandomMac } from '@yunxun/contract/device';

export interface Makers {
  /** Returns null if unregistered or random. */
  of(mac: string): string | null;
  saying(fits: (name: string) => boolean, max: number): string[];
}

let loading: Promise<Makers> | null = null;

/** Loads on first use: large, and rarely needed. */
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
    // name, then the postal address
    const [name] = entry.split('\n');
    if (name) names.set(digits.toLowerCase(), name.trim().slice(0, 64));
  }
  return {
    of(mac) {
      if (isRandomMac(mac)) return null;
      // longest first: parts of a block may be another maker's
      for (const length of [9, 7, 6]) {
        const name = names.get(mac.slice(0, length));
        if (name !== undefined) return name;
      }
      return null;
    },
    saying(fits, max) {
      const found: string[] = [];
      for (const [digits, name] of names) {
        if (found.length >= max) break;
        if (fits(name)) found.push(digits);
      }
      return found;
    },
  };
}
