import { type Fleet, type SimulatedDevice, startFleet } from '@yunxun/simulator';
import type { Browser } from 'playwright-core';
import { startBrowser } from './browser.ts';
import { type Person, register } from './person.ts';
import { type Product, startProduct } from './product.ts';
import { until } from './until.ts';

const path = '/api/v3/wireless_template';

export interface Push {
  id: string;
  open: boolean;
  sums: Record<string, number> & { total: number };
  rounds: { cause: string; devices: number }[];
  networks: { gwid: string; name: string; devices: number }[];
  devices: { serial: string; gwid: string; model: string; status: string; wave: number }[];
}

export interface Shops {
  product: Product;
  browser: Browser;
  owner: Person;
  aps: readonly SimulatedDevice[];
  dark: readonly SimulatedDevice[];
  shops: readonly { gwid: string; name: string; aps: readonly SimulatedDevice[] }[];
  /** Returns the newest; checks that counters add up. */
  push(template: string): Promise<Push>;
  stop(): Promise<void>;
}

export const tag = 'Autumn';
export const original = 'Shops';
const sizes = [9, 9, 8, 8, 8, 8] as const;
const people = 14;

const ssid = {
  name: 'Shop',
  security: 'sae-mixed',
  key: 'summer-2026',
  bands: ['2G', '5G', '6G'],
  enabled: true,
  vlan: null,
  hidden: false,
  isolate: true,
  maximum_clients: null,
  down_mbps: null,
  up_mbps: null,
};
/** One of three models has it. */
const third = { band: '6G', enabled: null, channel: null, width: 80, mode: null, power: null };

export async function startShops(seed: string): Promise<Shops> {
  const [product, browser] = await Promise.all([startProduct(), startBrowser()]);
  const owner = await register(product, 'owner@example.org');
  const place = { consoleUrl: product.url, bindingCode: owner.bindingCode, speedUp: 20 };
  const fleets: Fleet[] = [];
  const shops: Shops['shops'][number][] = [];
  for (const [index, aps] of sizes.entries()) {
    const name = `Shop-${index + 1}`;
    const { gwid } = await owner.call<{ gwid: string }>('/api/v3/network/create', { remark: name });
    const models = ['AX3000', 'AX1800', 'AXE5400'] as const;
    const made = {
      ...place,
      gwid,
      gateways: 1,
      aps,
      models,
      crowd: people,
      kind: 'shop',
      seed: `${seed} ${index}`,
    } as const;
    const fleet = await startFleet(made);
    fleets.push(fleet);
    const own = fleet.devices.filter(({ status }) => status.role === 'access-point');
    shops.push({ gwid, name, aps: own });
  }
  await Promise.all(fleets.map((fleet) => fleet.online()));
  const aps = shops.flatMap((shop) => shop.aps).toSorted((a, b) => (a.serial < b.serial ? -1 : 1));
  const serials = aps.map(({ serial }) => serial);
  const allOnline = async () => {
    const all = { page: 1, limit: 1, kind: 'ap', status: 'online' };
    return (await owner.call<{ total: number }>('/api/v3/ap/list', all)).total >= serials.length;
  };
  await until('the console knows that all access points are online', allOnline);
  await owner.call('/api/v3/ap/tag', { serials, add: [tag] });

  async function push(template: string): Promise<Push> {
    const { list } = await owner.call<{ list: Push[] }>(`${path}/change/list`, { id: template, page: 1, limit: 1 });
    const found = await owner.call<Push>(`${path}/change/detail`, { change_id: list[0]!.id });
    const { total, ...states } = found.sums;
    const sum = Object.values(states).reduce((all, one) => all + one, 0);
    if (sum !== total || total !== serials.length) throw new Error(`sums do not match: ${JSON.stringify(found.sums)}`);
    return found;
  }

  const content = { kind: 'wireless', name: original, ssids: [ssid], radios: [third] };
  const { id } = await owner.call<{ id: string }>(`${path}/create`, content);
  const atOnce = { canary: 0, share: 100, rest: 0, stop_above: 100 };
  await owner.call(`${path}/apply`, { id, tags: [tag], plan: atOnce });
  await until('all run the original', async () => (await push(id)).sums.applied === serials.length);

  const dark = shops.slice(0, 3).map((shop) => shop.aps.at(-1)!);
  for (const device of dark) device.fault('power-cut', { seconds: 86_400 });
  const terminals = async () => {
    const copied = await owner.call<{ totals: { offline: number } }>(`${path}/preview`, { id, tags: [tag] });
    const online = { tab: 'online', ssid: ssid.name, page: 1, limit: 1 };
    const users = await owner.call<{ total: number }>('/api/v3/user_online/list', online);
    return copied.totals.offline === dark.length && users.total === sizes.length * people;
  };
  await until('three are offline, and everybody is on one of the others', terminals);
  return {
    product,
    browser,
    owner,
    aps,
    dark,
    shops,
    push,
    async stop() {
      for (const fleet of fleets) fleet.stop();
      await browser.close();
      await product.stop();
    },
  };
}

/** Returns a device's configuration without its uuid. */
export function running(device: SimulatedDevice): string {
  const { uuid: _uuid, ...rest } = device.configuration;
  return JSON.stringify(rest);
}
