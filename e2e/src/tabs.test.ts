import type { Browser, BrowserContext, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hold } from '../../packages/server/test/hold.ts';
import { openPage, startBrowser, texts } from './browser.ts';
import { type Person, register } from './person.ts';
import { type Product, startProduct } from './product.ts';

// Browsers open six HTTP/1.1 connections per host.
const TABS = 8;
const LOADS = 12;

let product: Product;
let person: Person;
let browser: Browser;
const t = texts('en');

beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), startBrowser()]);
  person = await register(product, 'tabs@example.org');
  await person.call('/api/v3/network/create', { remark: 'Lobby' });
});
afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

it('works in eight tabs at once, and facts reach every one of them whichever is closed', async () => {
  const { context, page } = await openPage(browser, product.url, 'en', 'light', { token: person.token });
  const streams = countStreams(context);
  const tabs = [page];
  while (tabs.length < TABS) tabs.push(await context.newPage());
  for (const tab of tabs) await showsNetwork(tab, 'Lobby');
  expect(streams()).toBe(1);

  await person.call('/api/v3/network/create', { remark: 'Attic' });
  for (const tab of tabs) await tab.getByRole('link', { name: 'Attic' }).waitFor();

  const [leader, ...rest] = tabs;
  await leader?.close();
  await expect.poll(streams).toBe(1);
  await person.call('/api/v3/network/create', { remark: 'Cellar' });
  for (const tab of rest) await tab.getByRole('link', { name: 'Cellar' }).waitFor();
  await context.close();
});

it('works after twelve full loads in one tab that keeps the pages it has left', async () => {
  const keeping = await startBrowser({ ignoreDefaultArgs: ['--disable-back-forward-cache'] });
  try {
    const { context, page } = await openPage(keeping, product.url, 'en', 'light', { token: person.token });
    for (let load = 0; load < LOADS; load++) await showsNetwork(page, 'Lobby', `?load=${load}`);
    await page.goBack({ waitUntil: 'commit' });
    await page.getByRole('link', { name: 'Lobby' }).waitFor();
    await person.call('/api/v3/network/create', { remark: 'Garden' });
    await page.getByRole('link', { name: 'Garden' }).waitFor();
    await context.close();
  } finally {
    await keeping.close();
  }
});

it('shows what changed between the first reads of a page and the opening of its stream', async () => {
  const { context, page } = await openPage(browser, product.url, 'en', 'light', { token: person.token });
  const { held, release } = hold();
  await context.route('**/api/v3/live', async (route) => {
    await held;
    await route.continue();
  });
  await showsNetwork(page, 'Lobby');
  await person.call('/api/v3/network/create', { remark: 'Porch' });
  release();
  await page.getByRole('link', { name: 'Porch' }).waitFor();
  await context.close();
});

async function showsNetwork(tab: Page, name: string, search = ''): Promise<void> {
  await tab.goto(`${product.url}/networks${search}`);
  await tab.getByRole('heading', { name: t('home.networks') }).waitFor();
  await tab.getByRole('link', { name }).waitFor();
}

function countStreams(context: BrowserContext): () => number {
  const open = new Set<Request>();
  context.on('request', (request) => {
    if (request.url().endsWith('/api/v3/live')) open.add(request);
  });
  context.on('requestfinished', (request) => open.delete(request));
  context.on('requestfailed', (request) => open.delete(request));
  return () => [...open].filter((request) => !request.frame().page().isClosed()).length;
}
