// Writes a picture of every built screen into docs/look, from the demo: `npx tsx e2e/src/pictures.ts [name…]`.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startFleet } from '@yunxun/simulator';
import type { Browser, BrowserContext } from 'playwright-core';
import { registerAdministrator } from './administrator.ts';
import { type Language, openPage, startBrowser, type Theme, texts } from './browser.ts';
import { type Person, register, signIn } from './person.ts';
import { shrinkPng } from './png.ts';
import { type Product, startProduct } from './product.ts';
import { type BuiltScreen, type Stage, screens, settled } from './screens.ts';
import { until } from './until.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = join(root, 'docs/look');
const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
const wanted = process.argv.slice(2);
const chosen = screens.filter(({ name }) => wanted.length === 0 || wanted.includes(name));

interface Look {
  language: Language;
  theme: Theme;
  suffix: string;
  email: string;
}
const looks: readonly Look[] = [
  { language: 'zh-CN', theme: 'light', suffix: 'zh-light', email: 'zh@demo.example' },
  { language: 'en', theme: 'dark', suffix: 'en-dark', email: 'en@demo.example' },
];

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

const [demo, browser] = await Promise.all([startProduct('demo', /devices are on their way/), startBrowser()]);
try {
  mkdirSync(folder, { recursive: true });
  const admin = await registerAdministrator(demo, 'admin@demo.example');
  for (const look of looks) await portray(demo, browser, look, admin);
  writeFileSync(join(folder, 'README.md'), readme());
} finally {
  await browser.close();
  await demo.stop();
}

/** All screens in one language and theme. */
async function portray(
  product: Product & { output(): string },
  chromium: Browser,
  look: Look,
  admin: Person,
): Promise<void> {
  const { language, theme, suffix, email } = look;
  const owner = await signIn(product, email, /password: (\S+)/.exec(product.output())![1]!);
  const newcomer = await register(product, `new-${email}`);
  const stage = await prepare(product, owner, look);
  const tokens = { visitor: undefined, newcomer: newcomer.token, owner: owner.token, admin: admin.token };
  for (const screen of chosen) {
    const visit = await openPage(chromium, product.url, language, theme, { token: tokens[screen.as] });
    await take(visit.context, screen, stage, join(folder, `${screen.name}-${suffix}.png`));
    await visit.context.close();
  }
}

async function take(context: BrowserContext, screen: BuiltScreen, stage: Stage, file: string): Promise<void> {
  const [page] = context.pages();
  await screen.open(page!, stage);
  await settled(page!);
  const picture = shrinkPng(await page!.screenshot({ animations: 'disabled', caret: 'hide' }));
  writeFileSync(file, picture);
  console.log(`${file.slice(root.length + 1)} ${Math.round(picture.length / 1024)} KiB`);
}

/** Waits until the fleet is in sync and has reported, then lets a few things go wrong, as they do. */
async function prepare(product: Product & { output(): string }, owner: Person, look: Look): Promise<Stage> {
  const networks = () => owner.call<List<Network>>('/api/v3/network/list', { page: 1, limit: 50 });
  const devices = (gwid: string) =>
    owner.call<List<Device>>('/api/v3/ap/list', { gwid, kind: 'ap', page: 1, limit: 50 });
  await until('every network is in sync and has terminals', async () => {
    const { list } = await networks();
    const ready = ({ has_gateway, sync_state, online_user }: Network) =>
      has_gateway && sync_state === 'in_sync' && (online_user ?? 0) > 0;
    return list.length === 3 && list.every(ready);
  });
  const { list } = await networks();
  const bySize = list.toSorted((a, b) => b.device_num - a.device_num);
  const [main, middle, small] = bySize.map((row) => row.gwid);
  await startFleet({
    consoleUrl: product.url,
    bindingCode: owner.bindingCode,
    aps: 1,
    seed: `waiting ${look.language}`,
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
  return { t: texts(look.language), url: product.url, gwid: main!, remark: bySize[0]!.remark, serial: busiest.serial };
}

function readme(): string {
  const rows = screens.map(({ name }) => `| ${name} | ![](${name}-zh-light.png) | ![](${name}-en-dark.png) |`);
  return `# How it looks

Every built screen of the console, in Chinese and light, and in English and dark. Taken on ${new Date().toISOString().slice(0, 10)} at commit ${commit} from \`npm run demo\` by \`npx tsx e2e/src/pictures.ts\`; what you see was reported by simulated devices.

| | zh-CN, light | en, dark |
|---|---|---|
${rows.join('\n')}
`;
}
