import type { DataOf, statistics, users } from '@yunxun/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ManualClock } from '../../../src/platform/clock.ts';
import { createRollups } from '../../../src/telemetry/rollups.ts';
import { numbered } from '../../numbered.ts';
import { type Registered, startTestServer, type TestServer } from '../../server.ts';
import { accessPoint, endDevices, enrol, listed, listedAs } from '../device-client.ts';
import type { AccessPoint } from '../peer/access-point.ts';

const clock = new ManualClock();
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ clock });
});
afterAll(async () => {
  await endDevices();
  await server.stop();
});

const bssid = '903cb3000011';
const phone = '3c22fb000001';

interface Fixture {
  owner: Registered;
  gwid: string;
  serial: string;
  device: AccessPoint;
}

async function startSite(owner: Registered): Promise<Fixture> {
  const { data } = await server.call<{ gwid: string }>(
    '/api/v3/network/create',
    { remark: numbered(owner, 'House') },
    owner,
  );
  const identity = await enrol(server, owner, { gwid: data.gwid });
  const device = accessPoint(identity);
  await device.connect();
  await listedAs(server, owner, identity.serial, { status: 'online' });
  return { owner, gwid: data.gwid, serial: identity.serial, device };
}

const uplink = (rx: unknown, tx: unknown) => ({ name: 'up0v0', counters: { rx_bytes: rx, tx_bytes: tx } });
const wireless = (counters: object, associations: unknown, more = {}) => ({
  ssid: 'House',
  bssid,
  band: ['5G'],
  counters,
  associations,
  ...more,
});

function honest({ device }: Fixture, minute: number): void {
  const bytes = minute * 1000;
  const there = { station: phone, connected: minute * 60, rssi: -60, tx_bytes: bytes, rx_bytes: 0 };
  device.state({
    unit: { localtime: 1_790_000_000 + minute * 60, uptime: 9000 + minute * 60 },
    interfaces: [{ ...uplink(bytes, 0), ssids: [wireless({ rx_bytes: 0, tx_bytes: bytes }, [there])] }],
  });
}

const million = Array.from({ length: 1_000_000 }, (_, n) => ({ station: n.toString(16).padStart(12, '0') }));
const year2100 = 4_102_444_800;
const html = '<img src=x onerror=alert(1)>';
/** Values that fit the columns but contradict each other. */
const crowd = (from: number) =>
  Array.from({ length: 500 }, (_, n) => ({
    station: (0x0200_0000_0000 + from + n).toString(16).padStart(12, '0'),
    connected: 34_560_000,
    rssi: -60,
    tx_bytes: 700e9,
    rx_bytes: 700e9,
    tx_packets: 2 ** 53 - 1,
  }));
const networks = (each: number) =>
  Array.from({ length: 200 }, (_, n) => ({
    ssid: 'House',
    bssid: `903cb3${n.toString(16).padStart(6, '0')}`,
    band: ['5G'],
    associations: [],
    counters: { rx_bytes: each, tx_bytes: each },
  }));
const plausible = (minute: number) => ({
  unit: { uptime: 50_000 + minute * 60, localtime: 1_790_000_000 + minute * 60 },
  interfaces: [{ ...uplink(1, 1), ssids: [wireless({}, crowd(minute * 500)), ...networks(minute * 700e9)] }],
});
const reports: (() => Record<string, unknown>)[] = [
  () => plausible(0),
  () => plausible(1),
  () => plausible(2),
  () => ({ unit: { uptime: -5, localtime: year2100 }, interfaces: [uplink(-7, 'NaN')] }),
  () => ({ unit: { uptime: 1e300, localtime: -1 }, interfaces: [uplink(9e15, 1e300)] }),
  () => ({ interfaces: [{ ...uplink(null, {}), ssids: [wireless({ rx_bytes: -1, tx_bytes: '1e99' }, million)] }] }),
  () => ({ interfaces: [uplink(1, 1)], note: 'x'.repeat(5_000_000) }),
  () => ({
    interfaces: [
      {
        ssids: [
          wireless({}, [{ station: phone, connected: 1e15, tx_bytes: 1e18, rx_bytes: -1, rssi: 1e9 }], { ssid: html }),
        ],
        ipv4: { leases: [{ mac: phone, hostname: `${html}\u0000` }] },
      },
    ],
    captive: { [phone]: { status: 'Authenticated', username: html } },
  }),
];

