import { boundedCache } from '../../platform/bounded-cache.ts';
import type { Source } from './source.ts';
import type { SiteKey } from './visit-store.ts';

/** Of a source, or of all, per network, hour and process. */
export const rowLimits = {
  visits: { device: 60, address: 2500, network: 5000 },
  refusedArrivals: { device: 0, address: 100, network: 500 },
  signIns: { device: Number.POSITIVE_INFINITY, address: 1000, network: Number.POSITIVE_INFINITY },
  purchases: { device: 30, address: 500, network: Number.POSITIVE_INFINITY },
  logins: { device: 60, address: 500, network: Number.POSITIVE_INFINITY },
} as const;

export type RowKind = keyof typeof rowLimits;

const hourMs = 3_600_000;
/** To lose a count takes as many other sources. */
const maxCounts = 50_000;

interface Count {
  since: number;
  rows: number;
}

/** Counts in memory: anyone may open the address, and each arrival would leave a row. */
export function createRowLimit() {
  const counts = boundedCache<Count>(maxCounts);
  const totals = new Map<string, Count>();

  const liveOf = (known: Count | undefined, at: number): Count =>
    known && at - known.since < hourMs ? known : { since: at, rows: 0 };

  return {
    /** Returns 0, or the seconds until a row may be written. */
    wait({ gwid }: SiteKey, kind: RowKind, source: Source, now: Date): number {
      const at = now.getTime();
      const limits = rowLimits[kind];
      const key = `${kind} ${gwid} ${source.key}`;
      const own = liveOf(counts.get(key), at);
      const total = liveOf(totals.get(`${kind} ${gwid}`), at);
      const full = own.rows >= limits[source.kind] ? own : total.rows >= limits.network ? total : null;
      if (full) return Math.ceil((full.since + hourMs - at) / 1000);
      own.rows += 1;
      total.rows += 1;
      counts.set(key, own);
      totals.set(`${kind} ${gwid}`, total);
      return 0;
    },

    giveBack({ gwid }: SiteKey, kind: RowKind, source: Source): void {
      for (const count of [counts.get(`${kind} ${gwid} ${source.key}`), totals.get(`${kind} ${gwid}`)])
        if (count && count.rows > 0) count.rows -= 1;
    },
  };
}

export type RowLimit = ReturnType<typeof createRowLimit>;
