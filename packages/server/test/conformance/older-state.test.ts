import type { DataOf, fleet, statistics, users } from '@yunxun/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ManualClock } from '../../src/platform/clock.ts';
import { numbered } from '../numbered.ts';
import { type Registered, startTestServer, type TestServer } from '../server.ts';
import { accessPoint, endDevices, enrol, listedAs } from './device-client.ts';
import type { AccessPoint } from './peer/access-point.ts';
import { stateOf2022 } from './peer/generations.ts';
import type { Json } from './peer/json.ts';

const clock = new ManualClock();
let server: TestServer;
let owner: Registered;

beforeAll(async () => {
  server = await startTestServer({ clock });
  owner = await server.register();
});
afterAll(async () => {
  await endDevices();
  await server.stop();
});

const ask = async <T>(path: string, input: object): Promise<T> => {
  const answer = await server.call<T>(`/api/v3/${path}`, input, owner);
  expect(answer, path).toMatchObject({ code: 2000 });
  return answer.data;
};

async function makeNetwork(): Promise<{ gwid: string; serial: string; device: AccessPoint }> {
  const { gwid } = await ask<{ gwid: string }>('network/create', { remark: numbered(owner, 'Older') });
  const identity = await enrol(server, owner, { gwid });
  const device = accessPoint(identity);
  await device.connect();
  await listedAs(server, owner, identity.serial, { status: 'online' });
  return { gwid, serial: identity.serial, device };
}

async function report(device: AccessPoint, serial: string, state: Json): Promise<void> {
  clock.advance(60_000);
  device.state(state);
  await listedAs(server, owner, serial, { as_of: clock.now().toISOString() });
}

const stations = [['02:00:00:00:00:01'], ['02:00:00:00:00:02']] as const;

function minutes(n: number): Json {
  const state = structuredClone(stateOf2022(stations)) as {
    unit: Json;
    interfaces: { ssids: { associations: { connected: number; tx_bytes: number; rx_bytes: number }[] }[] }[];
  };
  state.unit.uptime = 568_964 + n * 60;
  state.unit.localtime = Math.floor(clock.now().getTime() / 1000) + 60;
  for (const ssid of state.interfaces[0]!.ssids) {
    for (const one of ssid.associations) {
      one.connected = 6000 + n * 60;
      one.tx_bytes = 9_000_000 + n * 2000;
      one.rx_bytes = 5_000_000 + n * 1000;
    }
  }
  return state as unknown as Json;
}

test('networks without counters carry what their clients do, by the band of their radio, and the answer says so', async () => {
  const { gwid, serial, device } = await makeNetwork();
  for (const n of [0, 1, 2]) await report(device, serial, minutes(n));
  const { ap_flow, bands } = await ask<DataOf<typeof statistics.apComplex>>('user_stat/ap_complex', { gwid });
  expect(ap_flow).toMatchObject({ download: 8000, upload: 4000, week_flow: 12_000, flow_source: 'clients' });
  expect(bands).toEqual([
    { name: '2.4G', online: 1, download: 4000, upload: 2000 },
    { name: '5G', online: 1, download: 4000, upload: 2000 },
    { name: '6G', online: 0, download: 0, upload: 0 },
  ]);
});

test('a band that nothing names is no 5 GHz', async () => {
  const { gwid, serial, device } = await makeNetwork();
  const state = minutes(0) as unknown as { interfaces: { ssids: Json[] }[] };
  for (const ssid of state.interfaces[0]!.ssids) delete ssid.radio;
  await report(device, serial, state as unknown as Json);
  const where = { client: '020000000003', bssid: '0200000000ff', ssid: 'Lobby' };
  device.event('client.join', where, Math.floor(clock.now().getTime() / 1000));
  await device.heard();
  await server.program.ingest!.drain();
  const { bands } = await ask<DataOf<typeof statistics.apComplex>>('user_stat/ap_complex', { gwid });
  expect(bands.map(({ online }) => online)).toEqual([0, 0, 0]);
  const { list } = await ask<DataOf<typeof users.list>>('user_online/list', { tab: 'online', gwid });
  expect(list.length).toBeGreaterThanOrEqual(2);
  expect(list.map(({ band }) => band)).toEqual(list.map(() => null));
});

test('radio values that cannot be are null', async () => {
  const { serial, device } = await makeNetwork();
  const detail = async (radio: Json) => {
    await report(device, serial, { ...minutes(0), radios: [radio], interfaces: [{ name: 'up0v0' }] });
    return (await ask<DataOf<typeof fleet.apDetail>>('ap/detail', { serial })).radios[0];
  };
  const none = { channel: null, width: null, power_dbm: null, util_pct: null, noise_dbm: null };
  expect(
    await detail({ channel: 999, channel_width: '41', tx_power: 900, chanUtil: 300, noise: 40, band: ['5G'] }),
  ).toMatchObject({ band: '5G', ...none });
  expect(await detail({ channel: -1, channel_width: 0, tx_power: 0, chanUtil: -3, noise: -500 })).toMatchObject({
    band: null,
    ...none,
  });
  // firmware that cannot measure reports 0
  expect(await detail({ channel: 36, channel_width: 80, tx_power: 20, chanUtil: 0, noise: -95 })).toMatchObject({
    band: '5G',
    channel: 36,
    width: 80,
    power_dbm: 20,
    util_pct: null,
    noise_dbm: -95,
  });
  expect((await detail({ channel: 36, chanUtil: 0, busy_ms: 700 }))?.util_pct).toBe(0);
});
