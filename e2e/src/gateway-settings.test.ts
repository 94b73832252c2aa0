import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFailed } from 'vitest';
import { keepPicture, openPage, startBrowser, texts } from './browser.ts';
import { changeAnswer } from './gateway-answers.ts';
import { GatewayBox } from './gateway-box.ts';
import { type Person, register } from './person.ts';
import { type Product, startProduct } from './product.ts';

const t = texts('en');
const pollOptions = { timeout: 120_000, interval: 250 };
let product: Product;
let browser: Browser;
let owner: Person;
const gwids: string[] = [];
const boxes: GatewayBox[] = [];

beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), startBrowser()]);
  owner = await register(product, 'owner@example.org');
  for (const [at, name] of ['Lobby', 'Annex', 'Spa'].entries()) {
    const { gwid } = await owner.call<{ gwid: string }>('/api/v3/network/create', { remark: name });
    gwids.push(gwid);
    const place = { consoleUrl: product.url, bindingCode: owner.bindingCode, gwid };
    boxes.push(await GatewayBox.start(place, { serial: `02000000ed0${at}`, version: '0.0.9', offered: '0.1.0' }));
  }
}, 240_000);
afterAll(async () => {
  for (const box of boxes) box.stop();
  await browser?.close();
  await product?.stop();
});

interface Got {
  version: number;
  settings: Record<string, unknown> & { lines: object[]; limits: object[] };
  gates: string[];
}
const get = () => owner.call<Got>('/api/v3/network/gateway/get', { gwid: gwids[0] });

it('names changed fields, shows errors next to them, and names the person that saved meanwhile', async () => {
  const visit = await openPage(browser, product.url, 'en', 'light', { token: owner.token });
  const { page } = visit;
  onTestFailed(() => keepPicture(page, 'gateway-settings'));
  await expect.poll(async () => (await get()).gates, pollOptions).toEqual([]);
  const { version, settings } = await get();
  await owner.call('/api/v3/network/gateway/save', { gwid: gwids[0], version, settings });

  await page.goto(`${product.url}/network/gateway/${gwids[0]}?limit_mac=001A2B3C4D5E`);
  const limit = page.getByRole('group', { name: '00-1a-2b-3c-4d-5e' });
  await expect.poll(() => limit.getByLabel(t('gateway.mac')).inputValue()).toBe('00:1a:2b:3c:4d:5e');
  const sockets = page.getByRole('group', { name: t('gateway.ports') });
  expect(await sockets.getByRole('checkbox').count()).toBe(1);
  await sockets.getByLabel('LAN1').waitFor();
  const down = limit.getByLabel(t('gateway.down'));
  for (const wrong of ['-3', '2.5', 'fast', '10001']) {
    await down.fill(wrong);
    await down.blur();
    expect(await down.inputValue()).toBe(wrong);
    await limit.getByText(t('validation.between', { min: 1, max: 10_000 })).waitFor();
  }
  await down.fill('-3');
  await page.getByRole('button', { name: t('gateway.review') }).click();
  await page
    .locator('.save-bar')
    .getByText(t('wireless.wrong', { n: 1 }))
    .waitFor();
  await down.fill('8');
  await limit.getByLabel(t('gateway.mac')).fill('nobody');
  await page.getByRole('button', { name: t('gateway.review') }).click();
  await page
    .locator('.save-bar')
    .getByText(t('wireless.wrong', { n: 1 }))
    .waitFor();
  expect(await page.locator('.toast').count()).toBe(0);

  await limit.getByLabel(t('gateway.mac')).fill('00:1a:2b:3c:4d:5e');
  await page.getByRole('button', { name: t('gateway.review') }).click();
  const dialog = page.getByRole('dialog');
  const row = dialog
    .getByRole('row')
    .filter({ hasText: `Rate limits › 00-1a-2b-3c-4d-5e › ${t('gateway.limit_kind')}` });
  await row.getByText(t('gateway.limit_kind_mac')).waitFor();

  const now = await get();
  await owner.call('/api/v3/network/gateway/save', {
    gwid: gwids[0],
    version: now.version,
    settings: { ...now.settings, confirm_s: 90 },
  });
  await dialog.getByRole('button', { name: t('gateway.apply'), exact: true }).click();
  await dialog.getByText(t('gateway.conflict_by', { name: owner.email })).waitFor();
  await dialog.getByRole('button', { name: t('wireless.reload') }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await get()).toMatchObject({ version: now.version + 1, settings: { confirm_s: 90, limits: [] } });
  expect(visit.errors).toEqual([expect.stringContaining('422'), expect.stringContaining('422')]);
  await visit.context.close();
}, 180_000);

