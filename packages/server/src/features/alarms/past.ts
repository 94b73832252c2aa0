import { type AlarmKind, alarmBacktest } from '@yunxun/contract';
import { alarmKinds } from '@yunxun/contract/alarm-kinds';
import type { Tx } from '../../platform/database/index.ts';
import { grouped } from '../../platform/grouped.ts';
import { downtimesSince, runningSince } from '../../telemetry/heartbeat.ts';
import {
  type LevelTurn,
  levelStepS,
  levelsSince,
  levelTurns,
  type PastLevel,
  type PoolSizes,
} from '../../telemetry/read/past-levels.ts';
import { deviceOutages, fleetDevices, maintenance } from '../fleet/index.ts';
import { accounts } from '../identity/index.ts';
import { lostConnections, networksToCount } from './absence-periods.ts';
import { connectionsByTopology, type Topology } from './ancestors.ts';
import type { Facts } from './facts.ts';
import { firstByNetwork, isOffline, offlineKinds, type ProblemPeriod } from './problem-periods.ts';
import type { AlarmHistory, StoredProblem } from './source.ts';
import type { Sources } from './source-registry.ts';
import type { Rule } from './standard-rules.ts';

type PlacedDevice = Awaited<ReturnType<typeof fleetDevices.placed>>[number];

const dayMs = 86_400_000;
/** Latest only. */
const maxRead = 10_000;
/** More rows shorten the time. */
const maxLevelRows = 1_500_000;

export interface History {
  historyOf: Sources['historyOf'];
  topology: Topology;
}

type LevelHistory = Extract<AlarmHistory, { level: PastLevel }>;

/** Returns null for kinds without stored levels. */
export function levelsOf(history: AlarmHistory): LevelHistory | null {
  return history !== null && typeof history === 'object' && 'level' in history ? history : null;
}

/**
 * Returns the pools that leases are percentages of.
 * @param only one gateway instead of all
 */
export async function poolsOf(
  tx: Tx,
  accountId: string,
  history: LevelHistory,
  only?: string,
): Promise<{ pools?: PoolSizes }> {
  return history.level === 'leases' ? { pools: await history.pools(tx, accountId, only) } : {};
}

/** Returns seconds; null: exact times. */
export function stepOf(history: AlarmHistory): number | null {
  return levelsOf(history) ? levelStepS : null;
}

export interface PastLevels {
  kind: AlarmKind;
  threshold: number;
  devices: { place: PlacedDevice; turns: LevelTurn[] }[];
}

/** An account's last 30 days. */
export interface Past extends Pick<Facts, 'ancestorsOf' | 'windowEnd'> {
  now: Date;
  zone: string;
  /** Null: unknown. */
  since: ReadonlyMap<AlarmKind, Date | null>;
  periods: ProblemPeriod[];
  levels: PastLevels[];
  downtimes: { from: Date; to: Date }[];
}

/**
 * Counts devices in today's network.
 * @param rules rules to test
 */
export async function readPast(
  tx: Tx,
  accountId: string,
  { historyOf, topology }: History,
  { now, kinds, rules }: { now: Date; kinds: ReadonlySet<AlarmKind>; rules: readonly Rule[] },
): Promise<Past> {
  const { time_zone: zone } = await accounts.accountOf(tx, accountId);
  const connected = await deviceOutages.connectedDevices(tx, accountId);
  const from = testedFrom(connected.since, now);
  const since = new Map<AlarmKind, Date | null>();
  for (const kind of kinds) since.set(kind, historyOf(kind) === null ? null : from);
  const past: Past = {
    now,
    zone,
    since,
    periods: [],
    levels: [],
    windowEnd: () => null,
    ancestorsOf: () => [],
    downtimes: await downtimesSince(tx, from, now),
  };
  if ([...kinds].some((kind) => offlineKinds.has(kind))) {
    const begin = await addLost(tx, topology, { accountId, past, from });
    for (const kind of kinds) if (offlineKinds.has(kind)) since.set(kind, begin);
  }
  for (const kind of kinds) {
    const history = historyOf(kind);
    if (history === null || history === 'connections') continue;
    if ('read' in history) {
      const problems = await history.read(tx, accountId, { now, from, limit: maxRead });
      const begun = problems.filter(({ since: at }) => at >= from);
      past.periods.push(...(await placedProblems(tx, accountId, kind, begun)));
      continue;
    }
    const { level } = history;
    const begin = await beginOfLevels(tx, accountId, { level, now, from, devices: connected.devices });
    const limits = rules.flatMap((rule) => (rule.kind === kind ? (rule.threshold ?? []) : []));
    const pools = await poolsOf(tx, accountId, history);
    const found = await levelTurns(tx, accountId, { level, limits, from: begin, to: now, ...pools });
    since.set(kind, found.since);
    for (const [threshold, turns] of grouped(found.turns, ({ limit }) => limit))
      past.levels.push({ kind, threshold, devices: await placedTurns(tx, accountId, turns) });
  }
  const levels = past.levels.flatMap(({ devices }) =>
    devices.map(({ place: { gwid } }) => ({ gwid, began: from.getTime() })),
  );
  const windows = await maintenance.windows(tx, accountId, firstByNetwork([...past.periods, ...levels]), now);
  return { ...past, windowEnd: (gwid, at) => windows(gwid, new Date(at))?.getTime() ?? null };
}

