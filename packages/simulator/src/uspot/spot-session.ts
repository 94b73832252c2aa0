import type { TrafficCounter } from '../world/counter.ts';

export interface SpotClient {
  mac: string;
  ip: string;
}

export interface SpotStation extends SpotClient {
  /** Of its association. */
  traffic: TrafficCounter;
  idleSeconds: number;
}

export interface SpotSession {
  id: string;
  user: string;
  ip: string;
  /** Null: in the walled garden. */
  sinceMs: number | null;
  untilMs: number | null;
  /** Of the last accounting. */
  reportedMs: number;
  /** Null: no client of the simulated radios. */
  counter: TrafficCounter | null;
  /** What the counter had before the session. */
  before: SpotTotals;
}

interface SpotTotals {
  up: number;
  down: number;
  upPackets: number;
  downPackets: number;
}

export const noTotals: SpotTotals = { up: 0, down: 0, upPackets: 0, downPackets: 0 };

export const totalsOf = (counter: TrafficCounter): SpotTotals => ({
  up: counter.rxBytes,
  down: counter.txBytes,
  upPackets: counter.rxPackets,
  downPackets: counter.txPackets,
});

const minus = (a: SpotTotals, b: SpotTotals): SpotTotals => ({
  up: a.up - b.up,
  down: a.down - b.down,
  upPackets: a.upPackets - b.upPackets,
  downPackets: a.downPackets - b.downPackets,
});

export const usedBy = ({ counter, before, sinceMs }: SpotSession): SpotTotals =>
  counter && sinceMs !== null ? minus(totalsOf(counter), before) : noTotals;

/** A new association counts from zero. */
export function follow(session: SpotSession, { traffic }: SpotStation): void {
  if (session.counter === traffic) return;
  session.before = minus(totalsOf(traffic), usedBy(session));
  session.counter = traffic;
}
