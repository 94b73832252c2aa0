import { sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import { nearestTo, portAt } from '../client-place.ts';
import type { KeptLinks, KeptPort } from '../extract/links.ts';

export type { KeptLinks, KeptPeer, KeptPort } from '../extract/links.ts';

export interface LinkReport {
  serial: string;
  at: Date;
  links: KeptLinks;
}

/** Omits devices without topology data. */
export async function linkReports(tx: Tx, accountId: string, serials: readonly string[]): Promise<LinkReport[]> {
  if (serials.length === 0) return [];
  const { rows } = await sql<LinkReport>`
    select serial, links_at as at, links from device_latest
    where account_id = ${accountId} and serial = any(${[...serials]}::text[]) and links is not null
    order by serial
  `.execute(tx);
  return rows;
}

/** Returns the last two reports; null if fewer. */
export async function portSamples(
  tx: Tx,
  accountId: string,
  serial: string,
): Promise<{ at: Date; ports: KeptPort[]; earlierAt: Date; earlier: KeptPort[] } | null> {
  const { rows } = await sql<{ at: Date; ports: KeptPort[]; earlierAt: Date; earlier: KeptPort[] }>`
    select links_at as at, links -> 'ports' as ports, earlier_ports_at as "earlierAt", earlier_ports as earlier
    from device_latest
    where account_id = ${accountId} and serial = ${serial} and links is not null and earlier_ports is not null
  `.execute(tx);
  return rows[0] ?? null;
}

/** A device that lists the client; `serial`: own device behind its port. */
export interface Seat {
  mac: string;
  serial: string;
  /** 0 if wired, else GHz. */
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

/** Sorts by MAC, wireless first, latest first; at most `limit` clients, and their total. */
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
    select h.mac, ${sql.raw(nearestTo('h'))} as serial, h.band, ${sql.raw(portAt('h'))} as port, h.ssid, coalesce(h.ip, h.ip6) as ip, h.rssi, h.started_at, n.total::integer as total,
      s.hostname, s.brand, s.terminal_type
    from named n join here h on h.mac = n.mac
    left join station s on s.account_id = ${accountId} and s.mac = n.mac
    order by h.mac, (h.band > 0) desc, (h.behind is null) desc, h.started_at desc, h.serial, h.bssid
  `.execute(tx);
  return { seats: rows, total: rows[0]?.total ?? 0 };
}
