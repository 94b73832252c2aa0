import { sql } from 'kysely';
import { countsAt, timesBefore } from '../../../platform/curve.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { downtimesSince, runningSince } from '../../../telemetry/heartbeat.ts';
import { outagesSince } from './outage-store.ts';

export interface OnlineAt {
  networks: number | null;
  devices: number | null;
}

interface Rows {
  /** By the number of times before the first connection. */
  seen: { began: number; devices: number; networks: number }[] | null;
  lost: { began: number; ended: number; count: number }[] | null;
  /** Networks of which no device was connected, by time. */
  dark: { place: number; count: number }[] | null;
}

/**
 * Counts connected devices of today's networks, and networks by their gateway or any device, at ascending times. Null
 * in downtimes of the console: nothing was measured.
 */
export async function onlineAt(tx: Tx, accountId: string, times: readonly Date[], now: Date): Promise<OnlineAt[]> {
  const from = times[0]!;
  const gaps = await downtimesSince(tx, from, now);
  const consoleUpSince = await runningSince(tx, now);
  const devices = sql`o.serial in (select serial from own)`;
  const { rows } = await sql<Rows>`
    with own as materialized (
      select m.gwid, m.serial, ${timesBefore(sql`m.first_seen`, times)} as began, m.leads or not m.led as decides
      from (
        select d.gwid, d.serial, d.first_seen, coalesce(d.serial = n.gateway_serial, false) as leads,
          coalesce(bool_or(d.serial = n.gateway_serial) over (partition by d.gwid), false) as led
        from network n join device d on d.account_id = n.account_id and d.gwid = n.gwid
        where n.account_id = ${accountId} and d.first_seen is not null
      ) m
    ), decided as materialized (
      select gwid, min(began) as began, array_agg(began) as each from own where decides group by gwid
    ), lost as materialized (
      select m.gwid, m.serial, m.decides, greatest(m.began, ${timesBefore(sql`o.began_at`, times)}) as began,
        ${timesBefore(sql`coalesce(o.ended_at, 'infinity')`, times)} as ended
      from (${outagesSince(accountId, from, { now, consoleUpSince, devices })}) o join own m on m.serial = o.serial
      where o.cause <> 'console'
    ), dark as (
      select l.gwid, p.place from lost l cross join lateral generate_series(l.began, l.ended - 1) p (place)
      join decided d on d.gwid = l.gwid
      where l.decides group by l.gwid, p.place, d.each
      having count(distinct l.serial) = (select count(*) from unnest(d.each) e (began) where e.began <= p.place)
    )
    select
      (select json_agg(s) from (
        select began, sum(devices)::int as devices, sum(networks)::int as networks from (
          select began, 1 as devices, 0 as networks from own union all select began, 0, 1 from decided) each group by 1) s) as seen,
      (select json_agg(s) from (select began, ended, count(*)::int as count from lost group by 1, 2) s) as lost,
      (select json_agg(s) from (select place, count(*)::int as count from dark group by 1) s) as dark
  `.execute(tx);
  const { seen, lost, dark } = rows[0]!;
  const known = (of: 'devices' | 'networks') =>
    countsAt(
      (seen ?? []).map((row) => ({ began: row.began, ended: times.length, count: row[of] })),
      times.length,
    );
  const [allDevices, allNetworks] = [known('devices'), known('networks')];
  const lostDevices = countsAt(lost ?? [], times.length);
  const darkNetworks = times.map((_, place) => dark?.find((row) => row.place === place)?.count ?? 0);
  return times.map((time, place) =>
    gaps.some((gap) => gap.from <= time && time < gap.to)
      ? { networks: null, devices: null }
      : {
          networks: allNetworks[place]! - darkNetworks[place]!,
          devices: allDevices[place]! - lostDevices[place]!,
        },
  );
}
