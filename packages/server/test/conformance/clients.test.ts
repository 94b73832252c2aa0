import type { DataOf, statistics, users } from '@yunxun/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ManualClock } from '../../src/platform/clock.ts';
import { createRollups } from '../../src/telemetry/rollups.ts';
import { type Registered, startTestServer, type TestServer } from '../server.ts';
import { accessPoint, endDevices, enrol, type Identity, listed, listedAs, newSerial } from './device-client.ts';
import type { AccessPoint } from './peer/access-point.ts';

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
const laptop = '3c22fb000002';

const network = async (owner: Registered, remark: string) =>
  (await server.call<{ gwid: string }>('/api/v3/network/create', { remark }, owner)).data.gwid;

async function online(owner: Registered, identity: Identity, capabilities: object = {}): Promise<AccessPoint> {
  const device = accessPoint(identity, { capabilities: { platform: 'ap', model: 'EAP102', ...capabilities } });
  await device.connect();
  await listedAs(server, owner, identity.serial, { status: 'online' });
  return device;
}

const associated = (station: string) => ({ station, connected: 60, rssi: -60, tx_bytes: 1000, rx_bytes: 500 });
const onPort = (mac: string, port: string) => ({ mac, ports: [port] });

async function report(owner: Registered, device: AccessPoint, state: object): Promise<void> {
  clock.advance(60_000);
  device.state({ unit: { uptime: Math.floor(clock.now().getTime() / 1000) - 1_700_000_000 }, ...state });
  const { serial } = device.options;
  await expect.poll(async () => (await listed(server, owner, serial))?.as_of).toBe(clock.now().toISOString());
}

async function complex(owner: Registered, of: object = {}) {
  const { data } = await server.call<DataOf<typeof statistics.complex>>('/api/v3/user_stat/complex', of, owner);
  return { now: data.current_online, today: data.today_online_amount, flow: data.cumulative_flow.total };
}

async function macs(owner: Registered): Promise<string[]> {
  const { data } = await server.call<DataOf<typeof users.list>>('/api/v3/user_online/list', { tab: 'online' }, owner);
  return data.list.map(({ mac }) => mac).toSorted();
}

it('counts neither equipment of the account, nor upstream devices, nor unused addresses', async () => {
  const owner = await server.register();
  const gwid = await network(owner, 'House');
  const [top, below] = [await enrol(server, owner, { gwid }), await enrol(server, owner, { gwid })];
  const otherMac = newSerial();
  const device = await online(owner, top, { network: { WAN: ['eth9'], LAN: ['eth1'] } });
  await online(owner, below, { label_macaddr: below.serial, macaddr: { wan: otherMac } });
  const stations = [phone, below.serial, otherMac, bssid, '000000000000', 'ffffffffffff', '01005e000001'];
  const clients = [
    ...[laptop, below.serial, otherMac, bssid, '000000000000', 'ffffffffffff', '333300000001'].map((mac) =>
      onPort(mac, 'eth1'),
    ),
    onPort('3c22fb000003', 'eth5'),
    onPort('3c22fb000004', 'eth9'),
  ];
  const ssid = { ssid: 'House', bssid, band: ['5G'], associations: stations.map(associated) };
  const state = {
    interfaces: [{ name: 'up0v0', ssids: [ssid], clients }],
    'link-state': { upstream: { eth5: { carrier: 1 } }, downstream: { eth1: { carrier: 1 } } },
  };
  await report(owner, device, state);
  device.event('client.join', { client: below.serial, bssid, ssid: 'House', band: '5G' });
  await report(owner, device, state);
  expect(await macs(owner)).toEqual([phone, laptop]);
  expect(await complex(owner)).toMatchObject({ now: 2, today: 2 });
  expect(await listed(server, owner, top.serial)).toMatchObject({ online_user: 2 });
});

