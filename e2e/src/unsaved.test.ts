import type { Browser, Dialog, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { keepPicture, openPage, startBrowser, texts, type Visit } from './browser.ts';
import { type Person, register } from './person.ts';
import { type Product, startProduct } from './product.ts';

const t = texts('en');
let product: Product;
let browser: Browser;
let owner: Person;
let visit: Visit;
let page: Page;
let gwid: string;

beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), startBrowser()]);
  owner = await register(product, 'owner@example.org');
  gwid = (await owner.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Lobby' })).gwid;
});
beforeEach(async () => {
  visit = await openPage(browser, product.url, 'en', 'light', { token: owner.token });
  ({ page } = visit);
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await keepPicture(page, `unsaved ${task.name}`);
  await visit.context.close();
});
afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

const template = (name: string) =>
  owner.call<{ id: string }>('/api/v3/wireless_template/create', {
    kind: 'wireless',
    name,
    ssids: [],
    radios: [],
    locks: [],
  });
const tab = (name: string) => page.getByRole('tab', { name, exact: true }).click();
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const question = () => page.getByRole('dialog', { name: t('leave.title') });
const pathOf = () => new URL(page.url()).pathname;

it('a gateway’s changes outlive tabs, and Back and a menu ask before they are lost', async () => {
  const menu = page.getByRole('navigation').getByRole('link', { name: t('home.networks'), exact: true });
  await page.goto(`${product.url}/networks`);
  await page.getByRole('link', { name: 'Lobby', exact: true }).click();
  await tab(t('home.network_gateway'));
  await press(t('gateway.add_route'));
  const to = page.getByLabel(t('gateway.route_to'), { exact: true });
  await to.fill('10.9.0.0/16');

  await tab(t('network.tab_devices'));
  await to.waitFor({ state: 'detached' });
  await tab(t('home.network_gateway'));
  expect(await to.inputValue()).toBe('10.9.0.0/16');

  await tab(t('network.tab_devices'));
  await menu.click();
  await question().waitFor();
  await press(t('leave.stay'));
  await question().waitFor({ state: 'detached' });
  expect(pathOf()).toBe(`/network/${gwid}`);
  await tab(t('home.network_gateway'));
  expect(await to.inputValue()).toBe('10.9.0.0/16');

  const asked = new Promise<Dialog>((resolve) => page.once('dialog', resolve));
  await page.evaluate(() => void setTimeout(() => location.reload()));
  const dialog = await asked;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();
  expect(await to.inputValue()).toBe('10.9.0.0/16');

  await menu.click();
  await question()
    .getByRole('button', { name: t('leave.leave') })
    .click();
  await page.waitForURL(/\/networks$/);
  await page.getByRole('link', { name: 'Lobby', exact: true }).click();
  await tab(t('home.network_gateway'));
  await page.getByRole('button', { name: t('gateway.add_route') }).waitFor();
  expect(await to.count()).toBe(0);
  await menu.click();
  await page.waitForURL(/\/networks$/);
});

it('Back asks too, and once the changes are discarded it goes', async () => {
  await page.goto(`${product.url}/networks`);
  await page.getByRole('link', { name: 'Lobby', exact: true }).click();
  await tab(t('network.tab_wireless'));
  const country = page.getByLabel(t('wireless.country'), { exact: true });
  await country.fill('DE');
  await page.evaluate(() => history.go(-2));
  await question().waitFor();
  await press(t('leave.stay'));
  await expect.poll(pathOf).toBe(`/network/${gwid}`);
  expect(await country.inputValue()).toBe('DE');
  await press(t('wireless.discard'));
  await page.evaluate(() => history.go(-2));
  await page.waitForURL(/\/networks$/);
});

