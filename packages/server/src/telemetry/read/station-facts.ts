import { sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import { bandAt, nearestTo, portAt } from '../client-place.ts';
import { unknownBand } from '../extract/bands.ts';
import { among, sightings } from './stations.ts';
import type { Scope } from './types.ts';

export interface StationFacts {
  mac: string;
  known: boolean;
  online: boolean;
  random_mac: boolean | null;
  hostname: string | null;
  terminal_type: string | null;
  type_source: string | null;
  brand: string | null;
  os: string | null;
  first_seen: Date | null;
  last_seen: Date | null;
  serial: string | null;
  gwid: string | null;
  ssid: string | null;
  bssid: string | null;
  band: number | null;
  port: string | null;
  /** Behind `serial` (on its port, if given), which has not reported it. */
  behind: boolean;
  ip: string | null;
  ip6: string | null;
  username: string | null;
  authenticated: boolean | null;
  started_at: Date | null;
  last_at: Date | null;
  down: number | null;
  up: number | null;
  rssi: number | null;
  flow_today: number;
  as_of: Date | null;
}

/** Combines rows of connected devices. */
const reportedByAny = sql`
  bool_or(o.authenticated) filter (where l.connected_since is not null) over () as any_authenticated,
  max(o.username) filter (where l.connected_since is not null) over () as any_username,
  max(o.ip) filter (where l.connected_since is not null) over () as any_ip,
  max(o.ip6) filter (where l.connected_since is not null) over () as any_ip6`;

/** Returns a row per MAC, in order. With `visible`, first and last seen are of these networks. */
export async function stationFacts(
  tx: Tx,
  accountId: string,
  { macs, gwids, day, visible }: Scope & { macs: readonly string[]; day: string; visible?: readonly string[] | null },
): Promise<StationFacts[]> {
  if (macs.length === 0) return [];
  const { rows } = await sql<StationFacts>`
    select m.mac, (s.mac is not null${
      gwids
        ? sql` and exists (select from station_day d where d.account_id = ${accountId} and d.mac = m.mac${among('d.gwid', gwids)})`
        : sql``
    } or p.serial is not null) as known,
      coalesce(p.present, false) as online, s.random_mac, s.hostname, s.terminal_type, s.type_source, s.brand, s.os,
      ${visible ? sql`coalesce(v.first_at, p.started_at) as first_seen, v.last_at as last_seen` : sql`s.first_seen, s.last_seen`},
      p.nearest as serial, p.gwid, p.ssid, p.bssid, nullif(p.at_band, ${unknownBand}) as band, p.at_port as port,
      coalesce(p.behind is not null and p.at_band is null, false) as behind, coalesce(p.ip, p.any_ip) as ip, coalesce(p.ip6, p.any_ip6) as ip6,
      coalesce(p.username, p.any_username) as username, coalesce(p.any_authenticated, p.authenticated) as authenticated,
      p.started_at, p.last_at, p.down, p.up, p.rssi, p.as_of, coalesce(t.flow, 0) as flow_today
    from unnest(${[...macs]}::text[]) with ordinality m (mac, n)
    left join station s on s.account_id = ${accountId} and s.mac = m.mac
    ${visible ? sql`left join (${sightings(accountId, visible, macs)}) v on v.mac = m.mac` : sql``}
    left join lateral (
      select o.*, ${sql.raw(`${nearestTo('o')} as nearest, ${bandAt('o')} as at_band, ${portAt('o')} as at_port`)},
        l.connected_since is not null as present, c.at as as_of, ${reportedByAny}
      from station_open o
      left join device_link l on l.account_id = o.account_id and l.serial = o.serial
      left join device_counters c on c.account_id = o.account_id and c.serial = o.serial
      where o.account_id = ${accountId} and o.mac = m.mac${among('o.gwid', gwids)}
      order by present desc, o.band > 0 desc, o.behind is null desc, o.started_at desc, o.serial desc, o.bssid desc limit 1) p on true
    left join lateral (
      select sum(d.down + d.up)::bigint as flow from station_day d
      where d.account_id = ${accountId} and d.mac = m.mac and d.day = ${day}::date${among('d.gwid', gwids)}) t on true
    order by m.n
  `.execute(tx);
  const away = rows.filter((row) => row.known && !row.serial && row.last_seen);
  if (away.length > 0) await addLastPlaces(tx, accountId, away, gwids);
  return rows;
}

async function addLastPlaces(
  tx: Tx,
  accountId: string,
  away: StationFacts[],
  gwids: readonly string[] | null,
): Promise<void> {
  const earliest = new Date(Math.min(...away.map((row) => row.last_seen!.getTime())) - 86_400_000);
  const { rows } = await sql<
    Pick<StationFacts, 'mac' | 'serial' | 'gwid' | 'ssid' | 'bssid' | 'band' | 'behind' | 'ip' | 'ip6' | 'username'>
  >`
    select m.mac, ${sql.raw(nearestTo('e'))} as serial, e.gwid, e.ssid, e.bssid,
      nullif(${sql.raw(bandAt('e'))}, ${unknownBand}) as band, ${sql.raw(bandAt('e'))} is null as behind, e.ip, e.ip6, e.username
    from unnest(${away.map((row) => row.mac)}::text[]) m (mac)
    cross join lateral (
      select * from station_session e where e.account_id = ${accountId} and e.mac = m.mac and e.ended_at >= ${earliest}${among('e.gwid', gwids)}
      order by e.ended_at desc limit 1) e
  `.execute(tx);
  const places = new Map(rows.map((row) => [row.mac, row]));
  for (const row of away) Object.assign(row, places.get(row.mac));
}

/** Filters clients seen in networks that row security allows. */
export async function knownStations(tx: Tx, macs: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ mac: string }>`
    select s.mac from station s where s.mac = any(${[...macs]}::text[]) and (
      (select platform.networks()) is null
      or exists (select from station_day d where d.account_id = s.account_id and d.mac = s.mac)
      or exists (select from station_open o where o.account_id = s.account_id and o.mac = s.mac))
  `.execute(tx);
  return new Set(rows.map((row) => row.mac));
}
