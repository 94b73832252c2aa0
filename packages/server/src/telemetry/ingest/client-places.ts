import type pg from 'pg';
import type { Observation } from '../extract/stations.ts';
import { sessionKey } from './associations.ts';
import type { Item } from './batch.ts';
import { type Device, keyOf } from './devices.ts';
import type { Nearby } from './equipment.ts';
import { nearestOf, type Ownership } from './port-ownership.ts';

/** First reports, then every fifth: clients rarely move unnoticed. */
const firstLooks = 3;
const laterLooks = 5;

/** Seconds by which a report must be younger than the client to deny it. */
export const deniesAfter = 5;

const noPorts: Device['nearby'] = new Map();

export interface Asked {
  observation: Observation;
  accountId: string;
  since: Date;
  near: Ownership;
}

/**
 * Leaves a client on the port if all own devices there have reported since it came and none lists it.
 * @param nearby own devices by port
 */
export async function locateClients(
  db: pg.ClientBase,
  items: readonly Item[],
  devices: ReadonlyMap<string, Device>,
  nearby: Nearby,
): Promise<Item[]> {
  const { found, asked } = findNear(items, devices, nearby);
  if (asked.length > 0) await look(db, asked);
  return countPlaced(found, nearby);
}

/** Returns the clients whose port leads to own devices, and those among them to look for; sets the others' place. */
export function findNear(
  items: readonly Item[],
  devices: ReadonlyMap<string, Device>,
  nearby: Nearby,
): { found: Item[]; asked: Asked[] } {
  const asked: Asked[] = [];
  const found = items.map((item) => {
    if (!item.report?.stations) return item;
    const ports = nearby.get(item.id);
    const device = devices.get(keyOf(item))!;
    device.nearby = ports ?? noPorts;
    if (!ports) return item;
    const { open } = device.presence;
    const stations = item.report.stations.map((seen) => {
      const near = seen.band === 0 && seen.port !== null ? ports.get(seen.port) : undefined;
      if (!near) return seen;
      const session = open.get(sessionKey(seen.mac, ''));
      const known = session !== undefined && session.port === seen.port ? session : null;
      const observation: Observation = { ...seen, behind: known?.behind ?? null };
      if (!known || known.looks < firstLooks || known.looks % laterLooks === 0)
        asked.push({ observation, accountId: item.accountId, since: new Date(session?.startedAt ?? item.at), near });
      return observation;
    });
    return { ...item, report: { ...item.report, stations } };
  });
  return { found, asked };
}

/** Leaves clients behind own devices out of the wired ones. */
export function countPlaced(items: Item[], nearby: Nearby): Item[] {
  return nearby.size === 0 ? items : items.map((item) => (nearby.has(item.id) ? withoutWired(item) : item));
}

const ask = `
  select k.n, air or unheard or listed as behind
  from unnest($1::integer[], $2::uuid[], $3::text[], $4::timestamptz[], $5::text[]) k (n, account_id, mac, since, serials)
  cross join lateral (
    select exists (select from station_open o where o.account_id = k.account_id and o.mac = k.mac and o.band > 0)
      or exists (select from station_session e where e.account_id = k.account_id and e.mac = k.mac and e.band > 0
        and e.ended_at >= k.since) as air) on_air
  cross join lateral (
    select bool_or(c.at is null or c.at < k.since + interval '${deniesAfter} s' or l.clients_total is null) as unheard,
      bool_or(o.mac is not null) as listed
    from unnest(string_to_array(k.serials, ',')) near (serial)
    left join device_counters c on c.account_id = k.account_id and c.serial = near.serial
    left join device_latest l on l.account_id = k.account_id and l.serial = near.serial
    left join station_open o on o.account_id = k.account_id and o.serial = near.serial and o.mac = k.mac and o.bssid = ''
      and o.behind is null) told`;

/** Without ports to other own devices. */
const askSwitches = `
  select s.account_id, s.serial, port.name as port, client.mac
  from unnest($1::uuid[], $2::text[]) s (account_id, serial)
  join equipment_mac d on d.account_id = s.account_id and d.mac = s.serial and d.is_switch
  join device_latest l on l.account_id = s.account_id and l.serial = s.serial
  cross join lateral jsonb_each(l.links -> 'macs') port (name, macs)
  cross join lateral jsonb_array_elements_text(port.macs) client (mac)
  where client.mac = any($3::text[]) and not exists (
    select from jsonb_array_elements_text(port.macs) own (mac)
    join equipment_mac e on e.account_id = s.account_id and e.mac = own.mac)`;

async function look(db: pg.ClientBase, asked: readonly Asked[]): Promise<void> {
  const { rows } = await db.query<{ n: number; behind: boolean }>({
    name: 'ingest-behind',
    text: ask,
    values: [
      asked.map((_, n) => n),
      asked.map(({ accountId }) => accountId),
      asked.map(({ observation }) => observation.mac),
      asked.map(({ since }) => since),
      asked.map(({ near }) => [...near.serials].join(',')),
    ],
  });
  const near = new Map(
    asked.flatMap(({ accountId, near }) =>
      [...near.serials].map((serial) => [`${accountId} ${serial}`, { accountId, serial }]),
    ),
  );
  const tables = await db.query<{ account_id: string; serial: string; port: string; mac: string }>({
    name: 'ingest-behind-switches',
    text: askSwitches,
    values: [
      [...near.values()].map(({ accountId }) => accountId),
      [...near.values()].map(({ serial }) => serial),
      [...new Set(asked.map(({ observation }) => observation.mac))],
    ],
  });
  const onSwitch = new Map(tables.rows.map((row) => [`${row.account_id} ${row.mac}`, row]));
  for (const { n, behind } of rows) {
    const { observation, accountId, near } = asked[n]!;
    const place = onSwitch.get(`${accountId} ${observation.mac}`);
    if (place && near.serials.has(place.serial)) observation.behind = { serial: place.serial, port: place.port };
    else observation.behind = behind ? nearestOf(near) : null;
  }
}

function withoutWired(item: Item): Item {
  const { report } = item;
  if (!report?.stations || report.levels.clientsWired === null) return item;
  const behind = report.stations.filter((observation) => observation.band === 0 && observation.behind).length;
  const clientsWired = Math.max(0, report.levels.clientsWired - behind);
  return { ...item, report: { ...report, levels: { ...report.levels, clientsWired } } };
}
