import type { DataOf, fleet, networkTimeline, users } from '@yunxun/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ManualClock } from '../../src/platform/clock.ts';
import { createRollups } from '../../src/telemetry/rollups.ts';
import { type Registered, startTestServer, type TestServer } from '../server.ts';
import { accessPoint, endDevices, enrol, listed, listedAs } from './device-client.ts';
import type { AccessPoint } from './peer/access-point.ts';
import type { Json } from './peer/json.ts';

type Onboarding = DataOf<typeof fleet.onboarding>;

const clock = new ManualClock();
let server: TestServer;
let owner: Registered;
let gwid: string;
let gateway: AccessPoint;
let point: AccessPoint;

const yunxun = { agent: '0.5.0', abilities: {}, missing: [], allowed: { reboot: true, scripts: false } };
const capabilities = {
  platform: 'olg',
  compatible: 'yunxun_edge',
  model: 'Box',
  compress_cmd: true,
  yunxun,
  network: { WAN1: ['eth0'], LAN1: ['eth1'] },
};
const [officeClient, phone] = ['3c22fb000001', '3c22fb000002'];

beforeAll(async () => {
  server = await startTestServer({ clock });
  owner = await server.register();
  gwid = (await server.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Inn' }, owner)).data.gwid;
  gateway = accessPoint(await enrol(server, owner, { gwid, platform: 'olg' }), { capabilities });
  point = accessPoint(await enrol(server, owner, { gwid }));
  for (const device of [gateway, point]) await device.connect();
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
const network = () => ask<DataOf<typeof fleet.networkDetail>>('network/detail', { gwid });
const detail = ({ options }: AccessPoint) =>
  ask<DataOf<typeof fleet.apDetail>>('ap/detail', { serial: options.serial });
const people = (tab: string) =>
  ask<DataOf<typeof users.list>>('user_online/list', { tab, gwid, sort: 'mac', order: 'asc' });

const begin = Math.floor(clock.now().getTime() / 1000);
const seconds = () => Math.floor(clock.now().getTime() / 1000);

async function report(device: AccessPoint, state: Json): Promise<void> {
  device.state({ unit: { uptime: 9000 + seconds() - begin, localtime: seconds() }, ...state });
  const asOf = clock.now().toISOString();
  await expect.poll(async () => (await listed(server, owner, device.options.serial))?.as_of).toBe(asOf);
}

const line = {
  interface: 'up0v0',
  address: '198.51.100.3',
  gateway: '198.51.100.1',
  alive: true,
  latency_ms: 3.5,
  loss_pct: 0,
};
const own = (here: string[], bytes: Record<string, number>, more: Json = {}): Json => ({
  interfaces: [
    { name: 'up0v0', counters: { rx_bytes: 0, tx_bytes: 0 } },
    {
      name: 'down1v0',
      ipv4: { addresses: ['192.168.1.1/24'] },
      clients: here.map((mac) => ({ mac, ports: ['LAN1'], ipv4_addresses: ['192.168.1.10'] })),
    },
  ],
  yunxun: {
    connections: 71,
    connections_max: 262_144,
    lines: [{ ...line, since: begin }],
    disk: { total: 900, free: 400 },
    flow: { lost: 0, nobodys: 0, waiting: 0, given_up: 0 },
    stations: Object.entries(bytes).map(([mac, tx]) => ({ mac, tx_bytes: tx, rx_bytes: tx / 10 })),
    ...more,
  },
});

it('is not known of other firmware, nor before the first report, and says why', async () => {
  for (const { options } of [gateway, point]) await listedAs(server, owner, options.serial, { status: 'online' });
  const nothing = { connections: null, connections_max: null, lines: null, disk: null };
  expect(await detail(point)).toMatchObject({ ...nothing, gateway_reason: 'not_agent' });
  expect(await detail(gateway)).toMatchObject({ ...nothing, gateway_reason: 'no_report' });
  expect(await network()).toMatchObject({ ...nothing, gateway_reason: 'no_report' });
  const { data } = await server.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Empty' }, owner);
  const empty = await ask<object>('network/detail', { gwid: data.gwid });
  expect(empty).toMatchObject({ ...nothing, gateway_reason: 'no_gateway' });
});

it('shows lines and connections in the network and the device', async () => {
  await report(gateway, own([], {}));
  const facts = {
    connections: 71,
    connections_max: 262_144,
    disk: { total: 900, free: 400 },
    gateway_reason: null,
    lines: [{ ...line, since: new Date(begin * 1000).toISOString() }],
  };
  expect(await network()).toMatchObject({ sn: gateway.options.serial, ...facts });
  expect(await detail(gateway)).toMatchObject(facts);
});

it('notifies the waiting page of its first report and its network', async () => {
  const { gwid } = await ask<{ gwid: string }>('ap/detail', { serial: gateway.options.serial });
  const { connections, online, last_seen_at } = await ask<Onboarding>('device/onboarding', {});
  expect([online, last_seen_at]).toEqual([2, expect.any(String)]);
  expect(connections).toContainEqual(
    expect.objectContaining({ serial: gateway.options.serial, gwid, online: true, reported_at: expect.any(String) }),
  );
});

it('has the connections in the lists of networks and gateways, and nothing without reports', async () => {
  const counted = { connections: 71, connections_max: 262_144 };
  const networks = await ask<{ list: object[] }>('network/list', { page: 1, limit: 10, sort: 'bind_time' });
  expect(networks.list).toContainEqual(expect.objectContaining({ sn: gateway.options.serial, ...counted }));
  expect(networks.list).toContainEqual(expect.objectContaining({ remark: 'Empty', connections: null }));
  const gateways = await ask<{ list: object[] }>('ap/list', { kind: 'gateway' });
  expect(gateways.list).toMatchObject([{ serial: gateway.options.serial, ...counted }]);
  const points = await ask<{ list: object[] }>('ap/list', { kind: 'ap' });
  expect(points.list).toMatchObject([{ serial: point.options.serial, connections: null, connections_max: null }]);
});

it('reports wired clients that join and leave, with their bytes', async () => {
  clock.advance(20_000);
  gateway.event('client.join', { client: officeClient, port: 'LAN1' }, seconds());
  clock.advance(40_000);
  await report(gateway, own([officeClient], { [officeClient]: 5000 }));
  expect((await people('online')).list).toMatchObject([
    {
      mac: officeClient,
      band: 0,
      port: 'LAN1',
      down: 5000,
      up: 500,
      login_at: new Date((begin + 20) * 1000).toISOString(),
    },
  ]);
  clock.advance(30_000);
  gateway.event(
    'client.leave',
    { client: officeClient, port: 'LAN1', tx_bytes: 6000, rx_bytes: 600, connected_time: 70 },
    seconds(),
  );
  clock.advance(30_000);
  await report(gateway, own([], { [officeClient]: 6000 }));
  for (const device of [gateway, point]) await device.heard();
  await server.program.ingest!.drain();
  expect((await people('online')).list).toEqual([]);
  expect((await people('today')).list).toMatchObject([{ mac: officeClient, flow_today: 5500 }]);
});

it('counts wireless clients once, as the access point does', async () => {
  clock.advance(60_000);
  const air = (connected: number, bytes: number) => ({
    interfaces: [
      {
        name: 'up0v0',
        ssids: [
          {
            ssid: 'Inn',
            bssid: '903cb3000011',
            band: ['5G'],
            associations: [{ station: phone, connected, rssi: -60, tx_bytes: bytes, rx_bytes: 0 }],
          },
        ],
      },
    ],
  });
  await report(point, air(5, 100));
  await report(gateway, own([phone], { [officeClient]: 6000, [phone]: 80 }));
  clock.advance(60_000);
  await report(point, air(65, 1100));
  await report(gateway, own([phone], { [officeClient]: 6000, [phone]: 1000 }));
  clock.advance(30_000);
  const where = { client: phone, bssid: '903cb3000011', ssid: 'Inn' };
  point.event('client.leave', { ...where, tx_bytes: 1200, rx_bytes: 0, connected_time: 95 }, seconds());
  clock.advance(30_000);
  await report(gateway, own([phone], { [officeClient]: 6000, [phone]: 1150 }));
  for (const device of [gateway, point]) await device.heard();
  await server.program.ingest!.drain();
  expect((await people('today')).list).toMatchObject([
    { mac: officeClient, flow_today: 5500 },
    { mac: phone, flow_today: 1100 },
  ]);
});

it('is believed nothing that cannot be', async () => {
  clock.advance(60_000);
  const lies = {
    connections: -1,
    connections_max: 1e300,
    disk: { total: 1, free: 2 },
    lines: [
      { interface: '\u0007', alive: true },
      { interface: 'up0v0', alive: 7, latency_ms: -1, loss_pct: 1e9, since: 1e99 },
    ],
  };
  for (const client of [officeClient, '3c22fb000009'])
    gateway.event(
      'client.leave',
      { client, port: 'LAN1', tx_bytes: 9e15, rx_bytes: -1, connected_time: 1e300 },
      seconds(),
    );
  await report(gateway, own([officeClient, phone], { [officeClient]: 9e15, [phone]: 1150 }, lies));
  const unknown = { address: null, gateway: null, alive: null, latency_ms: null, loss_pct: null, since: null };
  expect(await network()).toMatchObject({
    connections: null,
    connections_max: null,
    disk: null,
    gateway_reason: null,
    lines: [{ interface: 'up0v0', ...unknown }],
  });
  for (const device of [gateway, point]) await device.heard();
  await server.program.ingest!.drain();
  expect((await people('today')).list).toMatchObject([
    { mac: officeClient, flow_today: 5500 },
    { mac: phone, flow_today: 1100 },
  ]);
});

it('has no bytes of an idle wired client, and no number without counters', async () => {
  const quiet = '3c22fb0000aa';
  const shown = async () => {
    const { list } = await people('online');
    const { open } = await ask<{ open: object[] }>('user_online/history', { mac: quiet, page: 1, limit: 10 });
    return [list.find(({ mac }) => mac === quiet), open[0]];
  };
  clock.advance(60_000);
  await report(gateway, own([quiet], {}));
  expect(await shown()).toMatchObject([
    { band: 0, down: 0, up: 0 },
    { band: 0, down: 0, up: 0 },
  ]);
  clock.advance(60_000);
  await report(gateway, own([quiet], {}, { flow: null }));
  expect(await shown()).toMatchObject([
    { band: 0, down: null, up: null },
    { band: 0, down: null, up: null },
  ]);
});

it('is in the timeline of its network', async () => {
  clock.advance(6 * 60_000);
  await createRollups({ ...server.db, clock }).run();
  const { latency, loss } = await ask<DataOf<typeof networkTimeline.networkTimeline>>('network/timeline', {
    gwid,
    hours: 24,
  });
  expect(latency).toContain(3.5);
  expect(loss).toContain(0);
});
