import type { ConfigurationDocument } from '@yunxun/contract/device';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { GatewayHost } from '../apply/gateway-host.ts';
import { Records } from '../apply/records.ts';
import { ConfigurationStore } from '../configuration-store.ts';
import { fullFacts, smallDocument } from '../document/testing/documents.ts';
import { HostRig } from '../testing/host-rig.ts';
import { consoleParts } from './console-parts.ts';
import { LinuxSystem, type LinuxSystemOptions } from './linux-system.ts';

const facts = { ...fullFacts, abilities: { ...fullFacts.abilities, sdwan: true, nftset: true } };
const key = Buffer.alloc(32, 1).toString('base64');
const overlay = {
  id: 'star',
  revision: 'r1',
  address: '100.64.0.3',
  up_kbps: 4000,
  interfaces: [
    {
      name: 'sdmain',
      listen_port: 51_821,
      mtu: 1420,
      peers: [{ public_key: key, address: '100.64.0.1', allowed: ['10.1.0.0/24', '100.64.0.1/32'], up_kbps: 1000 }],
    },
  ],
  routes: [{ prefix: '10.1.0.0/24', candidates: [{ interface: 'sdmain', probe: '100.64.0.1' }] }],
  forward: [],
  lans: [{ prefix: '192.168.1.0/24', as: '10.33.0.0/24' }],
  failover: { probe_ms: 500, fails: 3, recovers: 3, hold_s: 30, order: 'preferred' },
};
const document = {
  ...smallDocument(),
  uuid: 77,
  'third-party': {
    yunxun: {
      sdwan: [overlay],
      shield: { mode: 'block', redirect: true, allow: [], lists: [] },
      reboot: { days: ['mon'], at: '03:00' },
    },
  },
} as unknown as ConfigurationDocument;

let rig: HostRig;
let host: GatewayHost;
let store: ConfigurationStore;
let acts: string[];
let performed: string[];
let quiet: boolean;
let parts: ReturnType<typeof consoleParts>;

beforeEach(async () => {
  rig = new HostRig();
  performed = [];
  host = await rig.started({
    executor: {
      perform: async (step) => void performed.push(step.do === 'run' ? step.argv.join(' ') : step.do),
    },
  });
  [acts, quiet] = [[], false];
  store = new ConfigurationStore({ uuid: 1 }, null);
  store.store(77, document);
  store.activate(77);
  const system = new LinuxSystem({
    serial: '02fe3c9a0001',
    facts,
    host,
    records: new Records(rig.folder),
    missing: [],
    allowed: { reboot: false, scripts: false },
    quiet: () => quiet,
    measures: { listen: () => {} },
    flow: { configured: () => {} },
    others: async () => [],
    settled: async () => {},
    moved: () => {},
    port53: { obstacle: async () => null },
  } as unknown as LinuxSystemOptions);
  const reload = async () => void (await system.apply(store.active.document));
  parts = consoleParts({
    host,
    store,
    reload,
    measures: { watch: () => ({ error: 0, text: 'Success' }) },
    plugins: {
      start: () => void acts.push('start'),
      stop: async () => void acts.push('stop'),
      clear: async () => void acts.push('clear'),
    },
    captive: { erase: async () => void acts.push('captive') },
    shield: { erase: () => void acts.push('shield') },
  });
  await reload();
  expect(host.plan).toMatchObject({ networks: [{ id: 'star' }], shield: { mode: 'block' }, schedule: { at: '03:00' } });
});
afterEach(() => rig.stop());

const lanAndInternet = () => {
  const { addresses, lines, dhcpClients, links } = host.plan;
  const own = links.filter(({ kind }) => kind !== 'wireguard').map(({ device }) => device);
  return { own, lines, dhcpClients, addresses: addresses.filter(({ device }) => own.includes(device)) };
};

it('go, and LAN and internet stay as they are; bound again, all of it returns', async () => {
  const before = structuredClone(host.plan);
  const kept = structuredClone(lanAndInternet());
  performed = [];
  quiet = true;
  expect(await parts.takeDown()).toBe(true);
  expect(host.plan).toMatchObject({ networks: [], tunnels: [], schedule: null });
  expect(host.plan.shield ?? null).toBeNull();
  expect(performed).toContain('ip link del dev sdmain');
  expect(lanAndInternet()).toEqual(kept);
  expect(host.plan.nft).toContain('masquerade');
  expect(host.plan.dnsmasq?.config).toContain('dhcp-range');
  expect(new Records(rig.folder).applied).toMatchObject({ uuid: 77, plan: { networks: [] } });
  expect(acts).toEqual(['stop']);

  quiet = false;
  await parts.bringBack();
  expect(host.plan).toEqual(before);
  expect(acts).toEqual(['stop', 'start']);
});

it('stay while the console is not reached over what would be left', async () => {
  const before = structuredClone(host.plan);
  rig.answers = [{ reached: false, detail: 'no answer' }];
  quiet = true;
  expect(await parts.takeDown()).toBe(false);
  expect(host.plan).toEqual(before);
  expect(acts).toEqual([]);
});

it('of another account are deleted for good', async () => {
  quiet = true;
  await parts.takeDown();
  await parts.discard();
  quiet = false;
  expect(acts).toEqual(['stop', 'clear', 'captive', 'shield']);
  expect(JSON.stringify([store.active, store.newest])).not.toMatch(/sdwan|shield|reboot/);
  expect(store.active.uuid).toBe(77);
});
