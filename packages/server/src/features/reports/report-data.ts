import type { AlarmLevel, DataOf, DayGap, home, Permission } from '@yunxun/contract';
import type { Tx } from '../../platform/database/index.ts';
import { type Measures, totalsEach } from '../../telemetry/read/index.ts';
import { incidents, type NetworkProblem } from '../alarms/index.ts';
import { lastBackups } from '../backup/index.ts';
import { outdated, pastUpgrades } from '../firmware/index.ts';
import { deviceOutages, fleetNetworks } from '../fleet/index.ts';
import { knownDays, troublesBetween } from '../statistics/index.ts';
import type { ReportSpan } from './report-span.ts';

type NetworkAvailability = Awaited<ReturnType<typeof deviceOutages.availability>>[number];

type Network = DataOf<typeof home.night>['list'][number];
export type Trouble = Network['troubles'][number] & { network: string };

export interface ReportNetwork extends NetworkAvailability {
  /** Bytes of the WAN, or of the radios where no WAN is measured; null without a report. */
  traffic: number | null;
  clients: number | null;
}

export interface ReportDay {
  day: string;
  /** Null without a report. */
  traffic: number | null;
  clients: number | null;
  newClients: number | null;
  gap: DayGap | null;
}

export type OpenAlarm = NetworkProblem & { network: string };

export interface Upkeep {
  /** Models with a firmware older than the newest image. */
  outdated: { model: string; firmware: string }[];
  upgrades: { done: number; failed: number };
  /** Null: backups may not be read. */
  backups: { made: number; never: number } | null;
}

/** A part is null if the person may not see it. */
export interface ReportData {
  /** Of the period. */
  seconds: number;
  networks: number;
  devices: number;
  consoleSeconds: number;
  troubles: Trouble[];
  troubledNetworks: number;
  plannedNetworks: number;
  availability: ReportNetwork[];
  days: ReportDay[] | null;
  alarms: OpenAlarm[] | null;
  upkeep: Upkeep;
}

export interface ReportView {
  accountId: string;
  /** Networks that the person sees; null: all. */
  gwids: readonly string[] | null;
  permissions: readonly Permission[];
}

const severity: Record<AlarmLevel, number> = { FATAL: 0, MIDDLE: 1, GENERAL: 2 };
/** Open alarms of one network. */
const maxAlarms = 10;
const maxUpgrades = 10_000;

/** Requires the narrowed transaction of the person. Statistics are whole hours of the local days. */
export async function readReport(
  tx: Tx,
  { accountId, gwids, permissions }: ReportView,
  span: ReportSpan & { zone: string; now: Date },
): Promise<ReportData> {
  const { from, to, now } = span;
  const may = (permission: Permission) => permissions.includes(permission);
  const between = { from, to, now };
  const all = { alarms: may('message.read'), limit: Number.POSITIVE_INFINITY };
  const night = await troublesBetween(tx, accountId, between, all);
  const availability = await deviceOutages.availability(tx, accountId, between);
  const traffic = may('statistics.read') ? await trafficOf(tx, accountId, gwids, between) : new Map<string, Totals>();
  return {
    seconds: (to.getTime() - from.getTime()) / 1000,
    networks: night.networks,
    devices: night.devices,
    consoleSeconds: night.console_s,
    troubles: night.list.flatMap(({ remark, troubles }) => troubles.map((one) => ({ ...one, network: remark }))),
    troubledNetworks: night.total,
    plannedNetworks: night.planned_total,
    availability: availability.map((one) => ({ ...one, ...(traffic.get(one.gwid) ?? unmeasured) })).toSorted(byTrouble),
    days: may('statistics.read') ? await daysOf(tx, accountId, gwids, span) : null,
    alarms: may('message.read') ? await openAlarms(tx, accountId) : null,
    upkeep: await upkeepOf(tx, accountId, between, {
      gwids: availability.map(({ gwid }) => gwid),
      backups: may('config.read'),
    }),
  };
}

