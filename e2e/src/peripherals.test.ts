import { messageByKey } from '@yunxun/contract/messages';
import { type Fleet, startFleet } from '@yunxun/simulator';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { keepPicture, openPage, startBrowser, texts, type Visit } from './browser.ts';
import { type Person, register } from './person.ts';
import { type Product, startProduct } from './product.ts';

let product: Product;
let browser: Browser;
let owner: Person;
let fleet: Fleet;
let visit: Visit | undefined;

beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), startBrowser()]);
  owner = await register(product, 'owner@example.org');
  const place = { consoleUrl: product.url, bindingCode: owner.bindingCode };
  fleet = await startFleet({ ...place, edges: 1, seed: 'peripherals', speedUp: 20 });
  await fleet.online();
}, 60_000);
afterEach(async ({ task }) => {
  if (visit && task.result?.state === 'fail') await keepPicture(visit.page, `peripherals ${task.name}`);
  await visit?.context.close();
  visit = undefined;
});
afterAll(async () => {
  fleet?.stop();
  await browser?.close();
  await product?.stop();
});

/** Waits until the gateway can be scanned. */
async function scannable(): Promise<string> {
  const { list } = await owner.call<{ list: { gwid: string }[] }>('/api/v3/network/list', { page: 1, limit: 20 });
  for (const { gwid } of list) {
    const { unable } = await owner.call<{ unable: string | null }>('/api/v3/peripheral/scan/detail', { gwid });
    if (unable === null) return gwid;
  }
  return '';
}

it('imports, scans, changes and finds peripheral devices of a site', async () => {
  await expect.poll(scannable).not.toBe('');
  const gwid = await scannable();
  const t = texts('en');
  visit = await openPage(browser, product.url, 'en', 'light', { token: owner.token });
  const { page, errors } = visit;
  const button = (name: string) => page.getByRole('button', { name, exact: true }).first();
  const dialog = page.getByRole('dialog');
  const row = (name: string) => page.getByRole('row').filter({ has: page.getByText(name, { exact: true }) });
  await page.goto(`${product.url}/device/index/${gwid}`);

  // the template can be imported once
  await button(t('peripherals.import')).click();
  const [saved] = await Promise.all([page.waitForEvent('download'), button(t('peripherals.import_template')).click()]);
  const file = dialog.getByLabel(t('peripherals.import_file'), { exact: true });
  await file.setInputFiles(await saved.path());
  await dialog.getByText(t('peripherals.import_ready', { n: 1 }), { exact: true }).waitFor();
  await button(t('peripherals.import_run', { n: 1 })).click();
  await row('Door-Camera').waitFor();
  await button(t('peripherals.import')).click();
  await file.setInputFiles(await saved.path());
  await dialog.getByText(t('peripherals.import_wrong', { n: 1, all: 1 }), { exact: true }).waitFor();
  expect(await dialog.getByText(messageByKey('en', 'validation.duplicate'), { exact: true }).count()).toBe(2);
  await button(t('action.cancel')).click();

  await button(t('peripherals.scan')).click();
  await button(t('peripherals.scan_start')).click();
  await dialog.getByText(t('peripherals.known_as', { name: 'Door-Camera' }), { exact: true }).waitFor();
  await dialog.getByRole('checkbox', { name: '192.168.1.70', exact: true }).check();
  await dialog.getByLabel(t('peripherals.name_of', { ip: '192.168.1.70' }), { exact: true }).fill('Till-Printer');
  await button(t('peripherals.add_chosen', { n: 1 })).click();
  await dialog.getByText(t('peripherals.known_as', { name: 'Till-Printer' }), { exact: true }).waitFor();
  await dialog
    .getByRole('button', { name: t('action.close'), exact: true })
    .last()
    .click();

  await button(t('peripherals.edit', { name: 'Till-Printer' })).click();
  await dialog.getByLabel(t('peripherals.name'), { exact: true }).fill('Desk-Printer');
  await dialog.getByRole('button', { name: t('action.save'), exact: true }).click();
  await row('Desk-Printer').waitFor();
  await button(t('peripherals.more', { name: 'Desk-Printer' })).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: t('peripherals.wake'), exact: true }).focus();
  await page.keyboard.press('Enter');
  await dialog.getByText(t('job_type.peripheral_wake'), { exact: true }).first().waitFor();
  await page.keyboard.press('Escape');

  await page.goto(`${product.url}/`);
  await button(t('header.search')).waitFor();
  await page.keyboard.press('Control+k');
  await dialog.getByRole('combobox').fill('desk-prin');
  await dialog.getByRole('option', { name: /^Desk-Printer .*192\./ }).click();
  await page.waitForURL(/\/device\/index\/.*keyword=Desk-Printer/);
  await row('Desk-Printer').waitFor();
  expect(await row('Door-Camera').count()).toBe(0);
  expect(errors).toEqual([expect.stringContaining('422')]);
});

it('leads from the alarm of a peripheral device to that device, and to the power of its port', async () => {
  await expect.poll(scannable).not.toBe('');
  const gwid = await scannable();
  const t = texts('en');
  const probe = { mode: 'icmp', detect_port: null, web_port: 80, shell_port: null };
  for (const [name, ip] of [
    ['Yard', '192.168.1.81'],
    ['Gate', '192.168.1.82'],
  ])
    await owner.call('/api/v3/peripheral/create', { gwid, name, type: 'camera', ip, ...probe });
  visit = await openPage(browser, product.url, 'en', 'light', { token: owner.token, phone: true });
  const { page } = visit;
  const id = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
  const at = new Date().toISOString();
  const alarm = {
    id,
    kind: 'peripheral_offline',
    level: 'GENERAL',
    state: 'firing',
    lasts: false,
    count: 1,
    seconds: 900,
    gwid,
    network: 'Pier',
    serial: '9c0000000001',
    name: 'Gateway',
    device_kind: 'gateway',
    part: 'Yard',
    began_at: at,
    last_at: at,
    recovered_at: null,
    value: null,
    threshold: null,
    devices_hit: 0,
    note: '',
    clients_hit: null,
    acknowledged_at: null,
    acknowledged_by: null,
    assignee: null,
    silenced_until: null,
  };
  const data = { alarm, cause: null, children: [], children_total: 0, portals: [], timeline: [] };
  const more = { rule_id: null, power: null };
  const json = { code: 2000, message: 'Success', data: { ...data, ...more } };
  await page.route('**/api/v3/alarm/detail', (route) => route.fulfill({ json }));
  await page.goto(`${product.url}/alarm?alarm=${id}`);
  const drawer = page.getByRole('dialog').last();
  await drawer.getByRole('button', { name: t('alarm.restart_power'), exact: true }).click();
  await page.getByRole('dialog', { name: t('ports.cycle_of', { name: 'Yard' }), exact: true }).waitFor();
  await drawer.getByText(t('peripherals.no_mac'), { exact: true }).waitFor();
  await page.reload();
  await drawer.getByRole('link', { name: t('alarm.to_device'), exact: true }).click();
  await page.waitForURL(`**/device/index/${gwid}?keyword=Yard`);
  const rows = page.locator('tbody tr');
  await rows.filter({ hasText: 'Yard' }).waitFor();
  expect(await rows.count()).toBe(1);
  await page.getByRole('button', { name: t('peripherals.more', { name: 'Yard' }), exact: true }).click();
  await page.getByRole('menuitem', { name: t('peripherals.delete'), exact: true }).click();
  await page.getByRole('dialog', { name: t('peripherals.delete_one', { name: 'Yard' }), exact: true }).waitFor();
});
