import { type Actor, type AlarmKind, type AlarmLevel, allows, home as contract, type DataOf } from '@yunxun/contract';
import type { Tx } from '../../platform/database/index.ts';
import { incidents, type NetworkProblem } from '../alarms/index.ts';
import { deviceOutages, fleetNetworks } from '../fleet/index.ts';

type OfflineNetwork = Awaited<ReturnType<typeof deviceOutages.offlineNetworks>>[number];

type Problems = DataOf<typeof contract.problems>;
type Row = Omit<Problems['list'][number], 'remark'>;
type Problem = Row['problems'][number];

const kinds = {
  ap: 'ap_offline',
  switch: 'switch_offline',
  gateway: 'gateway_offline',
} as const satisfies Record<OfflineNetwork['kind'], AlarmKind>;

export async function problemsNow(tx: Tx, actor: Actor, now: Date): Promise<Problems> {
  const { accountId } = actor;
  const rows = await troubledNetworks(tx, actor, now);
  const list = rows.slice(0, contract.homeLimits.problems);
  const names = await fleetNetworks.names(
    tx,
    accountId,
    list.flatMap(({ gwid }) => gwid ?? []),
  );
  const { networks } = await deviceOutages.measuredBy(tx, accountId, now);
  return {
    as_of: now.toISOString(),
    list: list.map((row) => ({ ...row, remark: (row.gwid && names.get(row.gwid)) ?? '' })),
    total: rows.length,
    networks,
  };
}

/** Finds active alarms, and lost connections without one, by network: the worst first. */
export async function troubledNetworks(tx: Tx, actor: Actor, now: Date): Promise<Row[]> {
  const { accountId } = actor;
  const mayAlarms = allows(actor, 'message.read');
  const alarms = mayAlarms ? await incidents.problems(tx, accountId, contract.homeLimits.problemsEach) : [];
  const covered = mayAlarms ? await incidents.offlineNetworks(tx, accountId) : new Map<string, boolean>();
  const rows = new Map<string | null, Row>();
  for (const alarm of alarms) {
    const row = rows.get(alarm.gwid) ?? ofAlarms(alarm);
    row.problems.push(problemOf(alarm));
    rows.set(alarm.gwid, row);
  }
  for (const lost of await deviceOutages.offlineNetworks(tx, accountId, now)) {
    const byAlarm = covered.get(lost.gwid);
    if (byAlarm === true || (byAlarm === false && !lost.whole)) continue;
    const row = rows.get(lost.gwid) ?? ofLost(lost);
    if (row.problems.length < contract.homeLimits.problemsEach) row.problems.push(problemOfLost(lost));
    row.total += 1;
    rows.set(lost.gwid, row);
  }
  return [...rows.values()].toSorted(worstFirst);
}

const ofAlarms = ({ gwid, level, began_at, clients, total }: NetworkProblem): Row => ({
  gwid,
  level,
  since: began_at.toISOString(),
  clients,
  problems: [],
  total,
});

const ofLost = ({ gwid, since, clients }: OfflineNetwork): Row => ({
  gwid,
  level: null,
  since: since?.toISOString() ?? null,
  clients,
  problems: [],
  total: 0,
});

function problemOf(alarm: NetworkProblem): Problem {
  const { id, kind, level, serial, name, part, began_at, devices_hit: devices, clients_hit: clients } = alarm;
  return { alarm_id: id, kind, level, serial, name, part, since: began_at.toISOString(), devices, clients };
}

function problemOfLost({ whole, kind, serial, name, since, devices, clients }: OfflineNetwork): Problem {
  return {
    alarm_id: null,
    kind: whole ? 'network_offline' : kinds[kind],
    level: null,
    part: '',
    devices,
    clients,
    serial,
    name: serial ? name : '',
    since: since?.toISOString() ?? null,
  };
}

const order: readonly (AlarmLevel | null)[] = ['FATAL', 'MIDDLE', 'GENERAL', null];

/** Sorts by level, clients, duration. */
function worstFirst(a: Row, b: Row): number {
  return (
    order.indexOf(a.level) - order.indexOf(b.level) ||
    (b.clients ?? 0) - (a.clients ?? 0) ||
    (a.since ?? '9').localeCompare(b.since ?? '9') ||
    (a.gwid ?? '').localeCompare(b.gwid ?? '')
  );
}