/** Returns since when a rule about a level is tested. */
export async function pastLevelsFrom(tx: Tx, accountId: string, level: PastLevel, now: Date): Promise<Date> {
  const { since, devices } = await deviceOutages.connectedDevices(tx, accountId);
  return beginOfLevels(tx, accountId, { level, now, from: testedFrom(since, now), devices });
}

const testedFrom = (since: Date | null, now: Date): Date =>
  later(new Date(now.getTime() - alarmBacktest.backtestLimits.days * dayMs), since ?? now);

async function beginOfLevels(
  tx: Tx,
  accountId: string,
  { level, now, from, devices }: { level: PastLevel; now: Date; from: Date; devices: number },
): Promise<Date> {
  const first = (await levelsSince(tx, accountId, level)) ?? now;
  return later(later(from, first), new Date(now.getTime() - levelSpanMs(devices)));
}

export function levelSpanMs(devices: number): number {
  const stepMs = levelStepS * 1000;
  const wholeMs = (maxLevelRows * stepMs) / Math.max(1, devices);
  return Math.floor(wholeMs / stepMs) * stepMs;
}

/**
 * Adds their topology.
 * @returns since when they are known
 */
async function addLost(
  tx: Tx,
  topology: Topology,
  { accountId, past, from }: { accountId: string; past: Past; from: Date },
): Promise<Date> {
  const { now } = past;
  const consoleUpSince = await runningSince(tx, now);
  const away = await deviceOutages.pastAbsences(tx, accountId, { now, since: from, consoleUpSince, limit: maxRead });
  const ended = away.flatMap(({ ended_at }) => ended_at ?? []);
  const lost = lostConnections(away, await deviceOutages.membersOfNetworks(tx, networksToCount(away)));
  past.periods.push(...lost.periods);
  const { ancestorsOf, shared } = await connectionsByTopology(tx, topology, { accountId, ...lost, now });
  past.periods.push(...shared);
  past.ancestorsOf = ancestorsOf;
  if (ended.length < maxRead) return from;
  return new Date(ended.reduce((first, at) => Math.min(first, at.getTime()), now.getTime()));
}

async function placedProblems(
  tx: Tx,
  accountId: string,
  kind: AlarmKind,
  problems: readonly StoredProblem[],
): Promise<ProblemPeriod[]> {
  const places = await placesOf(
    tx,
    accountId,
    problems.map(({ serial }) => serial),
  );
  return problems.flatMap(({ serial, part, since, ended }) => {
    const place = places.get(serial);
    return place ? [{ ...periodAt(kind, place), part, began: since.getTime(), ended: ended?.getTime() ?? null }] : [];
  });
}

async function placedTurns(tx: Tx, accountId: string, turns: readonly LevelTurn[]): Promise<PastLevels['devices']> {
  const ofDevice = grouped(turns, ({ serial }) => serial);
  const places = await placesOf(tx, accountId, [...ofDevice.keys()]);
  return [...ofDevice].flatMap(([serial, own]) => {
    const place = places.get(serial);
    return place ? [{ place, turns: own }] : [];
  });
}

async function placesOf(tx: Tx, accountId: string, serials: readonly string[]): Promise<Map<string, PlacedDevice>> {
  const refs = [...new Set(serials)].map((serial) => ({ accountId, serial }));
  return new Map((await fleetDevices.placed(tx, refs)).map((place) => [place.serial, place]));
}

export function periodAt(
  kind: AlarmKind,
  { serial, gwid, groupId }: PlacedDevice,
): Omit<ProblemPeriod, 'began' | 'ended'> {
  return { kind, serial, part: '', gwid, groupId, quietUntil: null, excused: false, value: null, clients: null };
}

/** Returns all lost connections together, which cause each other. */
export function decisiveKinds(kind: AlarmKind): ReadonlySet<AlarmKind> {
  return isOffline({ kind }) ? offlineKinds : new Set([kind]);
}

export const allKinds: ReadonlySet<AlarmKind> = new Set(alarmKinds);

function later(a: Date, b: Date): Date {
  return a > b ? a : b;
}
