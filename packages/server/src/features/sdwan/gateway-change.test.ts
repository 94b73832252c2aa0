import type { DataOf, gateway } from '@yunxun/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../../test/server.ts';
import { createConsoleAddresses } from './console-addresses.ts';
import { sdwanFixture } from './testing/sdwan-fixture.ts';

type Settings = gateway.GatewaySettings;
type Preview = DataOf<typeof gateway.gatewayPreview>;

let server: TestServer;
let fixture: Awaited<ReturnType<typeof sdwanFixture>>;
let id: string;

const settingsOf = (at: number, change: { lan?: string; wan?: string; dns?: string } = {}): Settings => ({
  confirm_s: 60,
  forwards: [],
  routes: [],
  limits: [],
  reboot: null,
  lines: [
    {
      name: 'WAN',
      port: 'WAN1',
      addressing: 'static',
      address: `${change.wan ?? `198.51.100.${at + 1}`}/24`,
      gateway: '198.51.100.254',
      dns: [change.dns ?? '192.0.2.53'],
      down_mbps: null,
      up_mbps: null,
      probe: [],
    },
  ],
  networks: [
    {
      name: 'LAN',
      address: change.lan ?? `10.7.${at}.1/24`,
      vlan: null,
      ports: ['LAN1'],
      tagged: [],
      pool: null,
      leases: [],
    },
  ],
});

const ask = <T>(path: string, input: object) => server.call<T>(`/api/v3/network/gateway/${path}`, input, fixture.owner);

async function save(at: number, settings: Settings): Promise<void> {
  const { gwid } = fixture.sites[at]!;
  const { version } = (await ask<{ version: number }>('get', { gwid })).data;
  expect(await ask('save', { gwid, version, settings })).toMatchObject({ code: 2000 });
}

const effectsOf = async (at: number, settings: Settings) =>
  (await ask<Preview>('preview', { gwid: fixture.sites[at]!.gwid, settings })).data.effects;

beforeAll(async () => {
  server = await startTestServer();
  fixture = await sdwanFixture(server, 3);
  for (const at of [0, 1, 2]) await save(at, settingsOf(at));
  const { call, node, deployStar } = fixture;
  await call('order/create', { kind: 'trial' });
  const mapped = [{ prefix: '10.7.2.0/24', as: '10.99.2.0/24' }];
  id = await deployStar('Branches', [node(0, { host: '198.51.100.1' }), node(1), node(2, { lans: mapped })]);
});
afterAll(() => server.stop());

const errorsOf = async () => (await fixture.detail(id)).errors;
const prefixes = async (at: number) => {
  const document = (await fixture.documents(id)).get(fixture.sites[at]!.gwid)!;
  return document.routes.map(({ prefix }) => prefix);
};

it('lets a plan follow a LAN that gets another subnet, and says so beforehand', async () => {
  const moved = settingsOf(0, { lan: '10.8.0.1/24' });
  expect(await effectsOf(0, moved)).toMatchObject([
    {
      effect: 'sdwan_follows',
      id,
      name: 'Branches',
      from: '10.7.0.0/24',
      to: '10.8.0.0/24',
      gateways: ['Site-2', 'Site-3'],
      errors: [],
    },
  ]);
  expect(await prefixes(1)).toContain('10.7.0.0/24');
  await save(0, moved);
  await expect.poll(() => prefixes(1)).toContain('10.8.0.0/24');
  expect(await prefixes(1)).not.toContain('10.7.0.0/24');
  expect(await errorsOf()).toEqual([]);
});

it('keeps a mapping, under which other sites reach the new subnet', async () => {
  await save(2, settingsOf(2, { lan: '10.7.20.1/24' }));
  const lans = async () => (await fixture.detail(id)).nodes.find(({ key }) => key === fixture.sites[2]!.gwid)?.lans;
  await expect.poll(lans).toEqual([{ prefix: '10.7.20.0/24', as: '10.99.2.0/24' }]);
});

it('names the sites that lose a LAN, and the plan keeps the finding', async () => {
  const taken = settingsOf(1, { lan: '10.8.0.1/24' });
  expect(await effectsOf(1, taken)).toMatchObject([
    { effect: 'sdwan_cut', from: '10.7.1.0/24', gateways: ['Site-1', 'Site-3'], errors: [{ code: 'overlap' }] },
  ]);
  await save(1, taken);
  const key = fixture.sites[1]!.gwid;
  const codes = (await errorsOf()).map((error) => [error.code, error.key, error.field]);
  expect(codes).toContainEqual(['lan_gone', key, 'lans.0.prefix']);
  await save(1, settingsOf(1));
  await expect.poll(errorsOf).toEqual([]);
});

it('names tunnels that a changed WAN breaks, and DNS servers behind a tunnel', async () => {
  expect(await effectsOf(0, settingsOf(0, { lan: '10.8.0.1/24', wan: '198.51.100.77' }))).toMatchObject([
    { effect: 'sdwan_host', from: '198.51.100.1', gateways: ['Site-2', 'Site-3'] },
  ]);
  expect(await effectsOf(1, settingsOf(1, { wan: '198.51.100.78' }))).toMatchObject([
    { effect: 'sdwan_reconnects', from: '198.51.100.2' },
  ]);
  expect(await effectsOf(1, settingsOf(1, { dns: '10.8.0.53' }))).toMatchObject([
    { effect: 'sdwan_wrong', errors: [{ code: 'dns_overlap', params: { address: '10.8.0.53' } }] },
  ]);
});

it('knows the addresses of the console: literal ones, and public ones of names', async () => {
  const resolve = async (name: string) => {
    if (name !== 'console.example') throw new Error('ENOTFOUND');
    return ['203.0.113.9', '10.0.0.9'].map((address) => ({ address, family: 4 }));
  };
  const hosts = ['192.168.5.5', 'console.example', 'gone.example'];
  const consoles = createConsoleAddresses(hosts, { now: () => new Date() }, resolve);
  await expect.poll(consoles).toEqual(['192.168.5.5', '203.0.113.9']);
});
