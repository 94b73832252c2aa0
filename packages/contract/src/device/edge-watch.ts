/** Replaces the list of peripheral devices that the gateway probes; results are reported as `yunxun.watch`. */
export type EdgeWatchParams = { tool: 'watch'; revision: string; targets: readonly EdgeWatchTarget[] };

export interface EdgeWatchTarget {
  id: string;
  /** Private IPv4 address. */
  address: string;
  /** TCP port; null: ICMP echo. */
  port: number | null;
}

/** In the state report. The list is kept in memory: after a restart the revision is null until it is declared again. */
export interface EdgeWatchState {
  revision: string | null;
  targets: readonly EdgeWatchResult[];
}

export interface EdgeWatchResult {
  id: string;
  /** Null before the first decision. */
  alive: boolean | null;
  /** Mean of the answered probes of the last 20. */
  latency_ms: number | null;
  /** Unix seconds of the last change, and of the last probe. */
  since: number | null;
  at: number | null;
}

/** Seconds between probes of a target; consecutive misses until it is offline; targets of a gateway. */
export const edgeWatchLimits = { everyS: 60, fails: 3, targets: 200 } as const;
