import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ManualClock } from '../../src/platform/clock.ts';
import { type Registered, startTestServer, type TestServer } from '../server.ts';
import { accessPoint, endDevices, enrol, type Identity, listedAs } from './front-door.ts';
import type { AccessPoint } from './peer/access-point.ts';

const clock = new ManualClock();
let server: TestServer;
let owner: Registered;

beforeAll(async () => {
  server = await startTestServer({ clock });
  owner = await server.register();
});
afterEach(endDevices);
afterAll(() => server.stop());

const phone = '3c22fb000001';
const laptop = '020000000002';
const bssid = '903cb3000011';

/** What an access point reports: one uplink, one network on 5 GHz. */
function report(
  minute: number,
  more: { wan?: [number, number]; bss?: [number, number]; stations?: object[]; uptime?: number } = {},
) {
  const { wan = [0, 0], bss = [0, 0], stations = [], uptime = 1000 + minute * 60 } = more;
  return {
    unit: {
      localtime: 1_790_000_000 + minute * 60,
      uptime,
      load: [0.5, 0.4, 0.3],
      cpu_load: [12, 9],
      memory: { total: 1000, free: 400, cached: 100, buffered: 0 },
    },
    radios: [{ band: ['5G'], frequency: [5180], chanUtil: 37, survey: [{ frequency: 5180, noise: -95 }] }],
    interfaces: [
      {
        name: 'up0v0',
        counters: { rx_bytes: wan[0], tx_bytes: wan[1] },
        ssids: [
          {
            ssid: 'House',
            bssid,
            band: ['5G'],
            iface: 'wlan0',
            counters: { rx_bytes: bss[0], tx_bytes: bss[1] },
            associations: stations,
          },
        ],
      },
      { name: 'down1v0', ipv4: { leases: [{ mac: phone, address: '192.168.1.20', hostname: 'Annas-iPhone' }] } },
    ],
  };
}

async function connected(): Promise<{ device: AccessPoint; identity: Identity }> {
  const identity = await enrol(server, owner);
  const device = accessPoint(identity);
  await device.connect();
  await listedAs(server, owner, identity.serial, { status: 'online' });
  return { device, identity };
}

const rows = async <T>(query: ReturnType<typeof sql<T>>) => (await query.execute(server.db.database.system)).rows;
const samples = (serial: string) =>
  rows(sql<Record<string, unknown>>`select * from device_sample where serial = ${serial} order by at`);
const open = (serial: string) =>
  rows(sql<Record<string, unknown>>`select * from station_open where serial = ${serial} order by mac`);

test('reports become rows: levels, flow since the report before, who is there', async () => {
  const { device, identity } = await connected();
  const { serial } = identity;
  device.state(
    report(0, {
      wan: [1000, 500],
      bss: [70, 80],
      stations: [
        { station: phone, connected: 30, rssi: -60, tx_bytes: 100, rx_bytes: 50, tx_rate: { bitrate: 866_000 } },
      ],
    }),
  );
  await expect.poll(() => samples(serial)).toHaveLength(1);
  clock.advance(60_000);
  device.state(
    report(1, {
      wan: [5000, 900],
      bss: [170, 380],
      stations: [
        { station: phone, connected: 90, rssi: -80, tx_bytes: 1100, rx_bytes: 250 },
        { station: laptop, connected: 10, rssi: -50, tx_bytes: 7, rx_bytes: 3 },
      ],
    }),
  );
  await expect.poll(() => samples(serial)).toHaveLength(2);
  expect(await samples(serial)).toMatchObject([
    {
      gap_s: null,
      at: new Date(clock.now().getTime() - 60_000),
      restarted: false,
      wan_down: 0,
      wan_up: 0,
      down_5g: 0,
      clients: 1,
      clients_5g: 1,
      cpu: 12,
      mem: 50,
      util_5g: 37,
      noise_5g: -95,
      weak: 0,
      rssi_sum: -60,
      rssi_n: 1,
      rate_sum: 866_000,
    },
    {
      gap_s: 60,
      at: clock.now(),
      restarted: false,
      wan_down: 4000,
      wan_up: 400,
      down_5g: 300,
      up_5g: 100,
      clients: 2,
      weak: 1,
      rssi_sum: -130,
    },
  ]);
  expect(await open(serial)).toMatchObject([
    { mac: laptop, band: 5, ssid: 'House', bssid, down: 7, up: 3 },
    { mac: phone, band: 5, down: 1000, up: 200, ip: '192.168.1.20', rssi: -80, rssi_min: -80 },
  ]);
  const [station] = await rows(sql<Record<string, unknown>>`select * from station where mac = ${phone}`);
  expect(station).toMatchObject({
    hostname: 'Annas-iPhone',
    terminal_type: 'ios',
    type_source: 'hostname',
    brand: 'Apple',
    random_mac: false,
  });
  expect(
    await rows(
      sql`select mac, sessions, is_new, wireless, down::int from station_day where account_id = ${owner.accountId} order by mac`,
    ),
  ).toMatchObject([
    { mac: laptop, sessions: 1, is_new: true, wireless: true, down: 7 },
    { mac: phone, sessions: 1, is_new: true, wireless: true, down: 1000 },
  ]);
  expect(
    await rows(sql`select 1 from device_latest where serial = ${serial} and state is not null and clients_total = 2`),
  ).toHaveLength(1);
});
