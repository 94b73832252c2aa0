import { expect } from 'vitest';
import { makeTelemetry } from '../../../../test/seed-statistics.ts';
import { startTestServer } from '../../../../test/server.ts';
import { dayOf } from '../../../platform/calendar.ts';
import { ManualClock } from '../../../platform/clock.ts';
import { insertStationRows } from '../../../telemetry/testing/stations.ts';

export interface List {
  list: {
    mac: string;
    hostname: string | null;
    online: boolean;
    serial: string | null;
    band: number | null;
    remark: string;
    vip: boolean;
    list: string | null;
    random_mac: boolean;
  }[];
  total: number;
}

const clock = new ManualClock(new Date());
export const today = dayOf(clock.now(), 'Asia/Shanghai');
export const ago = (minutes: number) => new Date(clock.now().getTime() - minutes * 60_000);

export const phone = '3c22fb000001';
export const tablet = '3c22fb0000a2';
export const random = '0a1111110003';
export const printer = '3c22fb0000b4';
export const gone = '3c22fb0000c5';
export const other = '3c22fb0000d6';

export async function startFixture() {
  const server = await startTestServer({ clock });
  const owner = await server.register();
  const telemetry = await makeTelemetry(server, owner, clock);
  const shop = await telemetry.network('Shop');
  const depot = await telemetry.network('Depot');
  const device = (gwid: string, online = true) => telemetry.device(gwid, { kind: 'ap', online });
  const ap = { lobby: await device(shop), hall: await device(shop), away: await device(shop, false) };
  const yard = await device(depot);
  const { database } = server.db;
  const account_id = owner.accountId;
  const seen = (mac: string, more: object = {}) => ({
    account_id,
    mac,
    first_seen: ago(900),
    last_seen: ago(1),
    random_mac: mac === random,
    hostname: null,
    terminal_type: null,
    type_source: null,
    brand: null,
    os: null,
    ...more,
  });
  await insertStationRows(database, 'station', [
    seen(phone, { hostname: 'Annas-iPhone', terminal_type: 'ios', type_source: 'hostname', brand: 'Apple' }),
    seen(tablet, { hostname: '=HYPERLINK("x")', terminal_type: 'android', type_source: 'fingerprint' }),
    seen(random),
    seen(printer, { hostname: 'printer' }),
    seen(gone, { last_seen: ago(300) }),
    seen(other, { hostname: 'forklift' }),
  ]);
  const open = (serial: string, mac: string, band: number, more: object = {}) => ({
    account_id,
    serial,
    mac,
    bssid: band === 0 ? '' : `${serial.slice(0, 11)}${band}`,
    gwid: shop,
    band,
    ssid: band === 0 ? null : 'Guests',
    port: null,
    ip: null,
    username: null,
    authenticated: false,
    started_at: ago(30),
    last_at: ago(1),
    down: 0,
    up: 0,
    rssi: null,
    rssi_sum: 0,
    rssi_n: 0,
    ...more,
  });
  await insertStationRows(database, 'station_open', [
    open(ap.lobby, phone, 5, {
      ip: '192.168.1.20',
      rssi: -78,
      down: 300 * 2 ** 20,
      up: 7,
      username: '13912345678',
      authenticated: true,
    }),
    // the same client, wired
    open(ap.hall, phone, 0, { started_at: ago(1) }),
    open(ap.hall, tablet, 2, { ssid: 'Staff', rssi: -51, started_at: ago(10) }),
    open(ap.lobby, random, 5, { rssi: -66, started_at: ago(5) }),
    open(ap.hall, printer, 0, { port: 'LAN1', ip: '192.168.1.9' }),
    // presence unknown
    open(ap.away, gone, 5),
    open(yard, other, 5, { gwid: depot, rssi: -40 }),
  ]);
  const visit = (mac: string, gwid: string, more: object = {}) => ({
    account_id,
    day: today,
    gwid,
    mac,
    first_at: ago(30),
    last_at: ago(1),
    seconds: 60,
    hours: 1,
    down: 100,
    up: 10,
    sessions: 1,
    is_new: false,
    authenticated: false,
    wireless: true,
    ...more,
  });
  await insertStationRows(database, 'station_day', [
    visit(phone, shop, { down: 5000, up: 500, authenticated: true }),
    visit(phone, depot, { down: 1000, up: 0 }),
    ...[tablet, random, printer, gone].map((mac) => visit(mac, shop)),
    visit(other, depot),
  ]);
  const session = (serial: string, ended: number, end_reason: string) => ({
    account_id,
    mac: phone,
    serial,
    bssid: `${serial.slice(0, 11)}5`,
    gwid: shop,
    ssid: 'Guests',
    band: 5,
    started_at: ago(ended + 20),
    ended_at: ago(ended),
    ip: null,
    username: null,
    authenticated: false,
    down: 1000,
    up: 10,
    rssi: -70,
    rssi_min: -82,
    rssi_sum: -210,
    rssi_n: 3,
    end_reason,
  });
  await insertStationRows(database, 'station_session', [
    ...Array.from({ length: 9 }, (_, index) => session(index % 2 ? ap.hall : ap.lobby, 40 + index * 30, 'roam')),
    session(ap.hall, 2000, 'leave'),
  ]);
  const quarter = (at: Date) => new Date(Math.floor(at.getTime() / 900_000) * 900_000);
  await insertStationRows(database, 'station_quarter', [
    {
      account_id,
      mac: phone,
      bucket: quarter(ago(30)),
      serial: ap.lobby,
      gwid: shop,
      down: 5,
      up: 1,
      rssi_sum: -156,
      rssi_n: 2,
    },
    {
      account_id,
      mac: phone,
      bucket: quarter(ago(30)),
      serial: ap.hall,
      gwid: shop,
      down: 2,
      up: 0,
      rssi_sum: -60,
      rssi_n: 1,
    },
  ]);
  await telemetry.reports(
    { serial: ap.lobby, gwid: shop, at: ago(10), util_5g: 80, noise_5g: -90, clients_5g: 2, clients: 2 },
    { serial: ap.lobby, gwid: shop, at: ago(4), util_5g: 90, noise_5g: -90, clients_5g: 2, clients: 2 },
    { serial: ap.hall, gwid: shop, at: ago(4), util_5g: 20, noise_5g: -95, clients_5g: 0, clients: 0 },
  );
  const call = <T>(path: string, body: object = {}, as: object = owner) =>
    server.call<T>(`/api/v3/user_online/${path}`, body, as);
  return {
    server,
    owner,
    shop,
    depot,
    ap: { ...ap, depot: yard },
    call,
    async macs(body: object, as: object = owner): Promise<string[]> {
      const { data } = await call<List>('list', { limit: 50, ...body }, as);
      expect(data.total).toBe(data.list.length);
      return data.list.map(({ mac }) => mac);
    },
    async lastLogged() {
      const { data } = await server.call<{ list: { action: string; object: { id: string }; after: unknown }[] }>(
        '/api/v3/log/action/list',
        { page: 1, limit: 10 },
        owner,
      );
      return data.list[0];
    },
  };
}
