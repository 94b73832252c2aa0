import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ManualClock } from '../manual-clock.ts';
import { emptyPlan, type Plan } from '../render/plan.ts';
import { HostModel } from '../testing/host-model.ts';
import { foreignHost } from '../testing/plans.ts';
import type { Seen } from './drift.ts';
import { GatewayHost } from './gateway-host.ts';
import { Healing } from './healing.ts';
import { Records } from './records.ts';

const plan: Plan = {
  ...emptyPlan,
  links: [
    { kind: 'bridge', device: 'yx-a', mtu: null },
    { kind: 'port', device: 'eth1', master: 'yx-a', mtu: null },
  ],
  addresses: [{ device: 'yx-a', address: '10.1.0.1/24' }],
  routes: [{ table: 254, to: '10.9.0.0/16', via: '10.1.0.9', device: null, metric: 0 }],
  nft: 'table inet yunxun { routed }\n',
  blocked: ['02:00:00:00:00:01'],
};

let folder: string;
let model: HostModel;
let host: GatewayHost;
let clock: ManualClock;
let healed: string[][];
let healing: Healing;
let blind: boolean;

function seen(): Seen | null {
  if (blind) return null;
  const { links, addresses, routes, nft, blocked } = model.state;
  return {
    links: Object.fromEntries(
      Object.entries(links).map(([name, { master, mtu, mac }]) => [name, { master, up: true, mtu: Number(mtu), mac }]),
    ),
    addresses: new Set(addresses),
    routes: Object.entries(routes).flatMap(([key, value]) => {
      const [table, to = '', metric] = key.split(' ');
      const [via = '', device = '', protocol] = value.split(' ');
      if (protocol !== '201') return [];
      return [{ table: Number(table), to, via: via || null, device: device || null, metric: Number(metric) }];
    }),
    defaults: model.snapshot(host.plan).defaults,
    rules: new Set(model.state.rules.map((rule) => Number(/\d+/.exec(rule)?.[0]))),
    table: nft === '' ? null : nft,
    blocked: blocked.split(/[{}, ]+/).filter(Boolean),
    captive: true,
    captiveBridge: true,
    shaped: new Set(),
    tunnels: null,
    redirected: new Set(),
    setting: () => null,
    runs: () => true,
  };
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'yunxun-heal-'));
  model = new HostModel(foreignHost);
  clock = new ManualClock(Date.UTC(2026, 10, 21));
  healed = [];
  blind = false;
  host = new GatewayHost({
    records: new Records(folder, 'this boot'),
    executor: model,
    snapshot: async (next) => model.snapshot(next),
    run: '/run/yunxun-edge',
    lease: () => null,
    clock,
    reach: async () => ({ reached: true }),
    pending: () => {},
    returned: () => {},
    log: () => {},
  });
  await host.begin();
  healing = new Healing({
    host,
    clock,
    run: '/run/yunxun-edge',
    look: async () => seen(),
    healed: (what) => healed.push([...what]),
    log: () => {},
  });
  await host.change(plan, 7, 60);
  await healing.look();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('does nothing while everything is there', async () => {
  const done = model.done;
  await healing.look();
  expect([model.done, healed]).toEqual([done, []]);
});

it('makes again what is gone, and what stood on it, and says what', async () => {
  const before = structuredClone(model.state);
  delete model.state.links['yx-a'];
  model.state.links.eth1!.master = null;
  model.state.addresses = model.state.addresses.filter((address) => !address.startsWith('yx-a'));
  model.state.nft = '';
  await healing.look();
  expect(model.state).toEqual(before);
  expect(healed).toEqual([['device yx-a', 'device eth1', 'address yx-a 10.1.0.1/24', 'table inet yunxun']]);
});

it('makes our table again also when only something in it was changed', async () => {
  model.state.nft = 'table inet yunxun { emptied }';
  await healing.look();
  expect(model.state.nft).toBe(plan.nft);
  expect(healed).toEqual([['table inet yunxun']]);
});

it('blocks clients again that were taken off the list on the box', async () => {
  model.state.blocked = '';
  await healing.look();
  expect(model.state.blocked).toContain('02:00:00:00:00:01');
  expect(healed).toEqual([['blocked clients']]);
});

