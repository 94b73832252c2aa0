import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPage, startBrowser, texts } from './browser.ts';
import { register } from './person.ts';
import { type Product, startProduct } from './product.ts';

let product: Product;
let browser: Browser;

beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), startBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

it('the balance is the ledger’s, is kept 30 days for the next first paint, and goes when its person signs out', async () => {
  const t = texts('en');
  const person = await register(product, `balance${Date.now()}@example.org`);
  const { context, page } = await openPage(browser, product.url, 'en', 'light', { token: person.token });
  const kept = async () => (await context.cookies()).find(({ name }) => name === 'user_money');
  await page.goto(`${product.url}/billing/balance`);
  await page.locator('.figure:not(.dim)', { hasText: '0.00' }).waitFor();
  expect(await page.getByText(t('billing.none'), { exact: true }).count()).toBe(0);
  const days = ((await kept())!.expires - Date.now() / 1000) / 86_400;
  expect(days).toBeGreaterThan(29.9);
  expect(days).toBeLessThan(30.1);

  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/api/v3/billing/balance', async (route) => {
    await held;
    await route.continue();
  });
  await page.reload();
  await page.locator('.figure.dim', { hasText: '0.00' }).waitFor();
  answer();
  await page.locator('.figure:not(.dim)', { hasText: '0.00' }).waitFor();

  await page.getByRole('button', { name: t('header.user_menu') }).click();
  await page.getByRole('menuitem', { name: t('header.logout') }).click();
  await page.waitForURL((url) => url.pathname === '/login');
  await expect.poll(kept).toBeUndefined();
  await context.close();
});