it('counts no client at a port called "unknown", which is how the firmware calls its radios', async () => {
  const owner = await server.register();
  const identity = await enrol(server, owner, { gwid: await network(owner, 'House') });
  const device = await online(owner, identity, { network: { WAN: ['eth0'], LAN: ['eth1'] } });
  const clients = [onPort(phone, 'unknown'), { mac: laptop, ports: ['unknown', 'LAN'] }];
  await report(owner, device, { interfaces: [{ name: 'down1v0', clients }] });
  expect(await macs(owner)).toEqual([laptop]);
  expect(await complex(owner)).toMatchObject({ now: 1, today: 1 });
});

it('counts clients, flow and days of a device only once it is in a network', async () => {
  const owner = await server.register();
  const [one, two] = [await network(owner, 'One'), await network(owner, 'Two')];
  const placed = await online(owner, await enrol(server, owner, { gwid: one }));
  const identity = await enrol(server, owner);
  const waits = await online(owner, identity);
  expect(await listed(server, owner, identity.serial)).toMatchObject({ gwid: null });
  const seen = (mac: string, bytes: number) => ({
    interfaces: [
      {
        name: 'up0v0',
        counters: { rx_bytes: bytes, tx_bytes: 0 },
        ssids: [{ ssid: 'House', bssid: `${mac.slice(0, 10)}ff`, band: ['5G'], associations: [associated(mac)] }],
      },
    ],
  });
  for (const bytes of [1000, 2000]) {
    await report(owner, placed, seen(phone, bytes));
    await report(owner, waits, seen(laptop, bytes));
  }
  expect(await macs(owner)).toEqual([phone]);
  const sum = await complex(owner, { gwid: one });
  expect(sum).toEqual({ now: 1, today: 1, flow: 1000 });
  expect(await complex(owner)).toEqual(sum);
  clock.advance(10 * 60_000);
  const database = await server.db.reopen();
  await createRollups({ database, clock }).run();
  expect(await complex(owner)).toEqual({ now: 1, today: 1, flow: 1000 });
  await server.call('/api/v3/device/adopt', { serial: identity.serial, gwid: two }, owner);
  await report(owner, waits, seen(laptop, 3000));
  expect(await macs(owner)).toEqual([phone, laptop]);
  expect(await complex(owner)).toEqual({ now: 2, today: 2, flow: 2000 });
});

