import { type Fleet, startFleet } from '@yunxun/simulator';
import type { Browser } from 'playwright-core';
import { startBrowser } from './browser.ts';
import { type Person, register } from './person.ts';
import { type Product, startProduct } from './product.ts';

export interface Terminal {
  mac: string;
  hostname: string | null;
  remark: string;
  serial: string | null;
  band: number | null;
  rssi: number | null;
}

export interface Fixture {
  product: Product;
  browser: Browser;
  owner: Person;
  gwid: string;
  fleet: Fleet;
  terminals(filter?: object): Promise<Terminal[]>;
  stop(): Promise<void>;
}

/** Resolves when all devices are online, before the first clients. */
export async function startFixture(seed: string, aps: number, switches = 0): Promise<Fixture> {
  const [product, browser] = await Promise.all([startProduct(), startBrowser()]);
  const owner = await register(product, 'owner@example.org');
  const { gwid } = await owner.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Harbour' });
  const open = { security: 'open', vlan: null, isolate: false, hidden: false, maximum_clients: null };
  const ssid = { ...open, name: 'Harbour', enabled: true, bands: ['2G', '5G'], down_mbps: null, up_mbps: null };
  await owner.call('/api/v3/network/wireless/save', { gwid, version: 0, ssids: [ssid], radios: [] });
  const place = { consoleUrl: product.url, bindingCode: owner.bindingCode, gwid };
  const fleet = await startFleet({ ...place, gateways: 1, aps, switches, seed, speedUp: 20 });
  await fleet.online();
  return {
    product,
    browser,
    owner,
    gwid,
    fleet,
    async terminals(filter = {}) {
      const asked = { tab: 'online', page: 1, limit: 100, sort: 'login_at', order: 'asc', ...filter };
      return (await owner.call<{ list: Terminal[] }>('/api/v3/user_online/list', asked)).list;
    },
    async stop() {
      fleet.stop();
      await browser.close();
      await product.stop();
    },
  };
}
