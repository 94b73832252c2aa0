import { sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import type { KeptLinks } from '../extract/links.ts';

export type { KeptLinks, KeptPeer, KeptPort } from '../extract/links.ts';

/** What a device last said of its connections, and when. */
export interface LinkReport {
  serial: string;
  at: Date;
  links: KeptLinks;
}

/** What devices last said of who is connected to whom; one that never said anything of it is missing. */
export async function linkReports(tx: Tx, accountId: string, serials: readonly string[]): Promise<LinkReport[]> {
  if (serials.length === 0) return [];
  const { rows } = await sql<LinkReport>`
    select serial, links_at as at, links from device_latest
    where account_id = ${accountId} and serial = any(${[...serials]}::text[]) and links is not null
    order by serial
  `.execute(tx);
  return rows;
}

/** A terminal that is there, at one of the devices that list it. */
export interface Seat {
  mac: string;
  serial: string;
  /** 0 on a cable, else GHz of the band. */
  band: number;
  port: string | null;
  ssid: string | null;
  ip: string | null;
  /** dBm */
  rssi: number | null;
  started_at: Date;
  hostname: string | null;
  brand: string | null;
  terminal_type: string | null;
}

/**
 * Where the terminals of a network are: one row for each device that lists one, of devices that are connected. By MAC, the
 * air before cables, the latest first; at most `limit` terminals, and how many there are.
 */
export async function seatsOf(
  tx: Tx,
  accountId: string,
  gwid: string,
  limit: number,
): Promise<{ seats: Seat[]; total: number }> {
  const { rows } = await sql<Seat & { total: number }>`
    with here as (
      select o.* from station_open o
      join device_link l on l.account_id = o.account_id and l.serial = o.serial and l.connected_since is not null
      where o.account_id = ${accountId} and o.gwid = ${gwid}
    ), named as (
      select mac, count(*) over () as total from (select distinct mac from here) m order by mac limit ${limit}
    )
    select h.mac, h.serial, h.band, h.port, h.ssid, h.ip, h.rssi, h.started_at, n.total::integer as total,
      s.hostname, s.brand, s.terminal_type
    from named n join here h on h.mac = n.mac
    left join station s on s.account_id = ${accountId} and s.mac = n.mac
    order by h.mac, (h.band > 0) desc, h.started_at desc, h.serial, h.bssid
  `.execute(tx);
  return { seats: rows, total: rows[0]?.total ?? 0 };
}
