import type { EdgeHttpCheck, EdgeTcpCheck } from './edge-checks.ts';
import type { EdgePluginState } from './edge-plugins.ts';
import type { EdgeScanResult } from './edge-scan.ts';
import type { EdgeShieldBatch } from './edge-shield.ts';
import type { EdgeSnapshotResult } from './edge-snapshot.ts';
import type { EdgeThroughputParams, EdgeThroughputResult } from './edge-throughput.ts';

/** No shell or permission needed; the result is in `status.tool`. */
export const edgeToolMethod = 'yunxun.tool';

/** Outgoing port (`WAN1`) or interface (`up0v0`). */
type Placed = { place?: string };

export type EdgeToolParams =
  | ({ tool: 'ping'; target: string; count: number } & Placed)
  /** Pings, or connects to `port`, from the first own address in `sources`. Older agents ignore `sources` of `ping`. */
  | { tool: 'path'; target: string; count: number; sources: readonly string[]; port?: number }
  /** Pings SD-WAN neighbours from the own overlay address; examines a host of an own LAN. Needs the ability `hop`. */
  | { tool: 'hop'; own: string; peers: readonly string[]; host?: string; port?: number }
  | ({ tool: 'traceroute'; target: string } & Placed)
  /** Default `server`: each of the host's. */
  | ({ tool: 'dns'; target: string; server?: string } & Placed)
  /** Opens one TCP connection; needs the ability `connect`. */
  | { tool: 'connect'; target: string; port: number }
  /** The checks need the ability `checks`. */
  | ({ tool: 'tcp_check'; target: string; port: number } & Placed)
  | ({ tool: 'http_check'; url: string } & Placed)
  | EdgeThroughputParams
  /** One-time; GET downloads, POST uploads. */
  | ({ tool: 'speed'; uri: string } & Placed);

export interface EdgeToolResult {
  /** Null: nothing was counted. */
  shield?: EdgeShieldBatch | null;
  output?: string;
  dns?: readonly EdgeDnsResult[];
  speed?: EdgeSpeedResult;
  /** Error code (`ECONNREFUSED`, `timeout`); null: the port answered. */
  connect?: { error: string | null };
  throughput?: EdgeThroughputResult;
  tcp?: EdgeTcpCheck;
  http?: EdgeHttpCheck;
  hop?: EdgeHopResult;
  scan?: EdgeScanResult;
  snapshot?: EdgeSnapshotResult;
  plugins?: readonly EdgePluginState[];
}

export interface EdgeDnsResult {
  server: string;
  ms: number;
  answers: readonly { type: 'A' | 'AAAA' | 'PTR'; value: string; ttl: number | null }[];
  /** Resolver code (`ENOTFOUND`, `ETIMEOUT`); null on success. */
  error: string | null;
}

export interface EdgeHopResult {
  tunnels: readonly { address: string; answers: boolean }[];
  /** Null: not asked. */
  host: {
    /** Answers ARP; null: it is not on an own LAN. */
    present: boolean | null;
    ping: boolean;
    /** `closed`: refused by TCP reset or ICMP; null: not asked. */
    tcp: 'open' | 'closed' | 'silent' | null;
  } | null;
}

/** Null on failure, see `error`. */
export interface EdgeSpeedResult {
  down: EdgeSpeedSample | null;
  up: EdgeSpeedSample | null;
  error: string | null;
}

/** Payload bytes and milliseconds. */
export interface EdgeSpeedSample {
  bytes: number;
  ms: number;
}

/** A direction ends at the first limit. */
export const edgeSpeedLimits = { seconds: 10, bytes: 256 * 1024 * 1024 } as const;
