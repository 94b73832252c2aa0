import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { accessPoint, endDevices, enrol, listedAs } from '../../../test/conformance/device-client.ts';
import { numbered } from '../../../test/numbered.ts';
import { type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { ManualClock } from '../../platform/clock.ts';

const hour = 3_600_000;
// no zone's midnight is near
const clock = new ManualClock(new Date(Math.floor(Date.now() / hour) * hour - hour / 2));
const bssid = '903cb3000011';
let server: TestServer;
let owner: Registered;
let stand: Awaited<ReturnType<typeof connected>>;

beforeAll(async () => {
  server = await startTestServer({ clock });
  owner = await server.register();
});
afterEach(endDevices);
afterAll(() => server.stop());

const call = async <T>(path: string, body: object = {}) => (await server.call<T>(path, body, owner)).data;

async function connected() {
  const { gwid } = await call<{ gwid: string }>('/api/v3/network/create', { remark: numbered(owner, 'Shop') });
  const identity = await enrol(server, owner, { gwid });
  const device = accessPoint(identity);
  await device.connect();
  await listedAs(server, owner, identity.serial, { status: 'online' });
  return { device, serial: identity.serial };
}

let uptime = 1000;

function report(associations: object[], bridge: object = {}, rest: object = {}): void {
  uptime += 5;
  clock.advance(5000);
  stand.device.state({
    unit: { localtime: Math.floor(clock.now().getTime() / 1000), uptime },
    interfaces: [
      { name: 'up0v0', ssids: [{ ssid: 'House', bssid, band: ['5G'], iface: 'wlan0', associations }], ...bridge },
    ],
    ...rest,
  });
}

const detail = (mac: string) =>
  call<{ ip: string | null; ipv6: string | null; hostname: string | null; rssi: number | null } | null>(
    '/api/v3/user_online/detail',
    { mac },
  );
const foundBy = async (keyword: string) =>
  (await call<{ list: { mac: string }[] }>('/api/v3/user_online/list', { tab: 'online', keyword })).list.map(
    ({ mac }) => mac,
  );

it('has its address, name and signal with the first report after its join', async () => {
  stand = await connected();
  const mac = '3c22fb0000e1';
  report([]);
  clock.advance(1000);
  const seconds = Math.floor(clock.now().getTime() / 1000);
  stand.device.event('client.join', { client: mac, ssid: 'House', bssid, band: '5G' }, seconds);
  await expect.poll(() => detail(mac)).toMatchObject({ online: true, ip: null, rssi: null });
  const lease = { mac, address: '10.0.0.8', hostname: 'fdp.\u202eexe' };
  report([{ station: mac, connected: 6, rssi: -57 }], { ipv4: { leases: [lease] } });
  await expect.poll(() => detail(mac)).toMatchObject({ ip: '10.0.0.8', hostname: 'fdp.exe', rssi: -57 });
});

it('has a name and another address with the report that brings them', async () => {
  stand = await connected();
  const mac = '3c22fb0000e9';
  const associated = (lease: object[], ip: string) =>
    report([{ station: mac, connected: 6, rssi: -57, ipaddr_v4: ip }], { ipv4: { leases: lease } });
  associated([], '169.254.7.7');
  await expect.poll(() => detail(mac)).toMatchObject({ ip: '169.254.7.7', hostname: null });
  associated([], '10.0.0.21');
  await expect.poll(() => detail(mac)).toMatchObject({ ip: '10.0.0.21', hostname: null });
  associated([{ mac, address: '10.0.0.21', hostname: 'till-2' }], '10.0.0.21');
  await expect.poll(() => detail(mac)).toMatchObject({ ip: '10.0.0.21', hostname: 'till-2' });
});

it('has the global address of each family, whichever part of the report lists it', async () => {
  stand = await connected();
  const [bridged, six, leased] = ['3c22fb0000e2', '3c22fb0000e3', '3c22fb0000e4'];
  const clients = [
    { mac: bridged, ports: ['wlan0'], ipv4_addresses: ['169.254.9.9', '192.0.2.62'], ipv6_addresses: ['fe80::9'] },
    { mac: six, ports: ['LAN1'], ipv6_addresses: ['fe80::2', 'fd00::2', '2001:db8::2'] },
  ];
  const association = { station: leased, connected: 60, ipaddr_v4: '169.254.1.1', ipaddr_v6: '2001:db8::4' };
  report([{ station: bridged, connected: 60 }, association], {
    clients,
    ipv4: { leases: [{ mac: leased, address: '192.0.2.64', hostname: '*' }] },
  });
  await expect.poll(() => detail(six)).toMatchObject({ ip: '2001:db8::2', ipv6: '2001:db8::2' });
  expect(await detail(bridged)).toMatchObject({ ip: '192.0.2.62', ipv6: 'fe80::9' });
  expect(await detail(leased)).toMatchObject({ ip: '192.0.2.64', ipv6: '2001:db8::4' });
  expect(await foundBy('2001:DB8::4')).toEqual([leased]);
  expect(await foundBy('192.0.2.64')).toEqual([leased]);
});

it('is a client although it speaks LLDP; only bridges, routers and access points are none', async () => {
  stand = await connected();
  const peers = {
    '3c22fb0000f1': ['Station'],
    '3c22fb0000f2': ['Bridge', 'Tel'],
    '3c22fb0000f3': ['Bridge', 'Router'],
    '3c22fb0000f4': ['Wlan'],
    '3c22fb0000f5': ['Station', 'Bridge'],
    '3c22fb0000f6': [],
  };
  const clients = Object.keys(peers).map((mac) => ({ mac, ports: ['LAN1'] }));
  const downstream = { LAN1: Object.entries(peers).map(([mac, capability]) => ({ mac, name: mac, capability })) };
  report([], { clients }, { 'lldp-peers': { downstream } });
  const online = async () =>
    (await call<{ list: { mac: string }[] }>('/api/v3/user_online/list', { serial: stand.serial })).list;
  await expect
    .poll(async () => (await online()).map(({ mac }) => mac).toSorted())
    .toEqual(['3c22fb0000f1', '3c22fb0000f2', '3c22fb0000f6']);
});

it('counts today in a new time zone, and on no day that has not begun there', async () => {
  const zone = (time_zone: string) => call('/api/v3/account/update', { time_zone });
  const today = () =>
    call<{ list: { mac: string; flow_today: number }[]; total: number }>('/api/v3/user_online/list', {
      tab: 'today',
      sort: 'mac',
      order: 'asc',
      limit: 50,
    });
  const days = () =>
    server.db.database.systemPool.query<{ days: number }>(
      'select count(distinct day)::integer as days from station_day where account_id = $1',
      [owner.accountId],
    );
  owner = await server.register();
  await zone('Pacific/Kiritimati');
  stand = await connected();
  const [mac, bytes] = ['3c22fb0000e9', 5_000_000];
  report([{ station: mac, connected: 5, tx_bytes: 0 }]);
  report([{ station: mac, connected: 10, tx_bytes: bytes }]);
  clock.advance(60_000);
  report([{ station: mac, connected: 75, tx_bytes: bytes }]);
  await expect.poll(async () => (await today()).list.find((row) => row.mac === mac)?.flow_today).toBe(bytes);
  const before = await today();
  await zone('Pacific/Niue');
  await expect.poll(today).toEqual(before);
  expect((await days()).rows).toEqual([{ days: 1 }]);
  await zone('Pacific/Kiritimati');
  await expect.poll(today).toEqual(before);
});
