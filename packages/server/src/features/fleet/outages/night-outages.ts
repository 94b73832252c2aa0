import type { OutageCause } from '@yunxun/contract';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import { downtimesSince, runningSince } from '../../../telemetry/heartbeat.ts';
import { joinLatest, latestTerminals } from '../../../telemetry/read.ts';
import { maintenanceOpenings } from '../maintenance/windows.ts';
import { rangesOf, secondsOf } from './outage-ranges.ts';
import { outagesSince } from './outage-store.ts';

export interface NightSpan {
  from: Date;
  /** At most `now`. */
  to: Date;
  now: Date;
}

export interface NightOutage {
  gwid: string;
  remark: string;
  cause: OutageCause;
  planned: 'own' | 'maintenance' | null;
  began_at: Date;
  /** Null: one lasts. */
  ended_at: Date | null;
  seconds: number;
  times: number;
  devices: number;
  whole: boolean;
  clients: number | null;
  clients_unknown: number;
}

/** Seconds. */
export const shortestS = 60;
/** Milliseconds: a device may be recorded offline this long before its gateway. */
const foldMs = 5 * 60_000;
const dayMs = 86_400_000;

/** Gives devices the cause of their gateway's outage. */
export async function nightOutages(tx: Tx, accountId: string, span: NightSpan): Promise<NightOutage[]> {
  const { from, to, now } = span;
  const gaps = await downtimesSince(tx, from, now);
  const consoleUpSince = await runningSince(tx, now);
  // earlier outages may have begun in a window
  const windows = await maintenanceOpenings(tx, accountId, { from: new Date(from.getTime() - dayMs), to });
  const { rows } = await sql<NightOutage>`
    with away as materialized (
      select o.serial, o.began_at, o.ended_at, o.cause, o.clients
      from (${outagesSince(accountId, from, { now, consoleUpSince, devices: sql`true` })}) o
      where o.began_at < ${to} and o.cause <> 'console'
    ), kept_windows as materialized (
      select gwid, range_agg(tstzrange(opened, closed)) as open
      from unnest(${windows.map(({ gwid }) => gwid)}::uuid[], ${windows.map((one) => one.from)}::timestamptz[],
        ${windows.map((one) => one.to)}::timestamptz[]) w (gwid, opened, closed) group by gwid
    ), hit as (
      select distinct on (a.serial, a.began_at) d.gwid, a.serial, a.began_at, a.ended_at,
        a.serial is not distinct from n.gateway_serial as leads,
        coalesce(g.cause, a.cause) as cause,
        case when coalesce(g.cause, a.cause) = 'planned' then 'own'
          when w.open @> coalesce(g.began_at, a.began_at) then 'maintenance' end as planned,
        coalesce(a.clients, case when a.ended_at is null then ${latestTerminals} end) as clients
      from away a
      join device d on d.account_id = ${accountId} and d.serial = a.serial
      join network n on n.account_id = d.account_id and n.gwid = d.gwid
      left join kept_windows w on w.gwid = n.gwid
      left join away g on g.serial = n.gateway_serial and g.serial <> a.serial
        and a.began_at >= g.began_at - make_interval(secs => ${foldMs / 1000}) and a.began_at < coalesce(g.ended_at, 'infinity')
      ${joinLatest('d')}
      order by a.serial, a.began_at, g.began_at
    ), of_device as (
      select gwid, cause, planned, serial, bool_or(leads) as leads, min(began_at) as began_at,
        max(coalesce(ended_at, 'infinity')) as ended_at, max(clients) as clients,
        range_agg(tstzrange(greatest(began_at, ${from}), least(coalesce(ended_at, ${now}), ${to}))) as out
      from hit group by gwid, cause, planned, serial
    ), grouped as (
      select gwid, cause, planned, bool_or(leads) as leads, count(*)::int as devices, min(began_at) as began_at,
        max(ended_at) as ended_at,
        -- a gateway counts the clients of its access points too
        greatest(sum(clients) filter (where not leads), max(clients) filter (where leads))::int as clients,
        count(*) filter (where clients is null)::int as clients_unknown,
        range_agg(out) - ${rangesOf(gaps)}::tstzmultirange as out
      from of_device group by gwid, cause, planned
    ), members as (
      select gwid, count(*)::int as devices from device
      where account_id = ${accountId} and gwid in (select gwid from grouped) and first_seen < ${to} group by gwid
    )
    select g.gwid, n.remark, g.cause, g.planned, g.began_at, nullif(g.ended_at, 'infinity') as ended_at, s.seconds,
      (select count(*)::int from unnest(g.out)) as times, g.devices, g.leads or g.devices >= coalesce(m.devices, 0) as whole,
      g.clients, g.clients_unknown
    from grouped g join network n on n.account_id = ${accountId} and n.gwid = g.gwid
    left join members m on m.gwid = g.gwid
    cross join lateral (select ${secondsOf(sql`g.out`)} as seconds) s
    where s.seconds >= ${shortestS}
  `.execute(tx);
  return rows;
}
