import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ManualClock } from '../../src/platform/clock.ts';
import { type Registered, startTestServer, type TestServer } from '../server.ts';
import { accessPoint, endDevices, enrol, type Identity, listedAs } from './device-client.ts';
import type { AccessPoint } from './peer/access-point.ts';

const clock = new ManualClock();
let server: TestServer;
let owner: Registered;
let gwid: string;

beforeAll(async () => {
  server = await startTestServer({ clock });
  owner = await server.register();
  const { data } = await server.call<{ gwid: string }>('/api/v3/network/create', { remark: 'House' }, owner);
  gwid = data.gwid;
});
afterEach(endDevices);
afterAll(() => server.stop());

const phone = '3c22fb000001';
const laptop = '020000000002';
const bssid = '903cb3000011';

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
  const identity = await enrol(server, owner, { gwid });
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

test('reports become rows: levels, flow since the previous report, clients', async () => {
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
    await rows(
      sql<object>`select 1 from device_latest where serial = ${serial} and state is not null and clients_total = 2`,
    ),
  ).toHaveLength(1);
});

const sum = async (table: string, columns: string[], where: ReturnType<typeof sql>) => {
  const [row] = await rows(
    sql<
      Record<string, number>
    >`select ${sql.raw(columns.map((name) => `coalesce(sum(${name}), 0)::float8 as ${name}`).join(', '))}
      from ${sql.table(table)} where ${where}`,
  );
  return row;
};

async function live(device: AccessPoint, from: number, disturb: (minute: number) => Promise<unknown>) {
  for (let minute = from; minute < from + 10; minute += 1) {
    clock.advance(60_000);
    device.state(
      report(minute, {
        wan: [minute * 1000, minute * 100],
        bss: [minute * 10, minute * 500],
        stations: [
          { station: phone, connected: minute * 60, rssi: -60, tx_bytes: minute * 300, rx_bytes: minute * 20 },
        ],
      }),
    );
    const seconds = Math.floor(clock.now().getTime() / 1000);
    device.event('client.join', { client: laptop, ssid: 'House', bssid, channel: 36, band: '5G' }, seconds);
    device.event(
      'client.leave',
      { client: laptop, ssid: 'House', bssid, tx_bytes: 40, rx_bytes: 4, connected_time: 0 },
      seconds,
    );
    // a stored healthcheck proves that earlier messages arrived
    device.notify('healthcheck', { serial: device.options.serial, uuid: 1, sanity: minute, data: {} });
    await expect
      .poll(() =>
        rows(sql<object>`select 1 from device_latest where serial = ${device.options.serial} and sanity = ${minute}`),
      )
      .toHaveLength(1);
    await disturb(minute);
  }
}

test.each([
  ['the thread ends', () => server.program.ingest!.terminate()],
  [
    'its connection breaks',
    () =>
      rows(sql`select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'yunxun_ingest' and datname = current_database()`),
  ],
])(
  'when %s again and again, nothing that was committed is lost and nothing is counted twice',
  async (_what, disturb) => {
    const { device, identity } = await connected();
    const { serial } = identity;
    const before = await sum('station_day', ['down', 'up', 'sessions'], sql`account_id = ${owner.accountId}`);
    await live(device, 1, (minute) => (minute % 2 === 0 ? disturb() : Promise.resolve()));
    await expect.poll(() => samples(serial)).toHaveLength(10);
    await device.heard();
    await server.program.ingest!.drain();
    expect(await sum('device_sample', ['wan_down', 'wan_up', 'down_5g', 'up_5g'], sql`serial = ${serial}`)).toEqual({
      wan_down: 9000,
      wan_up: 900,
      down_5g: 4500,
      up_5g: 90,
    });
    expect(await open(serial)).toMatchObject([{ mac: phone, down: 2700, up: 180 }]);
    const sessions = await rows(
      sql<{
        end_reason: string;
      }>`select end_reason, down, up from station_session where serial = ${serial} order by ended_at`,
    );
    expect(sessions).toEqual(Array.from({ length: 10 }, () => ({ end_reason: 'leave', down: 40, up: 4 })));
    const after = await sum('station_day', ['down', 'up', 'sessions'], sql`account_id = ${owner.accountId}`);
    expect(after).toEqual({
      down: before!.down! + 2700 + 400,
      up: before!.up! + 180 + 40,
      sessions: before!.sessions! + 11,
    });
    const quarters = await sum('station_quarter', ['down', 'up'], sql`serial = ${serial}`);
    expect(quarters).toEqual({ down: 3100, up: 220 });
  },
);

