import type { PortalMethodKind } from '@yunxun/contract';
import { sql } from 'kysely';
import { startOfDay } from '../../platform/calendar.ts';
import { countsAt, type Lasting, timesBefore } from '../../platform/curve.ts';
import type { Tx } from '../../platform/database/index.ts';

export interface GuestDay {
  /** Local day, `YYYY-MM-DD`. */
  day: string;
  /** 12 digits; null: none. Unverified: by the browser. */
  mac: string | null;
  /** Of the last session of the day. */
  method: PortalMethodKind;
}

const among = (gwids: readonly string[] | null) => (gwids ? sql` and gwid = any(${[...gwids]}::uuid[])` : sql``);
const mac = sql`replace(mac, ':', '')`;
/** MAC, else the gateway's id. */
const device = sql`coalesce(${mac}, encode(device_key, 'hex'))`;

/** Returns null for each without a MAC. */
export async function guestsNow(
  tx: Tx,
  accountId: string,
  { gwids, now }: { gwids: readonly string[] | null; now: Date },
): Promise<(string | null)[]> {
  const { rows } = await sql<{ mac: string | null }>`
    select distinct on (${device}) ${mac} as mac from portal_session
    where account_id = ${accountId} and state = 'online' and (expires_at is null or expires_at > ${now})${among(gwids)}
    order by ${device}
  `.execute(tx);
  return rows.map((row) => row.mac);
}

/** Counts sessions that were online at ascending times. */
export async function guestsAt(
  tx: Tx,
  accountId: string,
  { gwids, times }: { gwids: readonly string[] | null; times: readonly Date[] },
): Promise<number[]> {
  const end = sql`least(coalesce(ended_at, 'infinity'), coalesce(expires_at, 'infinity'))`;
  const { rows } = await sql<Lasting>`
    select ${timesBefore(sql`granted_at`, times)} as began, ${timesBefore(end, times)} as ended, count(*)::int as count
    from portal_session
    where account_id = ${accountId} and granted_at is not null and (state = 'online' or ended_at >= ${times[0]})${among(gwids)}
    group by 1, 2
  `.execute(tx);
  return countsAt(rows, times.length);
}

/** By MAC: the last session that was online since `from`. */
export async function guestsOf(
  tx: Tx,
  accountId: string,
  asked: { macs: readonly string[]; gwids: readonly string[] | null; from: Date; now: Date },
): Promise<ReadonlyMap<string, { identity: string | null; online: boolean }>> {
  const { macs, gwids, from, now } = asked;
  if (macs.length === 0) return new Map();
  const colons = macs.map((one) => one.replace(/..(?=.)/g, '$&:'));
  const { rows } = await sql<{ mac: string; identity: string | null; online: boolean }>`
    select distinct on (mac) ${mac} as mac, case when verified then identity end as identity,
      state = 'online' and (expires_at is null or expires_at > ${now}) as online
    from portal_session
    where account_id = ${accountId} and mac = any(${colons}) and granted_at <= ${now}${among(gwids)}
      and (state = 'online' or ended_at >= ${from})
    order by mac, granted_at desc
  `.execute(tx);
  return new Map(rows.map(({ mac, ...guest }) => [mac, guest]));
}

/** Counts once per local day online. */
export async function guestDays(
  tx: Tx,
  accountId: string,
  { gwids, from, now, zone }: { gwids: readonly string[] | null; from: string; now: Date; zone: string },
): Promise<GuestDay[]> {
  const start = startOfDay(from, zone);
  const { rows } = await sql<GuestDay>`
    select distinct on (day, device) to_char(day, 'YYYY-MM-DD') as day, mac, method from (
      select ${mac} as mac, ${device} as device, method, granted_at,
        generate_series(
          greatest((granted_at at time zone ${zone})::date, ${from}::date),
          (least(coalesce(ended_at, ${now}), coalesce(expires_at, ${now}), ${now}) at time zone ${zone})::date,
          interval '1 day')::date as day
      from portal_session
      where account_id = ${accountId} and granted_at is not null and granted_at <= ${now}${among(gwids)}
        and (granted_at >= ${start} or state = 'online' or ended_at >= ${start})
    ) session order by day, device, granted_at desc
  `.execute(tx);
  return rows;
}
