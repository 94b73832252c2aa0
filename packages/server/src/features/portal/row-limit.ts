import { LRUCache } from 'lru-cache';
import type { SiteKey } from './visit-store.ts';

/** Rows that a network's visitors may cause in an hour, for each process. */
export const rowLimits = { visits: 5000, refusedArrivals: 200, unverifiedSignIns: 2000 } as const;

export type RowKind = keyof typeof rowLimits;

const hourMs = 3_600_000;
const maxCounts = 50_000;

/** Counts rows of a network in memory: anybody may open its address, and each arrival would leave a row. */
export function createRowLimit() {
  const counts = new LRUCache<string, { since: number; rows: number }>({ max: maxCounts });
  return {
    /** Counts a row; returns 0 if it may be written, or else the seconds until the next one may. */
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
