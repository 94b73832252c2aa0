import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { keepPicture, openPage, startBrowser } from './browser.ts';
import { type Product, startProduct } from './product.ts';

/**
 * One product and one browser for the tests of a file, and for each test a visitor's page of its own, in English. Filled in
 * before hooks that are declared after it; the page of a failed test is kept as a picture.
 */
export function pageEach(file: string): { product: Product; page: Page } {
  const stage = {} as { product: Product; page: Page };
  let browser: Browser | undefined;
  beforeAll(async () => {
    [stage.product, browser] = await Promise.all([startProduct(), startBrowser()]);
  });
  beforeEach(async () => {
    stage.page = (await openPage(browser!, stage.product.url, 'en', 'light')).page;
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await keepPicture(stage.page, `${file} ${task.name}`);
    await stage.page?.context().close();
  });
  afterAll(async () => {
    await browser?.close();
    await stage.product?.stop();
  });
  return stage;
}

/** What a field says below itself. */
export const saidUnder = (page: Page, label: string) =>
  page.locator('.field', { has: page.getByLabel(label, { exact: true }) }).getByRole('alert');
