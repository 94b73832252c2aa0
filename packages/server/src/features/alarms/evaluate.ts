import type { AlarmEventType } from '@yunxun/contract';
import { grouped } from '../../platform/grouped.ts';
import { isOfAccount } from './account-place.ts';
import { dueTimes, isRelated } from './due.ts';
import type { Facts, Incident } from './facts.ts';
import { isOffline, type Key, keyOf, type ProblemPeriod, plus } from './problem-periods.ts';

/** Milliseconds in which a return reopens. */
export const flapMs = 10 * 60_000;

export interface AlarmEvent {
  incident: string;
  at: number;
  type: AlarmEventType;
}

export interface Evaluation {
  incidents: Incident[];
  events: AlarmEvent[];
  /** Epoch milliseconds of the next alarm; null: none waits. */
  nextDue: number | null;
}

/**
 * Decides openings, returns, recoveries and causes. The result does not depend on how often it runs.
 */
export function evaluate(facts: Facts): Evaluation {
  const { now, rules } = facts;
  const periods = byKey(facts.periods);
  const dueOf = dueTimes({ ...facts, periods });
  const latest = new Map<Key, Incident>();
  const incidents = facts.incidents.map((one) => ({ ...one })).toSorted((a, b) => a.last - b.last);
  for (const one of incidents) latest.set(keyOf(one), one);
  const events: AlarmEvent[] = [];
  const note = ({ id }: Incident, type: AlarmEventType, at: number) => events.push({ incident: id, at, type });

  const ended = new Set<Incident>();
  const recover = (incident: Incident, at: number, type: 'recovered' | 'uncovered' = 'recovered') => {
    incident.state = 'recovered';
    incident.recovered = at;
    ended.add(incident);
    note(incident, type, at);
  };

  const silenceOf = (gwid: string): number | null => {
    const until = facts.silencedSites?.get(gwid);
    return until !== undefined && until > now ? until : null;
  };

  const open = (period: ProblemPeriod): Incident => {
    const { kind, serial, part, gwid, began, value, clients } = period;
    const { level, threshold } = rules.at(kind, period);
    const until = silenceOf(gwid);
    const state = until === null ? 'firing' : 'silenced';
    const incident: Incident = {
      id: facts.newId(),
      kind,
      level,
      state,
      serial,
      part,
      gwid,
      began,
      last: began,
      recovered: null,
      lasts: false,
      count: 1,
      value,
      threshold,
      clients,
      clientsHit: clients,
      devicesHit: isOfAccount(kind) ? 0 : 1,
      cause: null,
      acknowledged: false,
      silencedUntil: until,
    };
    incidents.push(incident);
    note(incident, 'opened', dueOf(period));
    return incident;
  };

  const reopen = (incident: Incident, period: ProblemPeriod, at: number) => {
    const { level, threshold } = rules.at(period.kind, period);
    const own = incident.silencedUntil !== null && incident.silencedUntil > at ? incident.silencedUntil : null;
    const until = silenceOf(period.gwid) ?? own;
    const state = until === null ? 'firing' : 'silenced';
    const count = incident.count + (period.began > incident.last ? 1 : 0);
    Object.assign(incident, { level, threshold, state, last: period.began, recovered: null, lasts: false });
    Object.assign(incident, {
      count,
      silencedUntil: until,
      acknowledged: false,
      value: period.value,
      gwid: period.gwid,
    });
    note(incident, 'reopened', at);
  };

  for (const key of [...new Set([...periods.keys(), ...latest.keys()])].toSorted()) {
    const known = periods.get(key) ?? [];
    let incident = latest.get(key);
    for (const period of known) {
      if (incident && period.began <= incident.last) {
        // the rule was off, or the source silent
        const lasts = period.began === incident.last && period.ended === null && dueOf(period) <= now;
        if (lasts && incident.recovered !== null && !incident.lasts) reopen(incident, period, now);
        continue;
      }
      if (incident && incident.recovered === null) recover(incident, endOf(known, incident.last) ?? period.began);
      if (period.excused || (period.ended ?? now) < facts.openSince || dueOf(period) > (period.ended ?? now)) continue;
      const returned = incident !== undefined && period.began - incident.recovered! <= flapMs;
      if (returned) reopen(incident!, period, dueOf(period));
      else incident = open(period);
      latest.set(key, incident!);
    }
    if (!incident) continue;
    const current = known.find(({ began }) => began === incident.last);
    if (current?.ended === null) {
      if (current.gwid !== incident.gwid) Object.assign(incident, { gwid: current.gwid, cause: null });
    } else if (current || !facts.held.has(key)) {
      incident.lasts = false;
      if (incident.recovered === null)
        recover(incident, current?.ended ?? now, facts.isCovered(incident) ? 'recovered' : 'uncovered');
    }
  }

  for (const incident of incidents) {
    if (incident.state !== 'silenced' || incident.silencedUntil! > now) continue;
    incident.state = incident.acknowledged ? 'acknowledged' : 'firing';
    note(incident, 'silence_ended', incident.silencedUntil!);
    incident.silencedUntil = null;
  }
  const moving = incidents.filter((one) => one.recovered === null || ended.has(one));
  fold(facts, { periods, incidents, moving, dueOf, note });
  countHits(facts, { periods, latest });
  const waiting = facts.periods.flatMap((period) =>
    period.ended === null && dueOf(period) > now ? [dueOf(period)] : [],
  );
  const nextDue = waiting.reduce((first, due) => Math.min(first, due), Number.POSITIVE_INFINITY);
  return { incidents, events, nextDue: Number.isFinite(nextDue) ? nextDue : null };
}

