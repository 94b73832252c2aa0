import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { keepPicture, openPage, startBrowser, texts } from './browser.ts';
import { register } from './person.ts';
import { type Product, startProduct } from './product.ts';

let product: Product;
let browser: Browser;
let page: Page;
const t = texts('en');

beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), startBrowser()]);
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await keepPicture(page, `keyboard ${task.name}`);
});
afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

it('signs in, works and signs out by keyboard alone', async () => {
  await register(product, 'keys@example.org', 'Keyboard1');
  ({ page } = await openPage(browser, product.url, 'en', 'light'));
  await page.goto(`${product.url}/networks`);
  await page.waitForURL('**/login*');
  await expect.poll(focused).toBe(t('login.email'));
  await page.keyboard.type('keys@example.org');
  await page.keyboard.press('Tab');
  expect(await focused()).toBe(t('login.password'));
  await page.keyboard.type('Keyboard1');
  await tabTo(t('login.remember'));
  await page.keyboard.press('Space');
  await tabTo(t('login.submit'));
  await page.keyboard.press('Enter');
  await page.waitForURL('**/networks');
  await page.getByRole('heading', { name: t('home.networks') }).waitFor();

  await tabTo(t('menu.skip'));
  await page.keyboard.press('Enter');
  await tabTo(t('networks.create'));
  await page.keyboard.press('Enter');
  await expect.poll(focused).toBe(t('networks.create_name'));
  await page.keyboard.press('Escape');
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  await expect.poll(focused).toBe(t('networks.create'));
  await page.keyboard.press('Enter');
  await page.keyboard.type('Lobby');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Lobby' }).waitFor();
  await page.keyboard.press('/');
  await expect.poll(focused).toBe(t('table.search'));
  await page.keyboard.type('nothing like it');
  await page.getByText(t('empty.no_hits')).waitFor();

  await tabTo(t('header.user_menu'));
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: t('personal.profile') }).waitFor();
  await expect.poll(focused).toBe(t('personal.profile'));
  await page.keyboard.press('ArrowUp');
  await expect.poll(focused).toBe(t('header.logout'));
  await page.keyboard.press('Enter');
  await page.waitForURL('**/login*');
});

async function focused(): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement)) return '';
    const labels = (element as HTMLInputElement).labels;
    return (
      element.getAttribute('aria-label') ??
      (labels?.length ? labels[0]!.textContent : element.textContent) ??
      ''
    ).trim();
  });
}

/** Fails after more stops than the page has. */
async function tabTo(name: string): Promise<void> {
  for (let stops = 0; stops < 80; stops++) {
    if ((await focused()) === name) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`no way by keyboard to "${name}"`);
}