interface Totals {
  traffic: number | null;
  clients: number | null;
}
const unmeasured: Totals = { traffic: null, clients: null };

async function trafficOf(
  tx: Tx,
  accountId: string,
  gwids: readonly string[] | null,
  { from, to }: { from: Date; to: Date },
): Promise<ReadonlyMap<string, Totals>> {
  const want = ['samples', 'networkWan', 'down', 'up', 'clients2g', 'clients5g', 'clients6g'] as const;
  const rows = await totalsEach(tx, accountId, { scope: 'network', ids: gwids, from, to, want });
  return new Map(
    rows
      .filter(({ samples }) => samples > 0)
      .map((row) => [row.id, { traffic: bytesOf(row), clients: wirelessOf(row) }]),
  );
}

/** Without wired clients, which the gateway and each switch on the way report, wireless ones behind them included. */
function wirelessOf(row: Pick<Measures, 'clients2g' | 'clients5g' | 'clients6g'>): number | null {
  const known = [row.clients2g, row.clients5g, row.clients6g].filter((clients) => clients !== null);
  return known.length === 0 ? null : known.reduce((sum, clients) => sum + clients, 0);
}

function bytesOf({ networkWan, down, up }: { networkWan: number; down: number; up: number }): number {
  return networkWan > 0 ? networkWan : down + up;
}

async function daysOf(
  tx: Tx,
  accountId: string,
  gwids: readonly string[] | null,
  { firstDay: from, lastDay: to, zone, now }: ReportSpan & { zone: string; now: Date },
): Promise<ReportDay[]> {
  const days = await knownDays(tx, { accountId, gwids, from, to, zone, now }, ['networkWan', 'down', 'up']);
  return days.map(({ date, reports, users, gap }) => ({
    day: date,
    traffic: reports ? bytesOf(reports) : null,
    clients: users?.online ?? null,
    newClients: users?.newUsers ?? null,
    gap,
  }));
}

async function openAlarms(tx: Tx, accountId: string): Promise<OpenAlarm[]> {
  const alarms = await incidents.problems(tx, accountId, maxAlarms);
  const names = await fleetNetworks.names(
    tx,
    accountId,
    alarms.flatMap(({ gwid }) => gwid ?? []),
  );
  return alarms
    .map((alarm) => ({ ...alarm, network: (alarm.gwid && names.get(alarm.gwid)) ?? '' }))
    .toSorted((a, b) => severity[a.level] - severity[b.level] || a.began_at.getTime() - b.began_at.getTime());
}

async function upkeepOf(
  tx: Tx,
  accountId: string,
  { from, to }: { from: Date; to: Date },
  { gwids, backups }: { gwids: readonly string[]; backups: boolean },
): Promise<Upkeep> {
  const upgrades = (await pastUpgrades(tx, accountId, { from, limit: maxUpgrades })).filter(({ at }) => at < to);
  const failed = upgrades.filter((one) => one.failed).length;
  const backedUp = async (span: { since?: Date; before?: Date }) =>
    (await lastBackups(tx, accountId, { gwids, ...span })).size;
  const models = (await outdated(tx, accountId)).map(({ model, firmware }) => ({ model, firmware }));
  return {
    // one row for the boards of a model
    outdated: [...new Map(models.map((one) => [JSON.stringify(one), one])).values()],
    upgrades: { done: upgrades.length - failed, failed },
    backups: backups
      ? { made: await backedUp({ since: from, before: to }), never: gwids.length - (await backedUp({})) }
      : null,
  };
}

/** Lowest availability first; unmeasured networks last. */
function byTrouble(a: ReportNetwork, b: ReportNetwork): number {
  return (
    (a.percent ?? 101) - (b.percent ?? 101) ||
    b.out_s - a.out_s ||
    a.remark.localeCompare(b.remark) ||
    a.gwid.localeCompare(b.gwid)
  );
}
