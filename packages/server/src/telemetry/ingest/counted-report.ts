import type { AbsoluteCounters } from '../extract/counters.ts';
import type { Speeds } from '../extract/speeds.ts';
import type { Counter } from './counter.ts';

export interface Flow {
  wanDown: number;
  wanUp: number;
  down: Record<2 | 5 | 6, number>;
  up: Record<2 | 5 | 6, number>;
}

export interface Position {
  /** Arrival, milliseconds. */
  at: number;
  /** Milliseconds between the last two reports. */
  interval: number;
  /** Server milliseconds. */
  bootAt: number | null;
  /** By interface; null before any. */
  wan: Pairs | null;
  /** By BSSID; null before any. */
  bss: Pairs | null;
}

interface Otherwise {
  boot: number;
  position: Position;
  revision: Revision;
}

export interface ClockOffset {
  /** Milliseconds to add to the device clock. */
  value: number;
  /** The clock was set, or the last report was wrong. */
  isDoubtful: boolean;
}

export interface Pair {
  rx: Counter;
  tx: Counter;
  band: 0 | 2 | 5 | 6;
}

export type Pairs = ReadonlyMap<string, Pair>;

export interface CommittedReport extends Position {
  uptimeS: number | null;
  localtimeS: number | null;
  offset: ClockOffset | null;
  /** Replaces this state if the next report disproves the restart decision. */
  otherwise: Otherwise | null;
}

export interface CountedReport {
  /** Arrival, milliseconds. */
  at: number;
  uptimeS: number | null;
  localtimeS: number | null;
  counters: AbsoluteCounters | null;
  /** Defaults to the maximum per link type. */
  speeds?: Speeds;
  oldestS?: number | null;
  /** Different in content: no repeat, whatever its clocks say. */
  anew?: boolean;
  /** Roles of ports may change (our agent): a new uplink has no baseline, a missing one is dropped. */
  sockets?: boolean;
}

export interface Revision {
  /** Of the sample, milliseconds. */
  at: number;
  flow: Flow;
  /** Null: unchanged. */
  restarted: boolean | null;
}
