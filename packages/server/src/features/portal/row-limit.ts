import { LRUCache } from 'lru-cache';
import type { SiteKey } from './visit-store.ts';

/** Per network, hour and process. */
export const rowLimits = {
  visits: 5000,
  refusedArrivals: 200,
  unverifiedSignIns: 2000,
  purchases: 2000,
  logins: 2000,
} as const;

export type RowKind = keyof typeof rowLimits;

const hourMs = 3_600_000;
const maxCounts = 50_000;

/** Counts in memory: anyone may open the address, and each arrival would leave a row. */
export function createRowLimit() {
  const counts = new LRUCache<string, { since: number; rows: number }>({ max: maxCounts });
  return {
    /** Returns 0, or the seconds until a row may be written. */
    wait({ gwid }: SiteKey, kind: RowKind, now: Date): number {
      const at = now.getTime();
      const key = `${kind} ${gwid}`;
      const known = counts.get(key);
      const count = known && at - known.since < hourMs ? known : { since: at, rows: 0 };
      if (count.rows >= rowLimits[kind]) return Math.ceil((count.since + hourMs - at) / 1000);
      count.rows += 1;
      counts.set(key, count);
      return 0;
    },
  };
}

export type RowLimit = ReturnType<typeof createRowLimit>;
