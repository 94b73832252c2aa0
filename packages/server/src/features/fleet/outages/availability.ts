import { fleetOutages as contract, type DataOf } from '@yunxun/contract';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import { downtimesSince, runningSince } from '../../../telemetry/heartbeat.ts';
import { devicesOfNetworks, outageRanges, secondsOf } from './outage-ranges.ts';

type Availability = DataOf<typeof contract.outageAvailability>;

const hourMs = 3_600_000;
const shown = 200;

interface WindowRow {
  first_seen: Date;
  hours: number;
  measured_s: number;
  out_s: number;
  planned_s: number;
  outages: number;
  out: { from: string; to: string }[] | null;
}

export async function availability(
  tx: Tx,
  accountId: string,
  now: Date,
  of: { serial: string } | { gwid: string },
): Promise<Availability> {
  const from = new Date(now.getTime() - Math.max(...contract.availabilityHours) * hourMs);
  const devices =
    'serial' in of
      ? sql`select serial as key, serial, first_seen from device where account_id = ${accountId} and serial = ${of.serial}`
      : devicesOfNetworks(accountId, sql`n.gwid = ${of.gwid}`);
  const gaps = await downtimesSince(tx, from, now);
  const consoleUpSince = await runningSince(tx, now);
  const { rows } = await sql<WindowRow>`
    with ${outageRanges({ accountId, from, now, consoleUpSince, gaps, devices })}
    select r.first_seen, w.hours, ${secondsOf(sql`whole.range - r.unmeasured`)} as measured_s,
      ${secondsOf(sql`whole.range * r.out`)} as out_s, ${secondsOf(sql`whole.range * r.planned`)} as planned_s,
      (select count(*)::int from unnest(whole.range * r.out)) as outages,
      (select json_agg(json_build_object('from', lower(u), 'to', upper(u)) order by u)
       from (select u from unnest(r.out) u order by u desc limit ${shown}) newest) as out
    from ranges r
    cross join unnest(${[...contract.availabilityHours]}::int[]) w (hours)
    cross join lateral (select tstzmultirange(tstzrange(
      greatest(${now}::timestamptz - make_interval(hours => w.hours), least(r.first_seen, ${now})), ${now})) as range) whole
    order by w.hours
  `.execute(tx);
  return {
    as_of: now.toISOString(),
    since: rows[0]?.first_seen.toISOString() ?? null,
    windows: contract.availabilityHours.map((hours) => {
      const row = rows.find((each) => each.hours === hours);
      const { measured_s = 0, out_s = 0, planned_s = 0, outages = 0 } = row ?? {};
      return { hours, measured_s, out_s, planned_s, outages, percent: percentOf(measured_s, out_s) };
    }),
    out: (rows[0]?.out ?? []).map(spanOf),
    console: gaps.map((gap) => spanOf(gap)),
  };
}

/** Percent is null if nothing was measured. */
export interface NetworkAvailability {
  gwid: string;
  remark: string;
  percent: number | null;
  measured_s: number;
  out_s: number;
  planned_s: number;
}

/** Uses one query for all networks. */
export async function availabilityOfNetworks(
  tx: Tx,
  accountId: string,
  now: Date,
  hours: number,
): Promise<NetworkAvailability[]> {
  const from = new Date(now.getTime() - hours * hourMs);
  return networkAvailability(tx, accountId, { from, to: now, now });
}

/** Takes a span that does not end after `now`. */
export async function networkAvailability(
  tx: Tx,
  accountId: string,
  { from, to, now }: { from: Date; to: Date; now: Date },
): Promise<NetworkAvailability[]> {
  const gaps = await downtimesSince(tx, from, now);
  const consoleUpSince = await runningSince(tx, now);
  const { rows } = await sql<Omit<NetworkAvailability, 'percent'>>`
    with ${outageRanges({ accountId, from, now, consoleUpSince, gaps, devices: devicesOfNetworks(accountId, sql`true`) })}
    select n.gwid, n.remark, ${secondsOf(sql`whole.range - r.unmeasured`)} as measured_s,
      ${secondsOf(sql`whole.range * r.out`)} as out_s, ${secondsOf(sql`whole.range * r.planned`)} as planned_s
    from network n left join ranges r on r.key = n.gwid::text
    cross join lateral (select tstzmultirange(tstzrange(
      greatest(${from}::timestamptz, least(r.first_seen, ${to})), ${to}::timestamptz)) as range) whole
    where n.account_id = ${accountId}
  `.execute(tx);
  return rows.map((row) => ({ ...row, percent: percentOf(row.measured_s, row.out_s) }));
}

/** Rounds down: an outage never reads 100 %. */
function percentOf(measured: number, out: number): number | null {
  return measured > 0 ? Math.floor(((measured - out) / measured) * 100_000) / 1000 : null;
}

function spanOf({ from, to }: { from: string | Date; to: string | Date }): { from: string; to: string } {
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
}
