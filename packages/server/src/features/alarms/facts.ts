import type { AlarmKind, AlarmLevel, AlarmState } from '@yunxun/contract';
import type { Key, Spell } from './spells.ts';
import type { Rules } from './standard-rules.ts';

/** The order of the lists does not matter. */
export interface Facts {
  now: number;
  rules: Rules;
  /** Lasting and lately ended problems that a rule covers. */
  spells: readonly Spell[];
  /** Spells that ended before are only causes: their own may be unknown. Milliseconds. */
  openSince: number;
  /** Lost connections without a rule: they only count as hit. */
  uncovered: readonly Spell[];
  /** Nothing is known now: their incidents stay. */
  held: ReadonlySet<Key>;
  isCovered(incident: Incident): boolean;
  /** Open, or lately recovered. */
  incidents: readonly Incident[];
  /** From the gateway down. */
  ancestorsOf(spell: Spell): readonly Key[];
  /** Null if no window is open. */
  windowEnd(gwid: string, at: number): number | null;
  /** The first time from `at` on at which the rule may start an alarm. */
  activeFrom(kind: AlarmKind, at: number): number;
  silencedSites?: ReadonlyMap<string, number>;
  newId(): string;
}

/** Times are milliseconds since the epoch. */
export interface Incident {
  id: string;
  kind: AlarmKind;
  level: AlarmLevel;
  state: AlarmState;
  serial: string | null;
  part: string;
  gwid: string;
  began: number;
  /** Begin of the latest occurrence. */
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
