import type { AlarmKind } from '@yunxun/contract';
import type { Tx } from '../../platform/database/index.ts';
import { grouped } from '../../platform/grouped.ts';
import { runningSince } from '../../telemetry/heartbeat.ts';
import { deviceOutages, fleetDevices } from '../fleet/index.ts';
import { lostConnections, networksToCount } from './absence-periods.ts';
import { type AccountIncident, type Pending, readIncidents, readPending } from './incident-store.ts';
import { isOffline, type Key, keyOf, type ProblemPeriod } from './problem-periods.ts';
import { readAllRules } from './rule-store.ts';
import { covers, type Rules } from './rules.ts';
import type { Observation } from './source.ts';
import type { Sources } from './source-registry.ts';
import { exceeds, mildest, type Rule } from './standard-rules.ts';
import { track } from './tracking.ts';

type Absence = Awaited<ReturnType<typeof deviceOutages.absences>>[number];
type PlacedDevice = Awaited<ReturnType<typeof fleetDevices.placed>>[number];

/** Milliseconds after which an ended outage still becomes an alarm: evaluations may be late. */
export const endedMs = 30 * 60_000;
/**
 * Milliseconds that ended outages serve as causes: a device that returns long after its gateway would be an alarm of
 * its own.
 */
const contextMs = 3 * 60 * 60_000;

const dayMs = 86_400_000;

export interface AccountFacts {
  accountId: string;
  rules: Rules;
  periods: ProblemPeriod[];
  uncovered: ProblemPeriod[];
  held: Set<Key>;
  /** By network; missing without a gateway. */
  gateways: Map<string, Key>;
  incidents: AccountIncident[];
  begun: Pending[];
  over: Pending[];
}

/** In a few queries. System role. */
export async function readFacts(tx: Tx, sources: Pick<Sources, 'read'>, now: Date): Promise<AccountFacts[]> {
  const rules = await readAllRules(tx);
  const incidents = await readIncidents(tx, now);
  const pending = await readPending(tx);
  const open = incidents.filter((one) => one.recovered === null || one.lasts);
  const tracked = (kind: AlarmKind) =>
    [...open, ...pending].flatMap(({ accountId, serial, part, kind: own }) =>
      own === kind && serial !== null ? [{ accountId, serial, part }] : [],
    );
  const trackedNetworks = (kind: AlarmKind) =>
    [...open, ...pending].flatMap(({ accountId, serial, gwid, part, kind: own }) =>
      own === kind && serial === null && gwid !== null ? [{ accountId, gwid, part }] : [],
    );
  const away = await deviceOutages.absences(tx, {
    now,
    since: new Date(now.getTime() - contextMs),
    consoleUpSince: await runningSince(tx, now),
    tracked: open
      .filter(isOffline)
      .flatMap(({ accountId, serial, last }) =>
        serial === null ? [] : [{ accountId, serial, began: new Date(last) }],
      ),
  });
  const observed = await sources.read(tx, {
    now,
    limit: mildest(rules.all),
    tracked,
    trackedNetworks,
    endedSince: new Date(now.getTime() - endedMs),
  });
  const placed = await fleetDevices.placed(tx, [...observed, ...pending].flatMap(refOf));
  const places = new Map(placed.map((place) => [placeKey(place), place]));
  const members = await deviceOutages.membersOfNetworks(tx, networksToCount(away));
  const byAccount = {
    away: grouped(away, (row) => row.account_id),
    observed: grouped(observed, (row) => row.accountId),
    pending: grouped(pending, (row) => row.accountId),
    incidents: grouped(incidents, (row) => row.accountId),
  };
  const accounts = new Set(Object.values(byAccount).flatMap((map) => [...map.keys()]));
  return [...accounts].map((accountId) => {
    const facts: AccountFacts = {
      accountId,
      rules: rules.of(accountId),
      periods: [],
      uncovered: [],
      held: new Set(),
      gateways: new Map(),
      incidents: byAccount.incidents.get(accountId) ?? [],
      begun: [],
      over: [],
    };
    addAbsences(facts, byAccount.away.get(accountId) ?? [], members);
    addObservations(facts, {
      now,
      places,
      observed: byAccount.observed.get(accountId) ?? [],
      pending: byAccount.pending.get(accountId) ?? [],
    });
    return facts;
  });
}