it('backs off longer each time a program removes the same rule, and resets after hours', async () => {
  const quarrel = async () => {
    model.state.nft = '';
    await healing.look();
    return model.state.nft !== '';
  };
  expect([await quarrel(), await quarrel()]).toEqual([true, false]);
  const rests: number[] = [];
  for (let time = 0; time < 10; time += 1) {
    let rest = 0;
    while (!(await quarrel())) {
      clock.advance(15_000);
      rest += 15;
    }
    rests.push(rest);
  }
  expect(rests).toEqual([30, 60, 120, 240, 480, 960, 1920, 3600, 3600, 3600]);
  clock.advance(7 * 3_600_000);
  expect(await quarrel()).toBe(true);
  clock.advance(30_000);
  expect(await quarrel()).toBe(true);
});

it('leaves the settings of an unplugged port, and restores them when it returns', async () => {
  const port = model.state.links.eth1!;
  delete model.state.links.eth1;
  const done = model.done;
  await healing.look();
  expect([model.done, healed]).toEqual([done, []]);
  model.state.links.eth1 = { ...port, master: null };
  await healing.look();
  expect(healed).toEqual([['device eth1']]);
  expect(model.state.links.eth1.master).toBe('yx-a');
});

it('sets aside a default route that others bring later and that would win, and gives it back with the line', async () => {
  const wan: Plan['lines'][number] = {
    name: 'WAN',
    interface: 'up0v0',
    device: 'eth0',
    table: 201,
    metric: 10,
    rulePriority: 20_131,
    mark: { value: 0x400, mask: 0x3c00 },
    fixed: { address: '192.0.2.50', gateway: '192.0.2.1' },
  };
  const lined = { ...plan, lines: [wan] };
  expect(await host.change(lined, 8, 60)).toEqual({ confirmed: true });
  await healing.look();
  healed.length = 0;
  model.state.routes['254 default 3'] = '192.0.2.9 eth0 dhcp';
  model.state.routes['254 default 100'] = '192.0.2.9 eth0 dhcp';
  await healing.look();
  expect(model.state.routes).not.toHaveProperty('254 default 3');
  expect(model.state.routes['254 default 100']).toBe('192.0.2.9 eth0 dhcp');
  expect(healed).toEqual([[expect.stringContaining('default route of others via 192.0.2.9')]]);
  await host.change(plan, 9, 60);
  expect(model.state.routes['254 default 3']).toBe('192.0.2.9 eth0 dhcp');
});

it('keeps the only default route: a foreign route over a line without an address', async () => {
  const wan: Plan['lines'][number] = {
    name: 'WAN',
    interface: 'up0v0',
    device: 'eth0',
    table: 210,
    metric: 10,
    rulePriority: 20_131,
    mark: { value: 0x400, mask: 0x3c00 },
    fixed: null,
  };
  const dhcp = [{ device: 'eth0', hostName: null, resolv: null }];
  model.state.routes['254 default 0'] = '192.0.2.9 eth0 static';
  expect(await host.change({ ...plan, lines: [wan], dhcpClients: dhcp }, 8, 60)).toEqual({ confirmed: true });
  await healing.look();
  expect(model.state.routes['254 default 0']).toBe('192.0.2.9 eth0 static');
  await host.updateWan('eth0', { lease: { address: '192.0.2.50', prefix: 24, gateway: '192.0.2.1', nameServers: [] } });
  expect(model.state.routes).not.toHaveProperty('254 default 0');
  await host.updateWan('eth0', { lease: null });
  await healing.look();
  expect(model.state.routes['254 default 0']).toBe('192.0.2.9 eth0 static');
});

it('changes a route of ours that leads elsewhere: adding it would find that it exists', async () => {
  const key = '254 10.9.0.0/16 0';
  const [right] = [model.state.routes[key]!];
  model.state.routes[key] = right.replace('10.1.0.9', '10.1.0.8');
  await healing.look();
  expect(model.state.routes[key]).toBe(right);
  expect(healed).toEqual([['route 10.9.0.0/16 via 10.1.0.9']]);
});

it('does nothing when it cannot see', async () => {
  model.state.nft = '';
  blind = true;
  await healing.look();
  expect([model.state.nft, healed]).toEqual(['', []]);
});