describe('clients on a port that leads to an own device', () => {
  const kettle = '3c22fb0000a1';
  const tablet = '3c22fb0000a2';
  const printer = '3c22fb0000a3';
  const officeClient = '3c22fb0000a4';
  const air = '903cb30000aa';

  async function rowOf(owner: Registered, mac: string) {
    const { data } = await server.call<DataOf<typeof users.list>>('/api/v3/user_online/list', { tab: 'online' }, owner);
    expect(data.total).toBe(data.list.length);
    const { serial, band, port, behind, ssid } = data.list.find((row) => row.mac === mac)!;
    return { serial, band, port, behind, ssid };
  }

  async function counts(owner: Registered, gwid: string) {
    const of = async (band: '0' | '5') => {
      const filter = { tab: 'online', band };
      const { data } = await server.call<DataOf<typeof users.list>>('/api/v3/user_online/list', filter, owner);
      return data.total;
    };
    const online = (await complex(owner)).now;
    expect((await complex(owner, { gwid })).now).toBe(online);
    expect(await macs(owner)).toHaveLength(online);
    return { online, air: await of('5'), wired: await of('0') };
  }

  const gatewayState = (clients: object[], lldp: object = {}) => ({
    interfaces: [{ name: 'down1v0', clients }],
    'link-state': { downstream: { LAN1: { carrier: 1 }, LAN2: { carrier: 1 } } },
    'lldp-peers': { downstream: lldp },
  });

  const apState = (associations: object[], clients: object[] = []) => ({
    interfaces: [{ name: 'up0v0', ssids: [{ ssid: 'House', bssid: air, band: ['5G'], associations }], clients }],
  });

  it('are somewhere behind it until it reports them, and never wired at the gateway', async () => {
    const owner = await server.register();
    const gwid = await network(owner, 'House');
    const [top, below] = [await enrol(server, owner, { gwid }), await enrol(server, owner, { gwid })];
    const gateway = await online(owner, top, { platform: 'olg' });
    const seen = [
      ...[below.serial, kettle, tablet].map((mac) => onPort(mac, 'LAN1')),
      ...[printer, officeClient].map((mac) => onPort(mac, 'LAN2')),
    ];
    const unknown = { serial: below.serial, band: null, port: null, behind: true, ssid: null };
    for (let n = 0; n < 3; n += 1) {
      await report(owner, gateway, gatewayState(seen));
      expect(await rowOf(owner, kettle)).toEqual(unknown);
      expect(await rowOf(owner, printer)).toMatchObject({ serial: top.serial, band: 0, port: 'LAN2', behind: false });
      expect(await counts(owner, gwid)).toEqual({ online: 4, air: 0, wired: 2 });
    }
    const device = await online(owner, below);
    await report(owner, device, apState([associated(kettle)], [onPort(tablet, 'LAN')]));
    await report(owner, gateway, gatewayState(seen));
    expect(await rowOf(owner, kettle)).toEqual({
      serial: below.serial,
      band: 5,
      port: null,
      behind: false,
      ssid: 'House',
    });
    expect(await rowOf(owner, tablet)).toMatchObject({ serial: below.serial, band: 0, port: 'LAN', behind: false });
    expect(await counts(owner, gwid)).toEqual({ online: 4, air: 1, wired: 3 });
    // it has left the air, and the gateway's table still holds its address
    await report(owner, device, apState([], [onPort(tablet, 'LAN')]));
    for (let n = 0; n < 6; n += 1) await report(owner, gateway, gatewayState(seen));
    expect(await rowOf(owner, kettle)).toEqual(unknown);
    expect(await counts(owner, gwid)).toEqual({ online: 4, air: 0, wired: 3 });
  });

  it('stay wired on the port of an unmanaged switch once the access point on it does not list them', async () => {
    const owner = await server.register();
    const gwid = await network(owner, 'Flat');
    const [top, below] = [await enrol(server, owner, { gwid }), await enrol(server, owner, { gwid })];
    const gateway = await online(owner, top, { platform: 'olg' });
    const device = await online(owner, below);
    const seen = gatewayState(
      [officeClient, kettle].map((mac) => onPort(mac, 'LAN1')),
      { LAN1: [{ mac: below.serial }] },
    );
    await report(owner, gateway, seen);
    expect(await rowOf(owner, officeClient)).toMatchObject({ serial: below.serial, band: null, behind: true });
    await report(owner, device, apState([associated(kettle)]));
    await report(owner, gateway, seen);
    expect(await rowOf(owner, officeClient)).toMatchObject({
      serial: top.serial,
      band: 0,
      port: 'LAN1',
      behind: false,
    });
    expect(await rowOf(owner, kettle)).toMatchObject({ serial: below.serial, band: 5, behind: false });
    expect(await counts(owner, gwid)).toEqual({ online: 2, air: 1, wired: 1 });
  });

  it('are at the port of an own switch that knows them', async () => {
    const owner = await server.register();
    const gwid = await network(owner, 'Switched');
    const [top, below] = [await enrol(server, owner, { gwid }), await enrol(server, owner, { gwid })];
    const gateway = await online(owner, top, { platform: 'olg' });
    const device = await online(owner, below, { platform: 'switch' });
    const table = { Ethernet7: { '1': [officeClient] }, Ethernet48: { '1': [top.serial, printer] } };
    const links = { Ethernet7: { carrier: 1 }, Ethernet48: { carrier: 1 } };
    await report(owner, device, { 'mac-forwarding-table': table, 'link-state': { upstream: links } });
    const seen = gatewayState([below.serial, officeClient, kettle].map((mac) => onPort(mac, 'LAN1')));
    await report(owner, gateway, seen);
    expect(await rowOf(owner, officeClient)).toMatchObject({
      serial: below.serial,
      band: 0,
      port: 'Ethernet7',
      behind: false,
    });
    expect(await rowOf(owner, kettle)).toMatchObject({ serial: below.serial, band: null, behind: true });
    expect(await counts(owner, gwid)).toEqual({ online: 2, air: 0, wired: 1 });
  });
});