it('a dialog with changes asks before Esc, its cross or Cancel lose them', async () => {
  await owner.call('/api/v3/ap/group/create', { name: 'Pier' });
  await template('Piers');
  await page.goto(`${product.url}/config/template_wireless/wireless`);
  await press(t('group_settings.menu'));
  await page.getByRole('menuitem', { name: 'Pier' }).click();
  const dialog = page.getByRole('dialog', { name: t('group_settings.title', { name: 'Pier' }) });
  const floor = dialog.getByLabel(t('template.minimum_rssi'), { exact: true });
  await floor.selectOption('-75');
  const ways = [
    () => page.keyboard.press('Escape'),
    () => dialog.getByRole('button', { name: t('action.close'), exact: true }).click(),
    () => dialog.getByRole('button', { name: t('action.cancel'), exact: true }).click(),
  ];
  for (const way of ways) {
    await way();
    await question().waitFor();
    await press(t('leave.stay'));
    await question().waitFor({ state: 'detached' });
    expect(await floor.inputValue()).toBe('-75');
  }
  for (let at = 0; at < 4; at += 1) await page.keyboard.press('Escape');
  expect(await floor.inputValue()).toBe('-75');
  await expect
    .poll(async () => {
      if (!(await question().isVisible())) await page.keyboard.press('Escape');
      return question().isVisible();
    })
    .toBe(true);
  await question()
    .getByRole('button', { name: t('leave.leave') })
    .click();
  await dialog.waitFor({ state: 'detached' });
  await press(t('group_settings.menu'));
  await page.getByRole('menuitem', { name: 'Pier' }).click();
  await floor.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(visit.errors).toEqual([]);
});

it('a draft stays when another person saves, says so, and is replaced when it is discarded', async () => {
  const { version } = await owner.call<{ version: number }>('/api/v3/network/wireless/get', { gwid });
  await page.goto(`${product.url}/network/${gwid}?tab=wireless`);
  const country = page.getByLabel(t('wireless.country'), { exact: true });
  await country.fill('DE');
  await owner.call('/api/v3/network/wireless/save', { gwid, version, ssids: [], radios: [], country: 'FR' });
  // a missed fact triggers a refetch of the page
  await page.evaluate(() => {
    dispatchEvent(new Event('pagehide'));
    dispatchEvent(new Event('pageshow'));
  });
  await page.getByText(t('wireless.overtaken')).waitFor();
  expect(await country.inputValue()).toBe('DE');
  await tab(t('network.tab_devices'));
  await country.waitFor({ state: 'detached' });
  await tab(t('network.tab_wireless'));
  expect(await country.inputValue()).toBe('DE');
  await page.getByText(t('wireless.overtaken')).waitFor();
  await press(t('wireless.discard'));
  await expect.poll(() => country.inputValue()).toBe('FR');
  expect(visit.errors).toEqual([]);
});

it('a template’s changes outlive its tabs, and saving them leaves nothing to ask about', async () => {
  const created = await template('Shops');
  await page.goto(`${product.url}/config/template_wireless/wireless_edit/${created.id}`);
  const country = page.getByLabel(t('wireless.country'), { exact: true });
  await country.fill('DE');
  await tab(t('template.tab_versions'));
  await country.waitFor({ state: 'detached' });
  await tab(t('template.tab_settings'));
  expect(await country.inputValue()).toBe('DE');
  const list = page.getByRole('main').getByRole('link', { name: t('config.wireless') });
  await list.click();
  await press(t('leave.stay'));
  expect(await country.inputValue()).toBe('DE');
  await press(t('template.save'));
  await page.getByText(t('template.version_n', { n: 2 })).waitFor();
  await list.click();
  await page.waitForURL(/\/config\/template_wireless\/wireless$/);

  await page.goto(`${product.url}/config/template_wireless/wireless_create`);
  const bar = page.locator('.save-bar');
  await bar.getByText(t('template.never_saved')).waitFor();
  await page.getByLabel(t('template.name'), { exact: true }).fill('Halls');
  await bar.getByText(t('template.changed')).waitFor();
  await press(t('template.create'));
  await page.waitForURL(/wireless_edit/);
  await page.getByRole('tab', { name: t('template.tab_versions') }).waitFor();
  expect(visit.errors).toEqual([]);
});

it('signing out asks before the session is over, and only once', async () => {
  await page.goto(`${product.url}/network/${gwid}?tab=wireless`);
  const country = page.getByLabel(t('wireless.country'), { exact: true });
  await country.fill('DE');
  const signOut = async () => {
    await page.getByRole('button', { name: t('header.user_menu') }).click();
    await page.getByRole('menuitem', { name: t('header.logout') }).click();
    await question().waitFor();
  };
  await signOut();
  await press(t('leave.stay'));
  await question().waitFor({ state: 'detached' });
  expect(await country.inputValue()).toBe('DE');
  expect(await owner.call('/api/v3/network/detail', { gwid })).toMatchObject({ gwid });
  await signOut();
  await press(t('leave.leave'));
  await page.waitForURL(/\/login/);
});