test('a device with false reports affects no other device', async () => {
  const honest = await connected();
  const liar = await connected();
  const many = Array.from({ length: 100_000 }, (_, n) => ({ station: n.toString(16).padStart(12, '0'), rssi: -1e9 }));
  const lies: Record<string, unknown>[] = [
    {
      unit: {
        uptime: -5,
        localtime: 4_102_444_800,
        load: ['NaN', 1e308],
        cpu_load: [1e-320],
        memory: { total: -1, free: {} },
      },
    },
    {
      interfaces: [
        {
          name: 'up0v0',
          counters: { rx_bytes: -7, tx_bytes: 'NaN' },
          ssids: [{ bssid, band: '5G', associations: many }],
        },
      ],
    },
    { interfaces: [{ name: 'up0v0', counters: { rx_bytes: 9e15, tx_bytes: 1e300 } }], note: 'x'.repeat(5_000_000) },
    {
      interfaces: [
        {
          ssids: [
            {
              bssid,
              ssid: '<script>alert(1)</script>',
              associations: [
                { station: laptop, connected: 1e15, tx_bytes: 1e18, rssi: 3, ipaddr_v4: { address: '"><img>' } },
              ],
            },
          ],
          ipv4: { leases: [{ mac: laptop, hostname: '<img src=x onerror=alert(1)>\u0000\u0007\n' }] },
        },
      ],
    },
    { interfaces: { __proto__: 1 }, radios: 'none', captive: [[]] },
  ];
  for (const lie of lies) {
    // less than the session time-out in total
    clock.advance(20_000);
    liar.device.state(lie);
    honest.device.state(report(1, { wan: [1, 1] }));
    // a report is of the time at which it arrives
    await liar.device.heard();
  }
  honest.device.state(report(2, { wan: [501, 1] }));
  await expect.poll(() => samples(honest.identity.serial)).toHaveLength(2);
  await liar.device.heard();
  await server.program.ingest!.drain();
  expect(await sum('device_sample', ['wan_down'], sql`serial = ${honest.identity.serial}`)).toEqual({ wan_down: 500 });
  const reported = await samples(liar.identity.serial);
  expect(reported).toHaveLength(lies.length);
  for (const row of reported) expect(row).toMatchObject({ wan_down: 0, wan_up: 0, restarted: false });
  const [station] = await rows(
    sql<{ hostname: string }>`select hostname from station where mac = ${laptop} and account_id = ${owner.accountId}`,
  );
  expect(station?.hostname).toBe('<img src=x onerror=alert(1)>');
  expect(
    (await rows(sql`select 1 from station_open where serial = ${liar.identity.serial}`)).length,
  ).toBeLessThanOrEqual(2000);
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  expect(Number(/^yunxun_telemetry_clamped_total (\d+)/m.exec(metrics)?.[1])).toBeGreaterThan(90_000);
});

test('unbinding ends client sessions, and a returning device starts again', async () => {
  const { device, identity } = await connected();
  const { serial } = identity;
  device.state(report(0, { wan: [1000, 0], stations: [{ station: phone, connected: 30 }] }));
  await expect.poll(() => open(serial)).toHaveLength(1);
  expect(await server.call('/api/v3/device/unbind', { serial }, owner)).toMatchObject({ code: 2000 });
  expect(await open(serial)).toEqual([]);
  expect(await rows(sql`select end_reason from station_session where serial = ${serial}`)).toEqual([
    { end_reason: 'lost' },
  ]);
  expect(await rows(sql`select 1 from device_counters where serial = ${serial}`)).toEqual([]);
});

test('a client that moves to another access point has roamed, whichever report comes first', async () => {
  const [one, two] = [await connected(), await connected()];
  const guest = '3c22fb0000aa';
  const other = '3c22fb0000bb';
  const at = (mac: string, connectedS: number) => ({ station: mac, connected: connectedS, tx_bytes: 1, rx_bytes: 1 });
  const reported = (serial: string, minute: number) => expect.poll(() => samples(serial)).toHaveLength(minute);
  one.device.state(report(0, { stations: [at(guest, 5), at(other, 5)] }));
  two.device.state(report(0));
  await reported(one.identity.serial, 1);
  await reported(two.identity.serial, 1);
  clock.advance(60_000);
  // leave before join; for the other client reversed
  one.device.state(report(1, { stations: [at(other, 65)] }));
  await reported(one.identity.serial, 2);
  two.device.state(report(1, { stations: [at(guest, 20), at(other, 10)] }));
  await reported(two.identity.serial, 2);
  clock.advance(60_000);
  one.device.state(report(2));
  await reported(one.identity.serial, 3);
  const ended = await rows(
    sql`select mac, end_reason from station_session where serial = ${one.identity.serial} order by mac`,
  );
  expect(ended).toEqual([
    { mac: guest, end_reason: 'roam' },
    { mac: other, end_reason: 'roam' },
  ]);
});
