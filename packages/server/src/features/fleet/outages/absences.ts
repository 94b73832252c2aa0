import type { DeviceKind } from '@yunxun/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import { joinLatest, latestTerminals } from '../../../telemetry/read.ts';
import { consoleGraceMs, plannedLimitMs } from './cause.ts';

export interface Absence {
  account_id: string;
  serial: string;
  gwid: string;
  group_id: string | null;
  kind: DeviceKind;
  leads: boolean;
  gateway_serial: string | null;
  began_at: Date;
  ended_at: Date | null;
  /** End of the console's own work or downtime. */
  quiet_until: Date | null;
  excused: boolean;
  /** In the last report. */
  clients: number | null;
}

export interface OutageKey {
  accountId: string;
  serial: string;
  began: Date;
}

/**
 * Returns absences in networks of all accounts: lasting ones, those that ended after `since`, and `tracked` ones. One
 * that ended after `now` lasts. System role.
 * @param consoleUpSince when devices could connect again
 */
export async function absences(
  tx: Tx,
  {
    now,
    since,
    consoleUpSince,
    tracked,
  }: { now: Date; since: Date; consoleUpSince: Date | null; tracked: readonly OutageKey[] },
): Promise<Absence[]> {
  // may have returned during the downtime
  const isExcused = sql`o.cause in ('console', 'planned') or coalesce(o.began_at < ${consoleUpSince}::timestamptz
    and o.ended_at <= ${consoleUpSince}::timestamptz + ${interval(consoleGraceMs)}, false)`;
  const { rows } = await sql<Absence>`
    with tracked as (
      select * from unnest(${tracked.map((one) => one.accountId)}::uuid[], ${tracked.map((one) => one.serial)}::text[],
        ${tracked.map((one) => one.began)}::timestamptz[]) as t (account_id, serial, began_at)
    ), away as (
      ${lasting(now, consoleUpSince)}
      union all
      select o.account_id, o.serial, o.began_at, case when o.ended_at <= ${now} then o.ended_at end, ${isExcused}, null,
        o.clients
      from device_outage o where o.ended_at > ${since} and o.began_at <= ${now}
      union all
      select o.account_id, o.serial, o.began_at, o.ended_at, ${isExcused}, null, o.clients
      from tracked t join device_outage o using (account_id, serial, began_at) where o.ended_at <= ${since}
    )
    ${placed}
  `.execute(tx);
  return rows;
}

/**
 * Returns absences of an account that last or ended after `since`, the newest `limit`. Only their own cause excuses
 * them; the caller handles console downtime. Devices count in today's network.
 */
export async function pastAbsences(
  tx: Tx,
  accountId: string,
  { now, since, consoleUpSince, limit }: { now: Date; since: Date; consoleUpSince: Date | null; limit: number },
): Promise<Absence[]> {
  const { rows } = await sql<Absence>`
    with away as (
      ${lasting(now, consoleUpSince)} and d.account_id = ${accountId}
      union all
      (select o.account_id, o.serial, o.began_at, o.ended_at, o.cause in ('console', 'planned'), null, o.clients
       from device_outage o where o.account_id = ${accountId} and o.ended_at > ${since}
       order by o.ended_at desc limit ${limit})
    )
    ${placed}
  `.execute(tx);
  return rows;
}

/** Counts devices that ever connected; null if none. */
export async function connectedDevices(tx: Tx, accountId: string): Promise<{ since: Date | null; devices: number }> {
  const { rows } = await sql<{ since: Date | null; devices: number }>`
    select min(first_seen) as since, count(first_seen)::int as devices from device where account_id = ${accountId}
  `.execute(tx);
  return rows[0]!;
}

function interval(ms: number): RawBuilder<unknown> {
  return sql`make_interval(secs => ${ms / 1000})`;
}

/** Selects lasting absences, with the time until which the console explains them. */
function lasting(now: Date, consoleUpSince: Date | null): RawBuilder<unknown> {
  return sql`
    select d.account_id, d.serial, d.offline_since as began_at, null::timestamptz as ended_at, false as excused,
      greatest(
        case when d.offline_cause = 'console' or d.offline_since < ${consoleUpSince}::timestamptz
          then greatest(d.offline_since, ${consoleUpSince}::timestamptz) + ${interval(consoleGraceMs)} end,
        case when d.offline_cause = 'planned' or d.restarting_since >= d.offline_since - ${interval(plannedLimitMs)}
          then d.offline_since + ${interval(plannedLimitMs)} end) as quiet_until,
      null::integer as clients
    from device d where not d.online and d.first_seen is not null and d.offline_since < ${now}`;
}

/**
 * One look-up per absence: row security hides from the planner how many devices an account has, and a loop over all
 * absences for each of 10,000 devices took more than 30 s.
 */
const placed = sql`
  select a.account_id, a.serial, a.began_at, a.ended_at, a.excused, a.quiet_until, place.gwid, place.group_id, place.kind,
    place.leads, place.gateway_serial, coalesce(a.clients, place.clients) as clients
  from away a cross join lateral (
    select d.gwid, d.group_id, d.kind, n.gateway_serial is not distinct from d.serial as leads,
      (select g.serial from device g
       where g.account_id = n.account_id and g.serial = n.gateway_serial and g.first_seen is not null) as gateway_serial,
      ${latestTerminals} as clients
    from device d join network n on n.account_id = d.account_id and n.gwid = d.gwid
    ${joinLatest('d')}
    where d.account_id = a.account_id and d.serial = a.serial offset 0) place`;

/** Counts devices that ever connected, by network of any account. System role. */
export async function membersOfNetworks(tx: Tx, gwids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (gwids.length === 0) return new Map();
  const { rows } = await sql<{ gwid: string; devices: number }>`
    select d.gwid, count(*)::int as devices from device d
    join network n on n.account_id = d.account_id and n.gwid = d.gwid
    where d.gwid = any(${[...gwids]}::uuid[]) and d.first_seen is not null
    group by d.gwid
  `.execute(tx);
  return new Map(rows.map(({ gwid, devices }) => [gwid, devices]));
}
