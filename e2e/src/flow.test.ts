import { readFile } from 'node:fs/promises';
import { type Fleet, startFleet } from '@yunxun/simulator';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { keepPicture, openPage, seriousIssues, startBrowser, texts, type Visit } from './browser.ts';
import { type Person, register } from './person.ts';
import { type Product, startProduct } from './product.ts';

interface Series {
  categories: { name: string; down: number; up: number }[];
}

let product: Product;
let browser: Browser;
let owner: Person;
let fleet: Fleet;
let visit: Visit | undefined;

beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), startBrowser()]);
  owner = await register(product, 'owner@example.org');
  const { gwid } = await owner.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Harbour' });
  const place = { consoleUrl: product.url, bindingCode: owner.bindingCode, gwid };
  fleet = await startFleet({ ...place, edges: 1, aps: 1, seed: 'flow', speedUp: 20 });
  await fleet.online();
}, 60_000);
afterEach(async ({ task }) => {
  if (visit && task.result?.state === 'fail') await keepPicture(visit.page, `flow ${task.name}`);
  await visit?.context.close();
  visit = undefined;
});
afterAll(async () => {
  fleet?.stop();
  await browser?.close();
  await product?.stop();
});

it.each(['zh-CN', 'en'] as const)('leads from a category to a client and into a file, in %s', async (language) => {
  const t = texts(language);
  const counted = () => owner.call<Series>('/api/v3/flow/series', { span: '1h' });
  await expect.poll(async () => (await counted()).categories.length).toBeGreaterThan(1);
  visit = await openPage(browser, product.url, language, 'light', { token: owner.token });
  const { page } = visit;
  const card = (title: string) =>
    page.locator('.card').filter({ has: page.getByRole('heading', { level: 2, name: title, exact: true }) });

  await page.goto(`${product.url}/flow_monitor?span=1h`);
  await page.getByText(t('flow.coverage', { n: 1, networks: 1 }), { exact: true }).waitFor();
  const { categories } = await counted();
  const category = t(`app_category.${categories[0]!.name}` as 'app_category.HTTP');
  await card(t('flow.categories')).getByRole('button', { name: category, exact: true }).click();
  await page.getByRole('button', { name: t('flow.only_category', { name: category }), exact: true }).waitFor();
  await expect.poll(() => card(t('flow.categories')).locator('tbody tr').count()).toBe(1);

  const first = card(t('flow.top')).locator('tbody th button').first();
  await first.click();
  await page.getByRole('link', { name: t('flow.client_details'), exact: true }).waitFor();
  expect(new URL(page.url()).searchParams.get('mac')).toMatch(/^[0-9a-f]{12}$/);
  await expect.poll(() => card(t('flow.top')).locator('tbody tr').count()).toBe(1);

  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: t('flow.export'), exact: true }).click(),
  ]);
  const text = await readFile(await saved.path(), 'utf8');
  expect(text).toContain(`${t('flow.key')},${t('flow.name')}`);
  expect(text).toContain(new URL(page.url()).searchParams.get('mac'));
  expect(await seriousIssues(page)).toEqual([]);
  expect(visit.errors).toEqual([]);
});