it('shows of a WAN what it uses, and opens the rest for a field that is wrong', async () => {
  const visit = await openPage(browser, product.url, 'en', 'light', { token: owner.token });
  const { page } = visit;
  onTestFailed(() => keepPicture(page, 'gateway-wan'));
  await page.goto(`${product.url}/network/gateway/${gwids[0]}`);
  const wan = page.getByRole('group', { name: 'WAN', exact: true });
  await wan.waitFor();
  for (const field of ['name', 'port', 'addressing'] as const)
    expect(await wan.getByLabel(t(`gateway.${field}`), { exact: true }).isVisible()).toBe(true);
  const mtu = wan.getByLabel(t('gateway.mtu'), { exact: true });
  const advanced = wan.locator('summary');
  expect(await mtu.isVisible()).toBe(false);
  await advanced.click();
  await mtu.fill('100');
  await advanced.click();
  await page.getByRole('button', { name: t('gateway.review') }).click();
  await expect.poll(() => mtu.isVisible()).toBe(true);
  await expect.poll(() => mtu.evaluate((field) => field === document.activeElement)).toBe(true);
  await page.getByRole('img', { name: /ports connected/ }).waitFor();
  await visit.context.close();
}, 180_000);

it('shows no settings as the device’s own where it takes none and none were set', async () => {
  const { context, page } = await openPage(browser, product.url, 'en', 'light', { token: owner.token });
  onTestFailed(() => keepPicture(page, 'gateway-firmware'));
  await changeAnswer(page, '/api/v3/network/gateway/get', (data) => ({ ...data, gates: ['firmware'], version: 0 }));
  await page.goto(`${product.url}/network/gateway/${gwids[0]}`);
  await page.getByText(t('gateway.gate_firmware')).waitFor();
  expect(await page.getByRole('main').getByRole('textbox').count()).toBe(0);
  await context.close();
});

it('upgrades the agents of several networks in waves from the list of networks', async () => {
  const visit = await openPage(browser, product.url, 'en', 'light', { token: owner.token });
  const { page } = visit;
  onTestFailed(() => keepPicture(page, 'gateway-upgrade'));
  const there = async () =>
    (await owner.call<{ list: { status: string }[] }>('/api/v3/network/list', { page: 1, limit: 10 })).list;
  await expect
    .poll(async () => (await there()).filter(({ status }) => status === 'online').length, pollOptions)
    .toBe(3);
  await page.goto(`${product.url}/networks`);
  for (const name of ['Lobby', 'Annex', 'Spa'])
    await page.getByRole('row').filter({ hasText: name }).getByRole('checkbox').check();
  await page.getByRole('button', { name: t('device.upgrade') }).click();
  const question = page.getByRole('dialog');
  await question.getByText(t('device.upgrade_title', { n: 3, version: '0.1.0' })).waitFor();
  await question.getByText(t('device.upgrade_second', { n: 1 })).waitFor();
  await question.getByText(t('device.upgrade_rest', { n: 1 })).waitFor();
  await question.getByRole('button', { name: t('device.upgrade') }).click();
  const drawer = page.getByRole('dialog');
  await drawer.getByText(t('job_status.succeeded')).first().waitFor({ timeout: 150_000 });
  await expect.poll(() => boxes.map(({ version }) => version), pollOptions).toEqual(['0.1.0', '0.1.0', '0.1.0']);
  expect(visit.errors).toEqual([]);
  await visit.context.close();
}, 240_000);
