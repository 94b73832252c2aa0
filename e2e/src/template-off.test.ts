import { type Fleet, startFleet } from '@yunxun/simulator';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { keepPicture, openPage, seriousIssues, startBrowser, texts } from './browser.ts';
import { type Person, register } from './person.ts';
import { type Product, startProduct } from './product.ts';
import { until } from './until.ts';

const t = texts('en');
const path = '/api/v3/wireless_template';
const name = 'Shops';
const ssid = (more: object) => ({
  enabled: true,
  security: 'psk2',
  key: 'welcome-2026',
  bands: ['2G', '5G'],
  vlan: null,
  hidden: false,
  isolate: false,
  maximum_clients: null,
  down_mbps: null,
  up_mbps: null,
  ...more,
});
let product: Product;
let browser: Browser;
let owner: Person;
let fleet: Fleet;
let page: Page;
let errors: string[];
let id: string;

beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), startBrowser()]);
  owner = await register(product, 'owner@example.org');
  const { gwid } = await owner.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Shop' });
  const place = { consoleUrl: product.url, bindingCode: owner.bindingCode, gwid, speedUp: 20 };
  fleet = await startFleet({ ...place, aps: 2, peoplePerAp: 0, seed: 'off' });
  await fleet.online();
  const created = await owner.call<{ id: string }>(`${path}/create`, {
    kind: 'wireless',
    name,
    ssids: [ssid({ name: 'Old' })],
    radios: [],
    locks: ['ssids.Old'],
  });
  id = created.id;
  const { ssids } = await owner.call<{ ssids: { id: string }[] }>(`${path}/detail`, { id });
  const renamed = [ssid({ name: 'Guests', id: ssids[0]?.id })];
  await owner.call(`${path}/update`, { id, version: 1, name, ssids: renamed, radios: [], locks: [] });
  const plan = { canary: 0, share: 100, rest: 0, stop_above: 100 };
  await until('both have said what they can do', async () => {
    const { list } = await owner.call<{ list: { devices: number }[] }>(`${path}/models`, {});
    return list[0]?.devices === 2;
  });
  await owner.call(`${path}/apply`, { id, gwids: [gwid], plan });
  await until('both have the template', async () => onAir().join() === 'Guests,Guests');
  ({ page, errors } = await openPage(browser, product.url, 'en', 'light', { token: owner.token }));
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await keepPicture(page, `template off ${task.name}`);
});
afterAll(async () => {
  fleet?.stop();
  await browser?.close();
  await product?.stop();
});

const onAir = () => fleet.devices.map(({ status }) => status.ssids.join());
const dialog = () => page.getByRole('dialog');
const press = (key: Parameters<typeof t>[0], params = {}) =>
  dialog()
    .getByRole('button', { name: t(key, params), exact: true })
    .last()
    .click();
const acts = async (item: Parameters<typeof t>[0], params = {}) => {
  await page.goto(`${product.url}/config/template_wireless/wireless`);
  await page.getByRole('button', { name: t('template.acts', { name }) }).click();
  await page.getByRole('menuitem', { name: t(item, params), exact: true }).click();
};
const unassign = async () => {
  await acts('take_off.menu');
  await press('push.next_targets');
  await dialog()
    .getByText(t('impact.sum', { changed: 2, devices: 2, networks: 1 }))
    .waitFor();
  expect(await dialog().locator('.impact-lines li').allTextContents()).toEqual([
    expect.stringContaining(t('impact.ssid_removed')),
  ]);
  await dialog().locator('.preview-device summary').first().click();
  await dialog().locator('.preview-device .diff').first().getByText('Guests').first().waitFor();
  expect(await seriousIssues(page)).toEqual([]);
  await press('push.next_impact');
  await dialog().getByText(t('push.way_at_once'), { exact: true }).click();
  await press('take_off.act', { n: 2 });
  await page.locator('tbody tr').first().getByText(t('change.takes_off'), { exact: true }).waitFor();
  await expect.poll(onAir).toEqual(['', '']);
  await page.locator('tbody tr').first().getByText(t('change.done'), { exact: true }).waitFor();
};

it('a version is looked at as it was saved, and what differs is said in words', async () => {
  await page.goto(`${product.url}/config/template_wireless/wireless_edit/${id}?tab=versions`);
  await page
    .getByRole('button', { name: t('template.see'), exact: true })
    .last()
    .click();
  await dialog().locator('.ssid-line').getByText('Old', { exact: true }).waitFor();
  expect(await dialog().getByRole('combobox').first().isDisabled()).toBe(true);
  expect(await seriousIssues(page)).toEqual([]);
  await press('action.close');
  const lines = page.locator('.diff tr');
  expect(await lines.allTextContents()).toEqual([
    `${t('template.ssid_field', { name: 'Old', field: t('wireless.name') })}Old Guests`,
    `${t('template.locked_field', { name: 'Old' })}${t('template.locked')} `,
  ]);
});

it('its menu names the networks that use it, and links to them', async () => {
  await acts('template.show_devices', { n: 2 });
  await expect.poll(() => page.url()).toContain(`template_id=${id}`);
  await expect.poll(() => page.locator('tbody tr').count()).toBe(2);
});

it('it is unassigned everywhere, and a rollback restores it', async () => {
  await unassign();
  await page.locator('tbody tr').first().click();
  await dialog().getByText(t('change.off_of', { name }), { exact: true }).waitFor();
  await press('change.reverse');
  await page
    .getByRole('dialog', { name: t('change.reverse_title') })
    .getByRole('button', { name: t('change.reverse_n', { n: 2 }), exact: true })
    .click();
  await expect.poll(onAir).toEqual(['Guests', 'Guests']);
});

it('no device uses it any more, and it is deleted', async () => {
  await unassign();
  await acts('template.delete');
  await dialog()
    .getByRole('button', { name: t('template.delete'), exact: true })
    .click();
  await page.getByText(t('template.never'), { exact: true }).waitFor();
  expect(errors).toEqual([]);
});
