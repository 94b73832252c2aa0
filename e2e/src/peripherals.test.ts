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