function byKey(periods: readonly ProblemPeriod[]): Map<Key, ProblemPeriod[]> {
  const found = grouped(periods, keyOf);
  for (const list of found.values()) list.sort((a, b) => a.began - b.began);
  return found;
}

function endOf(periods: readonly ProblemPeriod[], began: number): number | null {
  return periods.find((period) => period.began === began)?.ended ?? null;
}

interface State {
  periods: ReadonlyMap<Key, readonly ProblemPeriod[]>;
  incidents: readonly Incident[];
  latest: ReadonlyMap<Key, Incident>;
}

/**
 * Folds incidents under the first offline ancestor. After its recovery they stay for their own tolerance; longer ones
 * get their own cause.
 */
function fold(
  { now, rules, ancestorsOf }: Facts,
  {
    periods,
    incidents,
    moving,
    dueOf,
    note,
  }: Omit<State, 'latest'> & {
    /** Open or just recovered; others keep their cause. */
    moving: readonly Incident[];
    dueOf(period: ProblemPeriod): number;
    note(incident: Incident, type: AlarmEventType, at: number): void;
  },
): void {
  const byId = new Map(incidents.map((one) => [one.id, one]));
  const ofKey = grouped(incidents, keyOf);
  const causes = new Map<Incident, Incident | null>();
  for (const incident of moving) {
    const period = periods.get(keyOf(incident))?.find(({ began }) => began === incident.last);
    const grace = rules.at(incident.kind, period ?? { ...incident, groupId: null }).tolerance * 1000;
    const within = (end: number | null) => end === null || (incident.recovered ?? now) < end + grace;
    const found = period && ancestorsOf(period).flatMap((key) => causeAmong(period, key, within))[0];
    const kept = incident.cause === null ? undefined : byId.get(incident.cause);
    if (found) causes.set(incident, found);
    else if (!kept || kept.recovered === null || isKnown(kept) || !within(kept.recovered)) causes.set(incident, null);
  }
  for (const [incident, direct] of causes) {
    let cause = direct;
    for (let next = direct; next; next = causes.get(next) ?? null) cause = next;
    if ((cause?.id ?? null) === incident.cause) continue;
    incident.cause = cause?.id ?? null;
    note(incident, cause ? 'folded' : 'unfolded', now);
  }

  function isKnown(incident: Incident): boolean {
    return periods.get(keyOf(incident))?.some(({ began }) => began === incident.last) ?? false;
  }

  function causeAmong(period: ProblemPeriod, key: Key, within: (end: number | null) => boolean): Incident[] {
    const related = periods.get(key)?.filter((one) => isRelated(period, one, now) && within(one.ended)) ?? [];
    const known = ofKey.get(key) ?? [];
    // a console restart quiets lasting outages, but not alarms
    const isAlarm = (one: ProblemPeriod) =>
      known.some(({ began, last }) => one.began === began || one.began === last) ||
      (!one.excused && dueOf(one) <= (one.ended ?? now));
    const cause = related.findLast(isAlarm);
    if (!cause) return [];
    return known.filter(
      ({ began, last, recovered }) =>
        // under a cause closed by a person it would be in no list
        began <= cause.began &&
        cause.began <= last &&
        (recovered === null || recovered >= (cause.ended ?? Number.POSITIVE_INFINITY)),
    );
  }
}

/** Keeps the highest number. */
function countHits({ now, ancestorsOf, uncovered }: Facts, { periods, latest }: Omit<State, 'incidents'>): void {
  const hit = new Map<Incident, { devices: number; clients: number | null }>();
  for (const period of [...[...periods.values()].map((list) => list.at(-1)!), ...uncovered]) {
    if (period.ended !== null || !isOffline(period) || period.kind === 'uplink_lost') continue;
    for (const key of ancestorsOf(period)) {
      const incident = latest.get(key);
      const cause = periods.get(key)?.at(-1);
      if (!incident || incident.recovered !== null || !cause || !isRelated(period, cause, now)) continue;
      const { devices, clients } = hit.get(incident) ?? { devices: 0, clients: null };
      hit.set(incident, { devices: devices + 1, clients: plus(clients, period.clients) });
    }
  }
  for (const [incident, { devices, clients }] of hit) {
    const own = incident.serial === null || incident.kind === 'uplink_lost' ? 0 : 1;
    incident.devicesHit = Math.max(incident.devicesHit, devices + own);
    if (clients !== null) incident.clientsHit = Math.max(incident.clientsHit ?? 0, clients);
  }
}
