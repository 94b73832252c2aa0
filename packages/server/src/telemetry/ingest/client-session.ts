import { type Speeds, unknownSpeeds } from '../extract/speeds.ts';
import type { Behind, Guess } from '../extract/stations.ts';
import type { Counter } from './counter.ts';

export interface Share {
  bucket: number;
  /** Milliseconds present. */
  from: number;
  to: number;
  down: number;
  up: number;
  rssiSum: number;
  rssiN: number;
  sessions: number;
  authenticated: boolean;
}

/** Wired: band 0, no BSSID. Milliseconds. */
export interface Session {
  mac: string;
  bssid: string;
  /** 1: wireless, unknown. */
  band: 0 | 1 | 2 | 5 | 6;
  ssid: string | null;
  port: string | null;
  behind: Behind | null;
  /** Reports since it began on a port to own devices. */
  looks: number;
  /** Place, authentication, or the first address or signal differs from the row. */
  news: boolean;
  ip: string | null;
  ip6: string | null;
  username: string | null;
  authenticated: boolean;
  hostname: string | null;
  guess: Guess | null;
  startedAt: number;
  lastAt: number;
  down: number;
  up: number;
  tx: Counter;
  rx: Counter;
  rssi: number | null;
  rssiMin: number | null;
  rssiSum: number;
  rssiN: number;
  txRate: number | null;
  rxRate: number | null;
  packets: readonly [number, number, number] | null;
  /** Unix seconds by the device clock, until a report lists it. */
  joinedS: number | null;
  /** Reports without it since. */
  spared: number;
  shares: Share[];
  /** 0: never. */
  writtenAt: number;
}

/** `gone`: missing in a report; `roam`: gone on to another radio. */
export type EndReason = 'leave' | 'gone' | 'restart' | 'roam';

export interface Ended {
  session: Session;
  endedAt: number;
  reason: EndReason;
}

export interface Presence {
  open: Map<string, Session>;
  ended: Ended[];
  touched: Set<Session>;
  capacity: number;
  /** Counted bytes by MAC; null before any. */
  wired: Map<string, Bytes> | null;
  /** The last report may be wrong. */
  missed: Map<string, Session>;
  /** Client bytes since the last report, by BSSID. */
  carried: Map<string, Carried>;
  speeds: Speeds;
}

export interface Carried {
  band: Session['band'];
  flow: { down: number; up: number };
  /** By arrival of the corrected report, milliseconds. */
  revisions: Map<number, { down: number; up: number }>;
}

/** Null: unknown. */
export interface Bytes {
  tx: number | null;
  rx: number | null;
}

/** Seconds after a missing client or a leave, within which the next session is the other end of a roam. */
export const roamWithin = { gone: 90, leave: 15 } as const;

/** Per device and hour, against invented clients. */
export const maxArrivals = 5000;

export const emptyPresence = (): Presence => ({
  open: new Map(),
  ended: [],
  touched: new Set(),
  capacity: maxArrivals,
  wired: null,
  missed: new Map(),
  carried: new Map(),
  speeds: unknownSpeeds,
});
