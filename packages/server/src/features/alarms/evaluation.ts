import { sql } from 'kysely';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Database, newId, type Tx } from '../../platform/database/index.ts';
import { enqueue } from '../../platform/jobs/index.ts';
import type { Log } from '../../platform/log.ts';
import { fleetDevices, fleetNetworks, maintenance } from '../fleet/index.ts';
import { accounts } from '../identity/index.ts';
import { type AccountFacts, endedMs, readFacts } from './account-facts.ts';
import { connectionsByTopology, plainAncestors, type Topology, underWans } from './ancestors.ts';
import { announceAlarms } from './announce.ts';
import { type AlarmEvent, type Evaluation, evaluate } from './evaluate.ts';
import type { Facts, Incident } from './facts.ts';
import {
  insertAlarmEvents,
  insertIncidents,
  pruneIncidents,
  readIncidents,
  updateIncidents,
  writePending,
} from './incident-store.ts';
import { type Change, decideNotices } from './notify/decide.ts';
import { firstByNetwork, keyOf, type ProblemPeriod } from './problem-periods.ts';
import { rulesActiveFrom } from './rule-hours.ts';
import { covers, mayCover } from './rules.ts';
import { groupKey, mayShare, sharedPeriods, type UplinkGroup } from './shared-uplinks.ts';
import { silencedSites as silencedSitesOf } from './site-silences.ts';
import type { Sources } from './source-registry.ts';
import { type LostGroup, readUplinks, saveUplinks } from './uplink-store.ts';

export interface EvaluationDeps {
  database: Database;
  bus: Bus;
  clock: Clock;
  log: Log;
  sources: Pick<Sources, 'read'>;
  topology: Topology;
}

const evaluateTask = 'alarms-evaluate';
const minuteMs = 60_000;
/** The rest follows in the next run. */
const maxWritten = 20_000;

export function createEvaluation(
  { database, bus, clock, log, sources, topology }: EvaluationDeps,
  { endDue }: { endDue(): Promise<void> },
) {
  async function run(): Promise<void> {
    const now = clock.now();
    await endDue();
    let written = 0;
    let next = Number.POSITIVE_INFINITY;
    for (const facts of await database.withSystem((tx) => readFacts(tx, sources, now))) {
      // most accounts have nothing new: no transaction
      const always = { windowEnd: () => null, activeFrom: (_problem: object, at: number) => at };
      const known = {
        incidents: facts.incidents,
        ...always,
        ancestorsOf: underWans(plainAncestors(facts), facts.periods),
      };
      const first = evaluate(factsOf(facts, now, known));
      next = Math.min(next, first.nextDue ?? next);
      const isNew = changesOf(facts.incidents, first).length > 0;
      const lost = [...facts.periods, ...facts.uncovered];
      if (!isNew && facts.begun.length === 0 && facts.over.length === 0 && !mayShare(lost, now.getTime())) continue;
      try {
        written += await database.withSystem((tx) => settle(tx, facts, now));
      } catch (error) {
        // unbound meanwhile; the next run rereads
        log.warn({ err: error, account: facts.accountId }, 'alarms of an account not evaluated');
      }
      if (written < maxWritten) continue;
      log.warn({ written }, 'more alarms than one run writes');
      return;
    }
    const waits = next - now.getTime();
    if (waits < minuteMs) await database.withSystem((tx) => runAgain(tx, waits));
  }

  /** Evaluates when the next problem becomes an alarm. */
  function runAgain(tx: Tx, waits: number): Promise<void> {
    const runAt = new Date(Date.now() + waits);
    return enqueue(tx, evaluateTask, {}, { key: `${evaluateTask}-due`, queue: evaluateTask, runAt });
  }

  /**
   * Locks the incidents of an account.
   * @returns how many changed
   */
  async function settle(tx: Tx, facts: AccountFacts, now: Date): Promise<number> {
    const { accountId } = facts;
    await sql`select pg_advisory_xact_lock(hashtextextended(${`alarms ${accountId}`}, 0))`.execute(tx);
    const { time_zone: zone } = await accounts.accountOf(tx, accountId);
    const activeFrom = rulesActiveFrom(facts.rules, zone);
    const before = await readIncidents(tx, now, accountId);
    const lost = [...facts.periods, ...facts.uncovered];
    const stored = await readUplinks(tx, accountId);
    const { shared, groups, unread, ancestorsOf } = await connectionsByTopology(tx, topology, {
      accountId,
      gateways: facts.gateways,
      now,
      periods: lost,
      // what was remembered may have changed since
      remembered: stored.filter((group) => lostGroups([group], sharedPeriods(group, lost), now).some(isSame(group))),
    });
    await saveUplinks(tx, accountId, { before: stored, lost: lostGroups(groups, shared, now) });
    const silencedSites = await silencedSitesOf(tx, accountId, now);
    const periods = [...facts.periods, ...shared.filter((period) => covers(facts.rules, period.kind, period))];
    const windows = await maintenance.windows(tx, accountId, firstByNetwork(periods), now);
    const windowEnd = (gwid: string, at: number) => windows(gwid, new Date(at))?.getTime() ?? null;
    const unknown = before.filter(({ kind, gwid }) => kind === 'uplink_lost' && unread.has(gwid)).map(keyOf);
    const known = { ...facts, periods, held: new Set([...facts.held, ...unknown]) };
    const evaluation = evaluate(
      factsOf(known, now, {
        incidents: before,
        windowEnd,
        activeFrom,
        silencedSites,
        ancestorsOf: underWans(ancestorsOf, periods),
      }),
    );
    // causes precede their dependents
    const changes = changesOf(before, evaluation)
      .toSorted((a, b) => Number(a.cause !== null) - Number(b.cause !== null))
      .slice(0, maxWritten);
    const written = new Set(changes.map(({ id }) => id));
    const old = new Set(before.map(({ id }) => id));
    const opened = changes.filter(({ id }) => !old.has(id));
    await insertIncidents(tx, accountId, await withNames(tx, accountId, opened));
    await updateIncidents(
      tx,
      accountId,
      changes.filter(({ id }) => old.has(id)),
    );
    const events = evaluation.events.filter(({ incident }) => written.has(incident));
    await insertAlarmEvents(tx, accountId, events);
    await decideNotices(tx, accountId, noticed(changes, events));
    await writePending(tx, facts);
    announceAlarms(
      tx,
      bus,
      accountId,
      changes.map((one) => one.gwid),
    );
    return changes.length;
  }

  return {
    run,
    tasks: {
      [evaluateTask]: run,
      'alarms-prune': async () => {
        const deleted = await pruneIncidents(database.system, clock.now());
        if (deleted > 0) log.info({ deleted }, 'old alarms deleted');
      },
    },
    schedules: [
      // an older run would recover what a newer one opened
      { task: evaluateTask, cron: '* * * * *', exclusive: true as const },
      { task: 'alarms-prune', cron: '53 * * * *' },
    ],
  };
}