const refOf = ({ accountId, serial }: Pick<Observation, 'accountId' | 'serial'>) =>
  serial === null ? [] : [{ accountId, serial }];
const placeKey = ({ accountId, serial }: { accountId: string; serial: string }) => `${accountId} ${serial}`;

function addAbsences(facts: AccountFacts, away: readonly Absence[], members: ReadonlyMap<string, number>): void {
  const { periods, gateways } = lostConnections(away, members);
  facts.gateways = gateways;
  for (const period of periods)
    (covers(facts.rules, period.kind, period) ? facts.periods : facts.uncovered).push(period);
}

function addObservations(
  facts: AccountFacts,
  known: {
    now: Date;
    places: ReadonlyMap<string, PlacedDevice>;
    observed: readonly Observation[];
    pending: readonly Pending[];
  },
): void {
  const { now, places } = known;
  const waiting = new Map(known.pending.map((one) => [observationKey(one), one]));
  const seen = new Set<string>();
  for (const one of known.observed) {
    const place = placeOf(one, places);
    if (!place) continue;
    const key = observationKey(one);
    seen.add(key);
    const pending = waiting.get(key);
    const covered = covers(facts.rules, one.kind, place);
    const rule = facts.rules.at(one.kind, place);
    const dated = dateOf(one, rule);
    const isProblem = isBad(one, rule) && covered && (dated === null || dated <= now);
    if (!isProblem && !pending) continue;
    const since = (dated ?? pending?.since)?.getTime() ?? null;
    const { period } = track(since, isProblem ? 'problem' : 'fine', now.getTime(), false);
    if (covered && period) {
      period.ended ??= one.ended?.getTime() ?? null;
      facts.periods.push({
        kind: one.kind,
        serial: one.serial,
        part: one.part,
        gwid: place.gwid,
        groupId: place.groupId,
        ...period,
        quietUntil: null,
        excused: false,
        value: one.value,
        clients: null,
      });
    }
    if (isProblem && !pending && dated === null) facts.begun.push({ ...pendingOf(one), since: now });
    if (!isProblem && pending) facts.over.push(pending);
  }
  // of others nothing is reported: alarms stay, other problems begin anew
  const alarms = new Set(facts.incidents.filter((one) => one.recovered === null || one.lasts).map(keyOf));
  for (const [key, pending] of waiting) {
    const place = placeOf(pending, places);
    if (!place || seen.has(key)) continue;
    const { kind, serial, part } = pending;
    const subject = keyOf({ kind, serial, part, gwid: place.gwid });
    const isAlarm = alarms.has(subject) && covers(facts.rules, kind, place);
    const { since } = track(pending.since.getTime(), 'silent', now.getTime(), isAlarm);
    if (since === null) facts.over.push(pending);
    else facts.held.add(subject);
  }
}

function isBad({ kind, measured, isProblem }: Observation, { threshold }: Rule): boolean {
  if (measured === undefined) return isProblem;
  return threshold !== null && exceeds(kind, measured, threshold);
}

/** An expiry is a problem the rule's days before. */
function dateOf({ expiresAt, since }: Observation, { threshold }: Rule): Date | null {
  return expiresAt ? new Date(expiresAt.getTime() - (threshold ?? 0) * dayMs) : since;
}

/** Gives a network its own place, without a group. */
function placeOf(
  { accountId, serial, gwid }: Pick<Observation, 'accountId' | 'serial'> & { gwid?: string | null },
  places: ReadonlyMap<string, PlacedDevice>,
): Pick<PlacedDevice, 'gwid' | 'groupId'> | undefined {
  if (serial !== null) return places.get(placeKey({ accountId, serial }));
  return gwid ? { gwid, groupId: null } : undefined;
}

const pendingOf = ({ accountId, kind, serial, gwid, part }: Observation): Omit<Pending, 'since'> => ({
  accountId,
  kind,
  serial,
  gwid: serial === null ? (gwid ?? null) : null,
  part,
});
const observationKey = ({
  kind,
  serial,
  part,
  gwid,
}: Pick<Pending, 'kind' | 'serial' | 'part'> & { gwid?: string | null }) => `${kind} ${serial ?? gwid} ${part}`;
