import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { settleAbsolutes } from './absolutes.ts';
import type { Base, Known } from './flow.ts';
import { mostArrivals, type Presence, type Session } from './session.ts';
import { placeOf } from './stations.ts';

/** What the worker keeps of a device between its reports. */
export interface Device {
  accountId: string;
  serial: string;
  /** Number of the session it was loaded for. */
  epoch: number;
  known: Known | null;
  /** `known.at` as the database has it: what is written holds only while that is so. */
  committedAt: number | null;
  presence: Presence;
  /** The hour that `presence.room` is of. */
  hour: number;
  /** When something of it was last taken, by the clock of this process; milliseconds. */
  heardAt: number;
  /** When its whole report was last written, milliseconds. */
  wholeAt: number;
  /** Names of joins and leaves that came lately, so that one that comes twice is known; the newest last. */
  lately: string[];
}

export const keyOf = ({ accountId, serial }: { accountId: string; serial: string }): string => `${accountId} ${serial}`;

interface CountersJson {
  wan: Record<string, [number | null, number | null]> | null;
  bss: Record<string, [number | null, number | null]> | null;
  /** Terminals on cables by MAC; only of devices that count them. */
  wired?: Record<string, [number | null, number | null]>;
}

/** The counters as they are kept in the database. */
export function countersJson({ wan, bss }: Pick<Known, 'wan' | 'bss'>, wired: Presence['wired']): string {
  const plain = (map: ReadonlyMap<string, Base> | null) =>
    map && Object.fromEntries([...map].map(([name, { rx, tx }]) => [name, [rx, tx]]));
  return JSON.stringify({ wan: plain(wan), bss: plain(bss), ...(wired ? { wired: plain(wired) } : {}) });
}

const mapOf = (plain: CountersJson['wan']) =>
  plain && new Map(Object.entries(plain).map(([name, [rx, tx]]) => [name, { rx, tx }]));

/** Devices of this process; terminals weigh as devices do. */
const most = 400_000;

/** The devices that report to this process, as the database has them, read when they are needed. */
export class Devices {
  readonly #known = new LRUCache<string, Device>({
    maxSize: most,
    sizeCalculation: ({ presence }) => 1 + presence.open.size + (presence.wired?.size ?? 0),
  });

  get size(): number {
    return this.#known.size;
  }

  get(key: string): Device | undefined {
    return this.#known.get(key);
  }

  /** Those of which something is not written yet, and that were last heard before a time. */
  behind(before: number): Device[] {
    return [...this.#known.values()].filter(({ presence, heardAt }) => presence.touched.size > 0 && heardAt < before);
  }

  /** After a commit: its weight may have changed. */
  keep(device: Device): void {
    this.#known.set(keyOf(device), device);
  }

  /** What is known is not, or no longer, what the database has. */
  forget(key: string): void {
    this.#known.delete(key);
  }

  /** The devices of a batch; a session that is not the one a device was loaded for has it read again. */
  async load(
    db: pg.ClientBase,
    wanted: Iterable<{ accountId: string; serial: string; epoch: number }>,
  ): Promise<Map<string, Device>> {
    const found = new Map<string, Device>();
    const missing: Device[] = [];
    for (const { accountId, serial, epoch } of wanted) {
      const key = keyOf({ accountId, serial });
      const before = found.get(key) ?? this.#known.get(key);
      if (before && before.epoch >= epoch) found.set(key, before);
      else {
        const device = newDevice(accountId, serial, epoch);
        found.set(key, device);
        missing.push(device);
      }
    }
    const fresh = missing.filter((device) => found.get(keyOf(device)) === device);
    if (fresh.length > 0) await read(db, fresh);
    return found;
  }
}

function newDevice(accountId: string, serial: string, epoch: number): Device {
  const presence = { open: new Map(), ended: [], touched: new Set<Session>(), room: mostArrivals, wired: null };
  return {
    accountId,
    serial,
    epoch,
    known: null,
    committedAt: null,
    presence,
    hour: 0,
    heardAt: 0,
    wholeAt: 0,
    lately: [],
  };
}

interface CountersRow {
  account_id: string;
  serial: string;
  at: Date;
  uptime_s: number | null;
  localtime_s: number | null;
  counters: CountersJson;
  stations: Buffer | null;
}

interface OpenRow {
  account_id: string;
  serial: string;
  mac: string;
  bssid: string;
  band: Session['band'];
  ssid: string | null;
  port: string | null;
  ip: string | null;
  username: string | null;
  authenticated: boolean;
  started_at: Date;
  last_at: Date;
  down: number;
  up: number;
  abs_tx: number | null;
  abs_rx: number | null;
  rssi: number | null;
  rssi_min: number | null;
  rssi_sum: number;
  rssi_n: number;
  tx_rate: number | null;
  rx_rate: number | null;
}

async function read(db: pg.ClientBase, devices: readonly Device[]): Promise<void> {
  const byKey = new Map(devices.map((device) => [keyOf(device), device]));
  const values = [devices.map(({ accountId }) => accountId), devices.map(({ serial }) => serial)];
  const asked = 'unnest($1::uuid[], $2::text[]) k (account_id, serial)';
  const counters = await db.query<CountersRow>({
    name: 'ingest-counters',
    text: `select c.account_id, c.serial, c.at, c.uptime_s, c.localtime_s, c.counters, c.stations
      from ${asked} join device_counters c on c.account_id = k.account_id and c.serial = k.serial`,
    values,
  });
  for (const row of counters.rows) {
    const device = byKey.get(keyOf({ accountId: row.account_id, serial: row.serial }))!;
    const at = row.at.getTime();
    const { wan, bss, wired } = row.counters;
    device.presence.wired = wired ? mapOf(wired) : null;
    device.known = { at, uptimeS: row.uptime_s, localtimeS: row.localtime_s, wan: mapOf(wan), bss: mapOf(bss) };
    device.committedAt = at;
  }
  const open = await db.query<OpenRow>({
    name: 'ingest-open',
    text: `select o.account_id, o.serial, o.mac, o.bssid, o.band, o.ssid, o.port, o.ip, o.username, o.authenticated,
        o.started_at, o.last_at, o.down, o.up, o.abs_tx, o.abs_rx, o.rssi, o.rssi_min, o.rssi_sum, o.rssi_n, o.tx_rate, o.rx_rate
      from ${asked} join station_open o on o.account_id = k.account_id and o.serial = k.serial`,
    values,
  });
  for (const row of open.rows) {
    const device = byKey.get(keyOf({ accountId: row.account_id, serial: row.serial }))!;
    const lastAt = row.last_at.getTime();
    device.presence.open.set(placeOf(row.mac, row.bssid), {
      ...{ mac: row.mac, bssid: row.bssid, band: row.band, ssid: row.ssid, port: row.port, ip: row.ip },
      ...{ username: row.username, authenticated: row.authenticated, hostname: null, guess: null },
      ...{ startedAt: row.started_at.getTime(), lastAt, down: row.down, up: row.up },
      ...{ absTx: row.abs_tx, absRx: row.abs_rx, rssi: row.rssi, rssiMin: row.rssi_min },
      ...{ rssiSum: row.rssi_sum, rssiN: row.rssi_n, txRate: row.tx_rate, rxRate: row.rx_rate },
      ...{ packets: null, joinedS: null, spared: 0, shares: [], writtenAt: lastAt },
    });
  }
  for (const { account_id: accountId, serial, stations, at } of counters.rows)
    if (stations) settleAbsolutes(byKey.get(keyOf({ accountId, serial }))!.presence, stations, at.getTime());
}
