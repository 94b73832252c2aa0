import type { EdgeCaptiveState } from './edge-captive.ts';
import type { EdgePluginState } from './edge-plugins.ts';
import type { EdgePort53Listener } from './edge-port53.ts';
import type { EdgeSdwanState } from './edge-sdwan.ts';
import type { EdgeShieldState } from './edge-shield.ts';
import type { EdgeWatchState } from './edge-watch.ts';
import type { State } from './state.ts';

export interface EdgeStateReport extends State {
  yunxun: EdgeState;
}

/** Unreadable values are null, never zero. */
export interface EdgeState {
  /** Conntrack entries and their maximum. */
  connections: number | null;
  connections_max: number | null;
  lines: readonly EdgeWanState[];
  /** WAN ports by the host's own settings; absent once the console has configured them. */
  found?: readonly EdgeFoundWan[];
  /** With absent clients. */
  stations: readonly EdgeStationCounters[];
  disk: { total: number; free: number } | null;
  flow: EdgeFlowState | null;
  /** Absent without the ability `sdwan`. */
  sdwan?: EdgeSdwanState;
  shield?: EdgeShieldState;
  captive?: EdgeCaptiveState;
  /** Absent without the ability `watch`. */
  watch?: EdgeWatchState;
  /** Absent before agents that run plugins. */
  plugins?: readonly EdgePluginState[];
  /** Absent without the ability `port53`. */
  port53?: readonly EdgePort53Listener[];
}

export interface EdgeWanState {
  /** `up0v0` */
  interface: string;
  /** IPv4 without prefix length. */
  address: string | null;
  gateway: string | null;
  /** By probes from its own address; null before the first. */
  alive: boolean | null;
  /** Mean of answered probes; null without any. */
  latency_ms: number | null;
  /** Lost probes, percent; null before the first. */
  loss_pct: number | null;
  /** Unix seconds. */
  since: number | null;
  /** LAN that its lease or router overlaps (`192.168.1.0/24`); the agent withholds that LAN's address. */
  collides?: string;
}

export interface EdgeFoundWan {
  /** `WAN1` */
  port: string;
  /** IPv4 with prefix length. */
  address: string;
  gateway: string | null;
  /** Of a DHCP client. */
  dynamic: boolean;
  /** Servers of the host. */
  dns: readonly string[];
}

/** Since the agent's counters started: `rx` from the client. */
export interface EdgeStationCounters {
  mac: string;
  rx_bytes: number;
  tx_bytes: number;
}

/** Most recently active first; longer lists are ignored. */
export const edgeMaxStations = 2000;

export interface EdgeFlowState {
  /** Missed ends, without their last bytes. */
  lost: number;
  nobodys: number;
  waiting: number;
  /** Bytes of messages dropped as too old. */
  given_up: number;
}
