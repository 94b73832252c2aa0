import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { keepPicture, openPage, startBrowser } from './browser.ts';
import { type Product, startProduct } from './product.ts';

/** One product and browser per file, a page per test. Saves a failed test's screenshot. */
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

export const textUnder = (page: Page, label: string) =>
  page.locator('.field', { has: page.getByLabel(label, { exact: true }) }).getByRole('alert');
