import type { AlarmKind, AlarmLevel, AlarmState } from '@yunxun/contract';
import type { Key, ProblemPeriod } from './problem-periods.ts';
import type { Place, Rules } from './rules.ts';

/** Lists are unordered. */
export interface Facts {
  now: number;
  rules: Rules;
  periods: readonly ProblemPeriod[];
  /** Epoch milliseconds; older ones are only causes. */
  openSince: number;
  /** Lost connections without a rule: counted as hit only. */
  uncovered: readonly ProblemPeriod[];
  /** Unknown now: incidents stay. */
  held: ReadonlySet<Key>;
  isCovered(incident: Incident): boolean;
  incidents: readonly Incident[];
  ancestorsOf(period: ProblemPeriod): readonly Key[];
  /** Null: none is open. */
  windowEnd(gwid: string, at: number): number | null;
  /** Returns the first time from `at` on for an alarm. */
  activeFrom(problem: Place & { kind: AlarmKind }, at: number): number;
  silencedSites?: ReadonlyMap<string, number>;
  newId(): string;
}

/** Epoch milliseconds. */
export interface Incident {
  id: string;
  kind: AlarmKind;
  level: AlarmLevel;
  state: AlarmState;
  serial: string | null;
  part: string;
  gwid: string;
  began: number;
  last: number;
  recovered: number | null;
  /** Closed by a person, and lasts. */
  lasts: boolean;
  count: number;
  value: number | null;
  threshold: number | null;
  clients: number | null;
  clientsHit: number | null;
  devicesHit: number;
  cause: string | null;
  acknowledged: boolean;
  silencedUntil: number | null;
}
