// Screenshots of all screens into `.build/look` or `LOOK_TO`: `npx tsx e2e/src/pictures.ts [name…]`.
import { type Fleet, startFleet } from '@yunxun/simulator';
import type { Browser } from 'playwright-core';
import { registerAdministrator } from './administrator.ts';
import { pictured, takePicture } from './album.ts';
import { type Language, openPage, startBrowser, texts } from './browser.ts';
import type { Stage } from './built-screen.ts';
import { type Person, register, signIn } from './person.ts';
import { type Product, startProduct } from './product.ts';
import { screens } from './screens.ts';
import { until } from './until.ts';

const wanted = process.argv.slice(2);
const unknown = wanted.filter((one) => !screens.some(({ name }) => name === one));
if (unknown.length > 0) throw new Error(`Unknown screens: ${unknown.join(', ')}. See e2e/src/screens.ts.`);
// without names only those that need no invented answers
const chosen = screens.filter(({ name, answered }) => (wanted.length === 0 ? !answered : wanted.includes(name)));

interface Network {
  gwid: string;
  remark: string;
  has_gateway: boolean;
  device_num: number;
  sync_state: string | null;
  online_user: number | null;
}
interface Device {
  serial: string;
  online_user: number | null;
  is_gateway: boolean;
  status: string;
  sync_state: string | null;
}
type List<Row> = { list: Row[]; total: number };

const [demo, browser] = await Promise.all([startProduct('demo', /The last 30 days are there/), startBrowser()]);
try {
  const admin = await registerAdministrator(demo, 'admin@demo.example');
  for (const language of ['zh-CN', 'en'] as const) await portray(demo, browser, language, admin);
} finally {
  await browser.close();
  await demo.stop();
}

async function portray(
  product: Product & { output(): string },
  chromium: Browser,
  language: Language,
  admin: Person,
): Promise<void> {
  const email = language === 'en' ? 'en@demo.example' : 'zh@demo.example';
  const owner = await signIn(product, email, /password: (\S+)/.exec(product.output())![1]!);
  const newPerson = await register(product, `new-${email}`);
  const { stage, waiting } = await prepare(product, owner, language);
  const tokens = { visitor: undefined, newPerson: newPerson.token, owner: owner.token, admin: admin.token };
  for (const { theme, suffix } of pictured.filter((look) => look.language === language)) {
    for (const screen of chosen) {
      const visit = await openPage(chromium, product.url, language, theme, { token: tokens[screen.as] });
      await screen.open(visit.page, stage);
      await takePicture(visit.page, screen.name, suffix);
      await visit.context.close();
    }
  }
  // its connections would keep this process alive
  waiting.stop();
}

/** Waits for sync and reports, then causes typical failures. */
async function prepare(
  product: Product & { output(): string },
  owner: Person,
  language: Language,
): Promise<{ stage: Stage; waiting: Fleet }> {
  const networks = () => owner.call<List<Network>>('/api/v3/network/list', { page: 1, limit: 50 });
  const devices = (gwid: string) =>
    owner.call<List<Device>>('/api/v3/ap/list', { gwid, kind: 'ap', page: 1, limit: 50 });
  const ready = ({ has_gateway, sync_state, online_user }: Network) =>
    has_gateway && sync_state === 'in_sync' && (online_user ?? 0) > 0;
  await until('three networks are in sync and have terminals', async () => {
    const { list } = await networks();
    return list.filter(ready).length >= 3;
  });
  const { list } = await networks();
  const bySize = list.filter(ready).toSorted((a, b) => b.device_num - a.device_num);
  const [main, middle, small] = bySize.map((row) => row.gwid);
  const waiting = await startFleet({
    consoleUrl: product.url,
    bindingCode: owner.bindingCode,
    aps: 1,
    seed: `waiting ${language}`,
    checkHost: false,
    speedUp: 20,
  });
  await until('a device waits', async () => {
    const waiting = await owner.call<List<Device>>('/api/v3/device/waiting/list', { page: 1, limit: 10 });
    return waiting.list.some((row) => row.status === 'online');
  });
  const faults = /curl -d .* (http:\/\/\S+)\/devices/.exec(product.output())![1]!;
  const fail = (serial: string, fault: object) =>
    fetch(`${faults}/devices/${serial}/fault`, { method: 'POST', body: JSON.stringify(fault) });
  const lost = (await devices(middle!)).list[1]!;
  await fail(lost.serial, { fault: 'lose-link', seconds: 3600 });
  const stubborn = (await devices(small!)).list[2]!;
  await fail(stubborn.serial, { fault: 'reject-configuration', times: 5 });
  const settings = await owner.call<{ version: number; ssids: Record<string, unknown>[]; radios: object[] }>(
    '/api/v3/network/wireless/get',
    { gwid: small },
  );
  await owner.call('/api/v3/network/wireless/save', {
    gwid: small,
    version: settings.version,
    ssids: settings.ssids.map((ssid) => ({ ...ssid, maximum_clients: 60 })),
    radios: settings.radios,
  });
  await owner.call('/api/v3/network/update', { gwid: main, remark: bySize[0]!.remark, tags: ['A', 'B'].slice(0, 1) });
  await until('one device is offline and one refuses', async () => {
    const [offline, refusing] = [(await devices(middle!)).list, (await devices(small!)).list];
    return (
      offline.some((row) => row.serial === lost.serial && row.status === 'offline') &&
      refusing.some((row) => row.serial === stubborn.serial && row.sync_state === 'failed')
    );
  });
  const access = (await devices(main!)).list.filter((row) => !row.is_gateway);
  const busiest = access.toSorted((a, b) => (b.online_user ?? 0) - (a.online_user ?? 0))[0]!;
  const stage = {
    t: texts(language),
    url: product.url,
    gwid: main!,
    remark: bySize[0]!.remark,
    serial: busiest.serial,
  };
  return { stage, waiting };
}
