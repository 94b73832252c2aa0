/** Replaces the probed list; results: `yunxun.watch`. */
export type EdgeWatchParams = { tool: 'watch'; revision: string; targets: readonly EdgeWatchTarget[] };

export interface EdgeWatchTarget {
  id: string;
  /** Private IPv4 address. */
  address: string;
  /** TCP port; null: ICMP echo. */
  port: number | null;
}

/** In memory: after a restart the revision is null until declared again. */
export interface EdgeWatchState {
  revision: string | null;
  targets: readonly EdgeWatchResult[];
}

export interface EdgeWatchResult {
  id: string;
  /** Null before the first decision. */
  alive: boolean | null;
  /** Of the answered of 20 probes. */
  latency_ms: number | null;
  /** Unix seconds of the last change, and of the last probe. */
  since: number | null;
  at: number | null;
}

/** Seconds between probes, and before the first decision; misses in a row; targets. */
export const edgeWatchLimits = { everyS: 60, firstS: 5, fails: 3, targets: 200 } as const;