/** Returns groups lost now or lately, with the begin of the loss. */
function lostGroups(groups: readonly UplinkGroup[], shared: readonly ProblemPeriod[], now: Date): LostGroup[] {
  return groups.flatMap(({ gwid, parent, part, members }) => {
    const key = groupKey({ gwid, parent, part });
    const last = shared.findLast((period) => keyOf(period) === key);
    if (!last || (last.ended !== null && last.ended < now.getTime() - endedMs)) return [];
    return [{ gwid, parent, part, members, lostAt: new Date(last.began) }];
  });
}

const isSame = (one: LostGroup) => (other: LostGroup) => one.lostAt.getTime() === other.lostAt.getTime();

function factsOf(
  { rules, periods, uncovered, held }: AccountFacts,
  now: Date,
  known: Pick<Facts, 'incidents' | 'windowEnd' | 'activeFrom' | 'ancestorsOf' | 'silencedSites'>,
): Facts {
  return {
    now: now.getTime(),
    rules,
    periods,
    uncovered,
    held,
    newId,
    ...known,
    openSince: now.getTime() - endedMs,
    // without periods only the rule's switch counts
    isCovered: ({ kind, gwid }) => mayCover(rules, kind, gwid),
  };
}

function changesOf(before: readonly Incident[], { incidents }: Evaluation): Incident[] {
  const known = new Map(before.map((one) => [one.id, one]));
  return incidents.filter((one) => {
    const was = known.get(one.id);
    return !was || (Object.keys(one) as (keyof Incident)[]).some((key) => one[key] !== was[key]);
  });
}

function noticed(changes: readonly Incident[], events: readonly AlarmEvent[]): Change[] {
  const byId = new Map(changes.map((one) => [one.id, one]));
  return events.map(({ incident, type, at }) => {
    const { id, kind, level, state, gwid, serial, cause } = byId.get(incident)!;
    return { id, kind, level, state, gwid, serial, cause, type, at: new Date(at) };
  });
}

async function withNames(tx: Tx, accountId: string, incidents: readonly Incident[]) {
  if (incidents.length === 0) return [];
  const gwids = incidents.map((one) => one.gwid);
  const serials = incidents.flatMap((one) => one.serial ?? []);
  const networks = await fleetNetworks.names(tx, accountId, gwids);
  const devices = await fleetDevices.names(tx, accountId, serials);
  return incidents.map((one) => {
    const network = networks.get(one.gwid) ?? '';
    return { ...one, network, name: one.serial === null ? network : (devices.get(one.serial)?.name ?? '') };
  });
}
