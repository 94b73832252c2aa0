import type { State } from './state.ts';

/** A state report of our own agent: what the firmware reports too in its shape, and what only a gateway of ours can say. */
export interface EdgeStateReport extends State {
  yunxun: EdgeState;
}

/** What the agent says beyond the firmware's report. What could not be read is null, never zero. */
export interface EdgeState {
  /** Entries in the kernel's table of connections, and how many it takes. */
  connections: number | null;
  connections_max: number | null;
  lines: readonly EdgeLineState[];
  /** Everybody who was counted since the counters began, the absent too. */
  stations: readonly EdgeStationCounters[];
  /** Bytes of the file system that the agent keeps its things on. */
  disk: { total: number; free: number } | null;
  flow: EdgeFlowState | null;
}

/** A line to the internet. */
export interface EdgeLineState {
  /** `up0v0` */
  interface: string;
  /** IPv4, without the length of its network. */
  address: string | null;
  gateway: string | null;
  /** By probes from the line's own address; null while none has been decided yet. */
  alive: boolean | null;
  /** Mean of the answered probes of the window; null when none was. */
  latency_ms: number | null;
  /** Percent of the window's probes without an answer; null before the first. */
  loss_pct: number | null;
  /** When it became what it is, Unix seconds. */
  since: number | null;
}

/** Bytes of IP packets of a station, absolute since the agent's counters began: `rx` came from it, `tx` went to it. */
export interface EdgeStationCounters {
  mac: string;
  rx_bytes: number;
  tx_bytes: number;
}

/** Most stations whose bytes a report tells: those that did something last. Of a longer list the console takes nothing. */
export const edgeMostStations = 2000;

/** How whole the count of flow is. */
export interface EdgeFlowState {
  /** Connections whose end was not heard, since the agent's counters began: what they carried since they were last listed is missing. */
  lost: number;
  /** Bytes on the LAN that could be given to no station. */
  nobodys: number;
  /** Messages that wait to be taken by the console. */
  waiting: number;
  /** Bytes of messages that were given up, because nobody took them for too long. */
  given_up: number;
}
