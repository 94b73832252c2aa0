import type { Guess } from '../extract/stations.ts';

/** What is counted of a session in one quarter of an hour and not written yet. */
export interface Share {
  /** Begin of the quarter, milliseconds. */
  bucket: number;
  /** The time present that it covers, milliseconds. */
  from: number;
  to: number;
  down: number;
  up: number;
  rssiSum: number;
  rssiN: number;
  /** Sessions that began. */
  sessions: number;
  /** A report showed it signed in. */
  authenticated: boolean;
}

/** A terminal that is there: associated, or on a cable (band 0, no BSSID). Times in milliseconds. */
export interface Session {
  mac: string;
  bssid: string;
  band: 0 | 2 | 5 | 6;
  ssid: string | null;
  port: string | null;
  ip: string | null;
  username: string | null;
  authenticated: boolean;
  hostname: string | null;
  guess: Guess | null;
  startedAt: number;
  /** When it was last seen. */
  lastAt: number;
  /** Bytes to and from it since the session began, as far as they are ours to count. */
  down: number;
  up: number;
  /** The absolutes they were counted from; null: its next word is where counting begins. */
  absTx: number | null;
  absRx: number | null;
  rssi: number | null;
  rssiMin: number | null;
  rssiSum: number;
  rssiN: number;
  txRate: number | null;
  rxRate: number | null;
  packets: readonly [number, number, number] | null;
  /** When it joined by the device's own clock, Unix seconds, until a report has shown it. */
  joinedS: number | null;
  /** Reports since then that have not shown it. */
  spared: number;
  shares: Share[];
  /** When its row was last written; 0 before. */
  writtenAt: number;
}

/** Why a session ended: the device said so; it is no longer in the reports; the device restarted. */
export type EndReason = 'leave' | 'gone' | 'restart';

export interface Ended {
  session: Session;
  endedAt: number;
  reason: EndReason;
}

/** Who is there on one device, and what became of whom since that was last written. */
export interface Presence {
  /** By `placeOf`. */
  open: Map<string, Session>;
  ended: Ended[];
  /** Sessions that began or changed. */
  touched: Set<Session>;
  /** So many sessions may begin in this hour yet. */
  room: number;
  /** Absolute bytes by MAC up to which terminals on cables are counted; null while the device has told of none. */
  wired: Map<string, Bytes> | null;
}

/** Absolute bytes, to and from a terminal; null where nothing is known. */
export interface Bytes {
  tx: number | null;
  rx: number | null;
}

/** So many sessions may begin on one device in an hour: a device that makes up terminals fills no tables. */
export const mostArrivals = 5000;