const ask = async <T>({ owner }: Fixture, path: string, input: object): Promise<T> => {
  const answer = await server.call<T>(`/api/v3/${path}`, input, owner);
  expect(answer, path).toMatchObject({ code: 2000 });
  return answer.data;
};

async function numbers(of: Fixture) {
  const scope = { gwid: of.gwid };
  const complex = await ask<DataOf<typeof statistics.complex>>(of, 'user_stat/complex', scope);
  const aps = await ask<DataOf<typeof statistics.apComplex>>(of, 'user_stat/ap_complex', scope);
  const list = await ask<DataOf<typeof users.list>>(of, 'user_online/list', { tab: 'online', ...scope });
  return {
    online: complex.current_online,
    authenticated: complex.current_auth,
    today: complex.today_online_amount,
    flow: complex.cumulative_flow.total,
    wireless: aps.ap_flow.week_flow,
    list: list.list.map(({ mac, gwid, ssid, down, up, account }) => ({ mac, gwid, ssid, down, up, account })),
  };
}

async function reported({ owner, serial }: Fixture): Promise<void> {
  const asOf = clock.now().toISOString();
  await expect.poll(async () => (await listed(server, owner, serial))?.as_of).toBe(asOf);
}

test('whatever a device makes up, the numbers of others are theirs', async () => {
  const owner = await server.register();
  const good = await startSite(owner);
  const liars = [await startSite(owner), await startSite(await server.register())];
  honest(good, 0);
  await reported(good);
  const tables = await relations();
  let minute = 0;
  for (const lie of reports) {
    clock.advance(60_000);
    minute += 1;
    for (const { device } of liars) {
      const seconds = Math.floor(clock.now().getTime() / 1000);
      const where = { client: phone, bssid, ssid: html };
      device.event('client.join', { ...where, channel: -1, band: 'x' }, year2100);
      device.event('client.leave', { ...where, tx_bytes: 1e18, rx_bytes: -5, connected_time: 1e300 }, -seconds);
      device.event('client.leave', { ...where, tx_bytes: 9e15, rx_bytes: 'NaN', connected_time: -1 }, seconds);
      for (const n of [1, 2, 3]) {
        const long = { tx_bytes: 700e9, rx_bytes: 700e9, connected_time: 34_560_000 };
        device.event('client.leave', { ...where, client: `0200ffff000${n}`, ...long }, seconds - n);
      }
      device.state(lie());
    }
    honest(good, minute);
    await reported(good);
  }
  for (const { device } of [good, ...liars]) await device.heard();
  for (const liar of liars) await reported(liar);
  await server.program.ingest!.drain();
  const bytes = minute * 1000;
  const check = async () => {
    expect(await numbers(good)).toEqual({
      online: 1,
      authenticated: 0,
      today: 1,
      flow: bytes,
      wireless: bytes,
      list: [{ mac: phone, gwid: good.gwid, ssid: 'House', down: bytes, up: 0, account: null }],
    });
    for (const liar of liars) {
      const { online, today, flow, wireless: air } = await numbers(liar);
      expect([online, flow, air]).toEqual([1, 0, 0]);
      // counted as reported: the phone, three that left, and a crowd per report
      expect(today).toBe(1 + 3 + 3 * 500);
      const input = { gwid: liar.gwid, day: 30 };
      const { user_time } = await ask<DataOf<typeof statistics.userModel>>(liar, 'user_stat/user_model', input);
      expect(user_time.map(({ value }) => value)).toEqual([today, 0, 0, 0, 0]);
    }
  };
  await check();
  // closes all buckets; the session clock stands still, because a jump would end the sessions
  const later = new ManualClock(new Date(clock.now().getTime() + 600_000));
  await createRollups({ database: server.db.database, clock: later }).run();
  await check();
  // no partition per invented day
  expect((await relations()) - tables).toBeLessThanOrEqual(40);
});

async function relations(): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n from pg_inherits`.execute(server.db.database.system);
  return rows[0]!.n;
}
