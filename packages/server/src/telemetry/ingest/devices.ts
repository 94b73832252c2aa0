import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { settleAbsolutes } from './absolutes.ts';
import { sessionKey } from './associations.ts';
import { emptyPresence, type Presence, type Session } from './client-session.ts';
import type { CommittedReport } from './counted-report.ts';
import { type CountersJson, countersOf } from './counters-json.ts';
import type { Ownership } from './port-ownership.ts';

export interface Device {
  accountId: string;
  serial: string;
  /** Session that it was loaded for. */
  epoch: number;
  known: CommittedReport | null;
  /** `known.at` in the database: lock of the next write. */
  committedAt: number | null;
  presence: Presence;
  boundAt: number;
  absentSince: number | null;
  hour: number;
  /** Last commit, monotonic milliseconds. */
  heardAt: number;
  /** Last raw report, milliseconds. */
  wholeAt: number;
  uuid?: number | null;
  /** Ports to own devices, by the last report. */
  nearby: ReadonlyMap<string, Ownership>;
  /** Newest last, to detect repeats. */
  lately: string[];
}

export const keyOf = ({ accountId, serial }: { accountId: string; serial: string }): string => `${accountId} ${serial}`;

/** A device and a client weigh one each. */
const max = 400_000;

export class Devices {
  readonly #known = new LRUCache<string, Device>({
    maxSize: max,
    sizeCalculation: ({ presence }) => 1 + presence.open.size + (presence.wired?.size ?? 0),
  });

  get size(): number {
    return this.#known.size;
  }

  get(key: string): Device | undefined {
    return this.#known.get(key);
  }

  /** Returns devices with unwritten sessions and no commit since `before`. */
  behind(before: number): Device[] {
    return [...this.#known.values()].filter(({ presence, heardAt }) => presence.touched.size > 0 && heardAt < before);
  }

  keep(device: Device): void {
    this.#known.set(keyOf(device), device);
  }

  forget(key: string): void {
    this.#known.delete(key);
  }

  /** Reads devices with a newer session again. */
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

export function newDevice(accountId: string, serial: string, epoch: number): Device {
  return {
    accountId,
    serial,
    epoch,
    known: null,
    committedAt: null,
    presence: emptyPresence(),
    boundAt: 0,
    absentSince: null,
    hour: 0,
    heardAt: 0,
    wholeAt: 0,
    nearby: new Map(),
    lately: [],
  };
}

interface CountersRow {
  account_id: string;
  serial: string;
  at: Date | null;
  bound_at: Date;
  uptime_s: number | null;
  localtime_s: number | null;
  counters: CountersJson;
  stations: Buffer | null;
  uuid: number | null;
}

interface OpenRow {
  account_id: string;
  serial: string;
  mac: string;
  bssid: string;
  band: Session['band'];
  ssid: string | null;
  port: string | null;
  behind: string | null;
  behind_port: string | null;
  ip: string | null;
  ip6: string | null;
  username: string | null;
  authenticated: boolean;
  started_at: Date;
  last_at: Date;
  down: number;
  up: number;
  abs_tx: number | null;
  abs_rx: number | null;
  revocable_tx: number;
  revocable_rx: number;
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
    text: `select k.account_id, k.serial, p.bound_at, c.at, c.uptime_s, c.localtime_s, c.counters, c.stations, l.uuid
      from ${asked} join device_place p on p.account_id = k.account_id and p.serial = k.serial
      left join device_counters c on c.account_id = k.account_id and c.serial = k.serial
      left join device_latest l on l.account_id = k.account_id and l.serial = k.serial`,
    values,
  });
  for (const row of counters.rows) {
    const device = byKey.get(keyOf({ accountId: row.account_id, serial: row.serial }))!;
    device.boundAt = row.bound_at.getTime();
    if (!row.at) continue;
    const at = row.at.getTime();
    device.absentSince = at;
    device.uuid = row.uuid;
    const { wired, ...counters } = countersOf(row.counters, { at, uptimeS: row.uptime_s });
    device.presence.wired = wired;
    device.known = { at, uptimeS: row.uptime_s, localtimeS: row.localtime_s, ...counters };
    device.committedAt = at;
  }
  const open = await db.query<OpenRow>({
    name: 'ingest-open',
    text: `select o.account_id, o.serial, o.mac, o.bssid, o.band, o.ssid, o.port, o.behind, o.behind_port, o.ip, o.ip6, o.username, o.authenticated,
        o.started_at, o.last_at, o.down, o.up, o.abs_tx, o.abs_rx, o.revocable_tx, o.revocable_rx, o.rssi, o.rssi_min, o.rssi_sum, o.rssi_n, o.tx_rate, o.rx_rate
      from ${asked} join station_open o on o.account_id = k.account_id and o.serial = k.serial`,
    values,
  });
  for (const row of open.rows) {
    const device = byKey.get(keyOf({ accountId: row.account_id, serial: row.serial }))!;
    const lastAt = row.last_at.getTime();
    device.presence.open.set(sessionKey(row.mac, row.bssid), {
      mac: row.mac,
      bssid: row.bssid,
      band: row.band,
      ssid: row.ssid,
      port: row.port,
      ip: row.ip,
      ip6: row.ip6,
      behind: row.behind === null ? null : { serial: row.behind, port: row.behind_port },
      looks: 0,
      news: false,
      username: row.username,
      authenticated: row.authenticated,
      hostname: null,
      guess: null,
      startedAt: row.started_at.getTime(),
      lastAt,
      down: row.down,
      up: row.up,
      tx: { value: row.abs_tx, other: null, counted: row.revocable_tx, countedAt: lastAt },
      rx: { value: row.abs_rx, other: null, counted: row.revocable_rx, countedAt: lastAt },
      rssi: row.rssi,
      rssiMin: row.rssi_min,
      rssiSum: row.rssi_sum,
      rssiN: row.rssi_n,
      txRate: row.tx_rate,
      rxRate: row.rx_rate,
      packets: null,
      joinedS: null,
      spared: 0,
      shares: [],
      writtenAt: lastAt,
    });
  }
  for (const { account_id: accountId, serial, stations, at } of counters.rows)
    if (at && stations) settleAbsolutes(byKey.get(keyOf({ accountId, serial }))!.presence, stations, at.getTime());
}
