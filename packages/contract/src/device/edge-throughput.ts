/** Between overlay addresses of two SD-WAN neighbours; needs the ability `iperf`. */
type Ends = { tool: 'throughput'; own: string; peer: string; port: number; seconds: number };

export type EdgeThroughputParams =
  /** Waits for one test. */
  | (Ends & { act: 'serve' })
  /** `reverse`: the peer sends. `mbps`: cap. */
  | (Ends & { act: 'run'; udp: boolean; reverse: boolean; mbps?: number });

export interface EdgeThroughputResult {
  /** Received. */
  mbps: number;
  /** TCP. */
  retransmits: number | null;
  /** UDP. */
  loss_pct: number | null;
  jitter_ms: number | null;
}

export const throughputLimits = {
  seconds: { min: 1, max: 10 },
  mbps: { min: 1, max: 10_000 },
  ports: { min: 20_000, max: 29_998 },
} as const;
