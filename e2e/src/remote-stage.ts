import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { keepPicture, type Language, openPage, startBrowser, type Theme, type Visit } from './browser.ts';
import { type Person, register } from './person.ts';
import { type Product, startProduct } from './product.ts';

/** A console and a browser for all tests of a file; `open` shows it to its owner until the test ends. */
export function remoteStage(name: string) {
  let product: Product;
  let browser: Browser;
  let owner: Person;
  let visit: Visit | undefined;
  beforeAll(async () => {
    [product, browser] = await Promise.all([startProduct(), startBrowser()]);
    owner = await register(product, 'owner@example.org');
  }, 60_000);
  afterEach(async ({ task }) => {
    if (visit && task.result?.state === 'fail') await keepPicture(visit.page, `${name} ${task.name}`);
    await visit?.context.close();
    visit = undefined;
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });
  return {
    at: (path: string) => product.url + path,
    token: () => owner.token,
    async open(language: Language = 'en', theme: Theme = 'light', more: { phone?: boolean } = {}): Promise<Visit> {
      visit = await openPage(browser, product.url, language, theme, { token: owner.token, ...more });
      return visit;
    },
  };
}
