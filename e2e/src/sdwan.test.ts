import { type Fleet, startFleet } from '@yunxun/simulator';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { keepPicture, openPage, startBrowser, texts, type Visit } from './browser.ts';
import { type Person, register } from './person.ts';
import { type Product, startProduct } from './product.ts';

interface Candidate {
  name: string;
  reason: string | null;
}

let product: Product;
let browser: Browser;
let owner: Person;
let fleet: Fleet;
let visit: Visit | undefined;

beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), startBrowser()]);
  owner = await register(product, 'owner@example.org');
  const place = { consoleUrl: product.url, bindingCode: owner.bindingCode };
  fleet = await startFleet({ ...place, edges: 3, seed: 'sdwan', speedUp: 20 });
  await fleet.online();
}, 60_000);
afterEach(async ({ task }) => {
  if (visit && task.result?.state === 'fail') await keepPicture(visit.page, `sdwan ${task.name}`);
  await visit?.context.close();
  visit = undefined;
});
afterAll(async () => {
  fleet?.stop();
  await browser?.close();
  await product?.stop();
});

async function ableGateways(): Promise<string[]> {
  const { list } = await owner.call<{ list: Candidate[] }>('/api/v3/sdwan/candidate/list', { page: 1, limit: 50 });
  return list.filter(({ reason }) => reason === null).map(({ name }) => name);
}

it('joins three sites in a star through the wizard, shows it running, and removes a site', async () => {
  await expect.poll(async () => (await ableGateways()).length).toBe(3);
  const [hub = '', shop = '', last = ''] = await ableGateways();
  const t = texts('en');
  visit = await openPage(browser, product.url, 'en', 'light', { token: owner.token });
  const { page, errors } = visit;
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const row = (name: string) => page.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) });

  await page.goto(`${product.url}/sdwan/index`);
  await button(t('sdwan.trial_start')).click();
  await page.getByRole('heading', { name: t('sdwan.trial_until'), exact: true }).waitFor();

  await page.goto(`${product.url}/sdwan/create`);
  await page.getByLabel(t('sdwan.name'), { exact: true }).fill('Branches');
  await button(t('sdwan.next')).click();
  for (const name of [hub, shop, last]) await page.getByRole('checkbox', { name, exact: true }).check();
  const host = page.getByLabel(t('sdwan.host_of', { name: hub }), { exact: true });
  await page.getByText(t('sdwan.error.centre_endpoint', { name: hub }), { exact: true }).waitFor();
  await host.fill('hub.example.net');
  await button(t('sdwan.next')).click();
  await button(t('sdwan.map_all')).click();
  const mapped = page.getByLabel(t('sdwan.as_of', { name: last, n: 1 }), { exact: true });
  await expect.poll(() => mapped.inputValue()).toMatch(/^10\./);
  await button(t('sdwan.next')).click();
  await page.getByRole('table', { name: t('sdwan.matrix'), exact: true }).waitFor();
  await button(t('sdwan.next')).click();
  await button(t('sdwan.deploy')).click();

  await page.waitForURL(/\/sdwan\/show\?id=/);
  const closing = page.getByRole('dialog').getByRole('button', { name: t('action.close'), exact: true });
  await closing.click();
  const tag = page.locator('.sdwan-verdict').getByText(t('sdwan.status_running'), { exact: true });
  await tag.waitFor();
  await page.getByRole('tab', { name: t('sdwan.tab_links'), exact: true }).click();
  expect(await page.getByRole('cell', { name: t('sdwan.link_up'), exact: true }).count()).toBe(2);

  await page.getByRole('link', { name: t('home.sdwan_manage'), exact: true }).click();
  await button(t('sdwan.remove_node', { name: last })).click();
  await row(last).getByText(t('sdwan.change_removed'), { exact: true }).waitFor();
  await button(t('sdwan.apply')).click();
  await closing.click();
  await page.getByRole('link', { name: t('home.sdwan_show'), exact: true }).click();
  await tag.waitFor();
  await expect.poll(() => page.getByRole('rowheader', { name: last, exact: true }).count()).toBe(0);
  expect(await page.getByRole('rowheader', { name: shop, exact: true }).count()).toBe(1);

  await page.getByRole('link', { name: t('home.sdwan_manage'), exact: true }).click();
  const name = page.getByLabel(t('sdwan.name'), { exact: true });
  await name.fill('Mine');
  const other = await visit.context.newPage();
  await other.goto(page.url());
  await other.getByLabel(t('sdwan.name'), { exact: true }).fill('Theirs');
  await other.getByRole('button', { name: t('sdwan.apply'), exact: true }).click();
  await other.getByText(t('sdwan.saved', { name: 'Theirs' }), { exact: true }).waitFor();
  await other.close();
  await button(t('sdwan.apply')).click();
  await page.getByText(t('sdwan.conflict_body'), { exact: true }).waitFor();
  await button(t('wireless.reload')).click();
  await expect.poll(() => name.inputValue()).toBe('Theirs');
  await name.fill('Ours');
  await button(t('sdwan.apply')).click();
  await page.getByText(t('sdwan.saved', { name: 'Ours' }), { exact: true }).waitFor();
  expect(errors).toEqual([]);
});
