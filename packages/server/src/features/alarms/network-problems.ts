import type { AlarmKind, AlarmLevel } from '@yunxun/contract';
import { type RawBuilder, sql } from 'kysely';
import { countsAt, type Lasting, timesBefore } from '../../platform/curve.ts';
import type { Tx } from '../../platform/database/index.ts';
import type { AlarmTable } from './tables.ts';

/** Not recovered, silenced or caused. */
const active = sql`a.state in ('firing', 'acknowledged') and a.cause_id is null`;
const severity = sql`array_position(array['FATAL', 'MIDDLE', 'GENERAL'], a.level)`;
const offline = sql`a.kind in ('network_offline', 'gateway_offline', 'switch_offline', 'ap_offline')`;

export interface NetworkProblem
  extends Pick<AlarmTable, 'gwid' | 'id' | 'kind' | 'level' | 'serial' | 'name' | 'part' | 'began_at'> {
  devices_hit: number;
  clients_hit: number | null;
  total: number;
  clients: number | null;
}

/** Up to `each` by network, and of the account. */
export async function networkProblems(tx: Tx, accountId: string, each: number): Promise<NetworkProblem[]> {
  const { rows } = await sql<NetworkProblem>`
    with a as materialized (
      select a.*, ${severity} as severity from alarm a where a.account_id = ${accountId} and ${active}
    ), clients as (
      select gwid, sum(clients)::int as clients
      from (select gwid, max(clients_hit) as clients from a group by gwid, serial) one group by gwid
    )
    select * from (
      select a.gwid, a.id, a.kind, a.level, a.serial, a.name, a.part, a.began_at, a.devices_hit, a.clients_hit,
        count(*) over (partition by a.gwid)::int as total, c.clients,
        row_number() over (partition by a.gwid order by severity, a.began_at, a.id) as place
      from a join clients c on c.gwid is not distinct from a.gwid) placed
    where place <= ${each} order by gwid, place
  `.execute(tx);
  return rows;
}

/** Includes silenced alarms; returns whether the whole network is covered. */
export async function networksWithOfflineAlarms(tx: Tx, accountId: string): Promise<ReadonlyMap<string, boolean>> {
  const { rows } = await sql<{ gwid: string; whole: boolean }>`
    select a.gwid, bool_or(a.kind in ('network_offline', 'gateway_offline')) as whole from alarm a
    where a.account_id = ${accountId} and (a.state <> 'recovered' or a.lasts) and ${offline} group by a.gwid
  `.execute(tx);
  return new Map(rows.map(({ gwid, whole }) => [gwid, whole]));
}

export async function alarmsByNetwork(
  tx: Tx,
  accountId: string,
): Promise<ReadonlyMap<string, Record<AlarmLevel, number>>> {
  const count = (level: AlarmLevel): RawBuilder<unknown> => sql`count(*) filter (where a.level = ${level})::int`;
  const { rows } = await sql<{ gwid: string } & Record<AlarmLevel, number>>`
    select a.gwid, ${count('FATAL')} as "FATAL", ${count('MIDDLE')} as "MIDDLE", ${count('GENERAL')} as "GENERAL"
    from alarm a where a.account_id = ${accountId} and a.gwid is not null and ${active} group by a.gwid
  `.execute(tx);
  return new Map(rows.map(({ gwid, ...counts }) => [gwid, counts]));
}

/** Counts uncaused alarms at ascending times, without those silenced now. */
export async function openAlarmsAt(tx: Tx, accountId: string, times: readonly Date[]): Promise<number[]> {
  const end = sql`coalesce(a.recovered_at, 'infinity')`;
  const { rows } = await sql<Lasting>`
    select ${timesBefore(sql`a.began_at`, times)} as began, ${timesBefore(end, times)} as ended, count(*)::int as count
    from alarm a
    where a.account_id = ${accountId} and a.cause_id is null and a.state <> 'silenced'
      and (a.state <> 'recovered' or a.recovered_at > ${times[0]})
    group by 1, 2
  `.execute(tx);
  return countsAt(rows, times.length);
}

export interface PastProblem {
  gwid: string;
  network: string;
  kind: AlarmKind;
  began_at: Date;
  ended_at: Date | null;
  seconds: number;
  times: number;
  devices: number;
  clients: number | null;
  clients_unknown: number;
}

/** Omits alarms below `shortestS` seconds, and lost connections, which outages show more exactly. */
export async function pastProblems(
  tx: Tx,
  accountId: string,
  { from, to, now, shortestS }: { from: Date; to: Date; now: Date; shortestS: number },
): Promise<PastProblem[]> {
  const { rows } = await sql<PastProblem>`
    with of_device as (
      select a.gwid, a.kind, a.serial, max(a.network) as network, min(a.began_at) as began_at,
        max(coalesce(a.recovered_at, 'infinity')) as ended_at, max(a.clients_hit) as clients,
        range_agg(tstzrange(greatest(a.began_at, ${from}), least(coalesce(a.recovered_at, ${now}), ${to}))) as lasted
      from alarm a
      where a.account_id = ${accountId} and a.gwid is not null and a.cause_id is null and not ${offline} and a.began_at < ${to}
        and coalesce(a.recovered_at, 'infinity') > ${from}
      group by a.gwid, a.kind, a.serial
    ), grouped as (
      select gwid, kind, max(network) as network, min(began_at) as began_at, max(ended_at) as ended_at,
        count(*)::int as devices, sum(clients)::int as clients, count(*) filter (where clients is null)::int as clients_unknown,
        range_agg(lasted) as lasted
      from of_device group by gwid, kind
    ), timed as (
      select g.*, (select count(*)::int from unnest(g.lasted)) as times,
        (select coalesce(round(sum(extract(epoch from upper(u) - lower(u)))), 0)::int from unnest(g.lasted) u) as seconds
      from grouped g
    )
    select gwid, network, kind, began_at, nullif(ended_at, 'infinity') as ended_at, seconds, times, devices, clients,
      clients_unknown
    from timed where seconds >= ${shortestS}
  `.execute(tx);
  return rows;
}
