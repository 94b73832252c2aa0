import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import { bandAt, nearestTo } from '../client-place.ts';
import { unknownBand } from '../extract/bands.ts';
import type { Scope } from './types.ts';

/** At one access point or port; open without an end. */
export interface ClientSession {
  mac: string;
  serial: string;
  gwid: string;
  ssid: string | null;
  bssid: string | null;
  /** 0 if wired; null if unknown, also behind `serial`. */
  band: number | null;
  ip: string | null;
  ip6: string | null;
  started_at: Date;
  ended_at: Date | null;
  end_reason: string | null;
  down: number;
  up: number;
  rssi_mean: number | null;
  rssi_min: number | null;
}

export interface OfStation extends Scope {
  mac: string;
}

const among = (gwids: readonly string[] | null) => (gwids ? sql` and s.gwid = any(${[...gwids]}::uuid[])` : sql``);

const columns = sql`s.mac, ${sql.raw(nearestTo('s'))} as serial, s.gwid, s.ssid, nullif(s.bssid, '') as bssid,
  nullif(${sql.raw(bandAt('s'))}, ${unknownBand}) as band, s.ip, s.ip6, s.started_at, s.down, s.up,
  s.rssi_min, s.rssi_sum::float8 / nullif(s.rssi_n, 0) as rssi_mean`;

/** Wired sessions of clients that only pass: wireless ones, or listed by their own device. `until`: end of `s`. */
const isNearer = sql`(a.band > 0 or (s.behind is not null and a.behind is null))`;
const seenThrough = (until: RawBuilder<unknown>) => sql`(s.band = 0 and (
  exists (select from station_open a where a.account_id = s.account_id and a.mac = s.mac and ${isNearer} and a.started_at < ${until})
  or exists (select from station_session a where a.account_id = s.account_id and a.mac = s.mac and ${isNearer}
    and a.started_at < ${until} and a.ended_at > s.started_at)))`;

/** Sorts latest first. On a disconnected device they end when last observed. */
export async function openSessions(tx: Tx, accountId: string, { mac, gwids }: OfStation): Promise<ClientSession[]> {
  const { rows } = await sql<ClientSession>`
    select ${columns}, case when l.connected_since is null then s.last_at end as ended_at,
      case when l.connected_since is null then 'lost' end as end_reason
    from station_open s
    left join device_link l on l.account_id = s.account_id and l.serial = s.serial
    where s.account_id = ${accountId} and s.mac = ${mac}${among(gwids)} and not ${seenThrough(sql`now()`)}
    order by s.started_at desc, s.serial, s.bssid
  `.execute(tx);
  return rows;
}

/** Sorts latest first, optionally before a time. */
export async function endedSessions(
  tx: Tx,
  accountId: string,
  { mac, gwids, before, limit, offset = 0 }: OfStation & { before?: Date | null; limit: number; offset?: number },
): Promise<ClientSession[]> {
  const { rows } = await sql<ClientSession>`
    select ${columns}, s.ended_at, s.end_reason from station_session s
    where s.account_id = ${accountId} and s.mac = ${mac}${among(gwids)}${before ? sql` and s.ended_at < ${before}` : sql``}
      and not ${seenThrough(sql`s.ended_at`)}
    order by s.ended_at desc, s.serial, s.bssid limit ${limit} offset ${offset}
  `.execute(tx);
  return rows;
}

export async function countSessions(tx: Tx, accountId: string, { mac, gwids }: OfStation): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from station_session s
    where s.account_id = ${accountId} and s.mac = ${mac}${among(gwids)} and not ${seenThrough(sql`s.ended_at`)}
  `.execute(tx);
  return rows[0]!.total;
}

export async function roamsSince(
  tx: Tx,
  accountId: string,
  { mac, gwids, since }: OfStation & { since: Date },
): Promise<number> {
  const { rows } = await sql<{ roams: number }>`
    select count(*) as roams from station_session s
    where account_id = ${accountId} and mac = ${mac} and ended_at >= ${since} and end_reason = 'roam'${among(gwids)}
  `.execute(tx);
  return rows[0]!.roams;
}

export interface Quarter {
  at: Date;
  down: number;
  up: number;
  rssi: number | null;
}

/** Sorts oldest first; absences are missing. */
export async function quartersSince(
  tx: Tx,
  accountId: string,
  { mac, gwids, since }: OfStation & { since: Date },
): Promise<Quarter[]> {
  const { rows } = await sql<Quarter>`
    select bucket as at, sum(down)::bigint as down, sum(up)::bigint as up, sum(rssi_sum)::float8 / nullif(sum(rssi_n), 0) as rssi
    from station_quarter s where account_id = ${accountId} and mac = ${mac} and bucket >= ${since}${among(gwids)}
    group by bucket order by bucket
  `.execute(tx);
  return rows;
}

export interface Presence {
  mac: string;
  serial: string;
  bssid: string;
  gwid: string;
  band: number;
  started_at: Date;
  connected: boolean;
  reported_at: Date | null;
}

export async function presences(tx: Tx, accountId: string, macs: readonly string[]): Promise<Presence[]> {
  const { rows } = await sql<Presence>`
    select o.mac, o.serial, o.bssid, o.gwid, o.band, o.started_at, l.connected_since is not null as connected, c.at as reported_at
    from station_open o
    left join device_link l on l.account_id = o.account_id and l.serial = o.serial
    left join device_counters c on c.account_id = o.account_id and c.serial = o.serial
    where o.account_id = ${accountId} and o.mac = any(${[...macs]}::text[])
    order by o.band > 0 desc, o.behind is null desc, o.started_at desc, o.serial, o.bssid
  `.execute(tx);
  return rows;
}

export async function reportedAt(tx: Tx, accountId: string, serial: string): Promise<Date | null> {
  const { rows } = await sql<{ at: Date }>`
    select at from device_counters where account_id = ${accountId} and serial = ${serial}
  `.execute(tx);
  return rows[0]?.at ?? null;
}
