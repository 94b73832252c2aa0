import type { topology as contract, DataOf } from '@yunxun/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { host } from '../../../test/seed.ts';
import { seedPerson } from '../../../test/seed-account.ts';
import { type Fixture, startFixture } from './testing/fixture.ts';

type Topology = DataOf<typeof contract.get>;

const colons = (mac: string) => mac.match(/../g)!.join(':');
const [phone, pc, lost] = ['3c22fb000001', '3c22fb000002', '3c22fb000003'];
const port = (speed: number) => ({ carrier: 1, speed });

let fixture: Fixture;
let shop: string;
let depot: string;
let box: Record<'gate' | 'core' | 'lobby' | 'silent', string>;

beforeAll(async () => {
  fixture = await startFixture();
  const { telemetry } = fixture;
  [shop, depot] = [await telemetry.network('Shop'), await telemetry.network('Depot')];
  box = {
    gate: await telemetry.device(shop, { kind: 'gateway', online: true, gateway: true }),
    core: await telemetry.device(shop, { kind: 'switch', online: true, model: 'Switch 24P' }),
    lobby: await telemetry.device(shop, { kind: 'ap', online: true }),
    silent: await telemetry.device(shop, { kind: 'ap', online: false }),
  };
  const { gate, core, lobby } = box;
  await fixture.says(core, {
    interfaces: [{ name: 'up0v0', clients: [{ mac: colons(pc), ports: ['Ethernet3'] }] }],
    'link-state': { upstream: { Ethernet0: port(10_000) }, downstream: { Ethernet3: port(100) } },
    'lldp-peers': { upstream: { Ethernet0: [{ name: 'Gate', mac: colons(gate), port_id: 'LAN1' }] } },
  });
  await fixture.says(lobby, {
    interfaces: [
      {
        name: 'up0v0',
        ssids: [
          {
            ssid: 'Guests',
            bssid: '90:3c:b3:00:00:11',
            iface: 'wlan0',
            band: '5G',
            associations: [{ station: colons(phone), rssi: -61, connected: 60 }],
          },
        ],
      },
    ],
    'link-state': { upstream: { WAN: port(1000) } },
    'lldp-peers': {
      upstream: { WAN: [{ name: 'Core', mac: colons(core), port_id: 'Ethernet1' }] },
      downstream: { LAN1: [{ name: 'Camera 7', mac: '28:57:be:00:00:07', capability: ['Station'] }] },
    },
  });
  await fixture.says(gate, {
    interfaces: [
      {
        name: 'down1v0',
        clients: [phone, pc, lost].map((mac) => ({ mac: colons(mac), ports: [mac === lost ? 'WAN' : 'LAN1'] })),
      },
    ],
    'link-state': { downstream: { LAN1: port(1000) } },
  });
});
afterAll(() => fixture.stop());

const ask = async (gwid: string, as: object = fixture.owner) =>
  fixture.server.call<Topology>('/api/v3/topology/get', { gwid }, as);

it('is drawn from what the devices report, each link with the ports and the speed that they tell', async () => {
  const { data } = await ask(shop);
  expect(data).toMatchObject({ remark: 'Shop', stations: 2, left_out: 0 });
  const shown = new Map(data.nodes.map((node) => [node.id, node]));
  expect(shown.get(box.gate)).toMatchObject({ kind: 'gateway', parent: null, apart: null, status: 'online' });
  expect(shown.get(box.core)).toMatchObject({
    kind: 'switch',
    parent: box.gate,
    about: 'Switch 24P',
    link: { source: 'lldp_up', port: 'LAN1', child_port: 'Ethernet0', speed: 10_000 },
  });
  expect(shown.get(box.core)?.ports).toMatchObject([
    { name: 'Ethernet0', up: true, speed: 10_000 },
    { name: 'Ethernet3', up: true, speed: 100 },
  ]);
  expect(shown.get(box.lobby)).toMatchObject({ parent: box.core, link: { port: 'Ethernet1', speed: 1000 } });
  expect(shown.get(`sta:${phone}`)).toMatchObject({
    kind: 'station',
    parent: box.lobby,
    rssi: -61,
    band: 5,
    ssid: 'Guests',
    link: { source: 'wireless' },
  });
  // the switch is below the gateway, which lists it too
  expect(shown.get(`sta:${pc}`)).toMatchObject({ parent: box.core, link: { source: 'mac', port: 'Ethernet3' } });
  expect(shown.get('mac:2857be000007')).toMatchObject({
    kind: 'equipment',
    name: 'Camera 7',
    status: null,
    parent: box.lobby,
    link: { source: 'lldp_down', port: 'LAN1' },
  });
});

it('marks a device without a reported uplink, and draws no link to it', async () => {
  const { data } = await ask(shop);
  expect(data.nodes.find(({ id }) => id === box.silent)).toMatchObject({
    parent: null,
    link: null,
    apart: 'unreported',
    reported_at: null,
    status: 'offline',
  });
});

it('keeps what a device said when its next report says nothing of it, with the time that it was said', async () => {
  const before = (await ask(shop)).data.nodes.find(({ id }) => id === box.lobby);
  await fixture.says(box.lobby, { unit: { uptime: 5 } });
  const after = (await ask(shop)).data.nodes.find(({ id }) => id === box.lobby);
  expect(after).toMatchObject({ parent: box.core, reported_at: before?.reported_at });
});

it('knows one network only', async () => {
  expect((await ask(depot)).data).toMatchObject({ nodes: [], stations: 0 });
  const guest = await seedPerson(fixture.server);
  await host(fixture.server, fixture.owner.accountId, guest.accountId, ['network.read'], [depot]);
  const as = { token: guest.token, account: fixture.owner.accountId };
  expect((await ask(depot, as)).code).toBe(2000);
  expect((await ask(shop, as)).code).toBe(4113);
});
