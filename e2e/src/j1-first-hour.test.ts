import { type Fleet, startFleet } from '@yunxun/simulator';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Language, openPage, seriousIssues, startBrowser, type Theme, texts } from './browser.ts';
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

/** Journey J1 (research/product.md 5), without tags and map, which come later: from nothing to a changed Wi-Fi name. */
describe.each<[Language, Theme, string]>([
  ['zh-CN', 'light', '13812345601'],
  ['en', 'dark', '13812345602'],
])('the first hour, in %s and %s', (language, theme, mobile) => {
  const t = texts(language);
  let page: Page;
  let complaints: string[];
  let bindingCode: string;
  let fleet: Fleet | undefined;

  afterAll(async () => {
    fleet?.stop();
    await page?.context().close();
  });

  it('sends a visitor to sign in, and registers with a mobile', async () => {
    ({ page, complaints } = await openPage(browser, product.url, language, theme));
    await page.goto(`${product.url}/networks`);
    await page.waitForURL('**/login*');
    await page.getByRole('link', { name: t('login.register') }).click();
    await page.waitForURL('**/register');
    await page.getByLabel(t('login.mobile')).fill(mobile);
    await page.getByRole('button', { name: t('code.send') }).click();
    await expect.poll(() => sentTo(mobile)).toMatch(/^\d{6}$/);
    await page.getByLabel(t('login.sms_code')).fill(sentTo(mobile));
    await page.getByLabel(t('set_password.password'), { exact: true }).fill('first1234');
    await page.getByLabel(t('set_password.again'), { exact: true }).fill('first1234');
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: t('register.submit') }).click();
    await page.waitForURL((url) => !url.pathname.startsWith('/register'));
  });

  it('shows how to connect the first device, with the binding code to copy', async () => {
    await page.goto(product.url);
    await page.getByRole('heading', { name: t('overview.start') }).waitFor();
    await page
      .getByRole('banner')
      .getByRole('button', { name: t('action.copy') })
      .click();
    await page.getByText(t('copy.done')).first().waitFor();
    bindingCode = await page.evaluate(() => navigator.clipboard.readText());
    expect(bindingCode).toMatch(/^[0-9A-Z]{10}$/);
    expect(await seriousIssues(page)).toEqual([]);
  });

  it('shows the device without a reload', async () => {
    await page.goto(`${product.url}/networks`);
    await page.evaluate(() => Object.assign(globalThis, { sameDocument: true }));
    fleet = await startFleet({
      consoleUrl: product.url,
      bindingCode,
      gateways: 1,
      aps: 1,
      seed: `j1 ${language}`,
      speedUp: 20,
    });
    await page.getByText('Simulated Gateway G4').first().waitFor();
    await page.getByText(t('status.online')).first().waitFor();
    expect(await page.evaluate(() => 'sameDocument' in globalThis)).toBe(true);
  });

  it('renames the network', async () => {
    await page
      .getByRole('link', { name: /Simulated/ })
      .first()
      .click();
    await page.waitForURL('**/network/*');
    await page.getByRole('button', { name: t('action.rename') }).click();
    await page.getByRole('textbox').first().fill('Lobby');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Lobby' }).waitFor();
    expect(await seriousIssues(page)).toEqual([]);
  });

  it('changes the Wi-Fi name, and the device itself proves it', async () => {
    await page.getByRole('tab', { name: t('network.tab_wireless') }).click();
    await page.getByRole('button', { name: t('wireless.add') }).click();
    await page.getByLabel(t('wireless.name')).fill('Lobby-Guest');
    await page.getByLabel(t('wireless.key')).fill('welcome-2026');
    await page.getByRole('button', { name: t('wireless.apply') }).click();
    await page.getByRole('button', { name: t('wireless.preview') }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('wireless.push', { n: 2 }) })
      .click();
    const onAir = () => fleet!.status().find((device) => device.role === 'ap')!.ssids;
    await expect.poll(onAir, { timeout: 60_000 }).toContain('Lobby-Guest');
    await page.goto(page.url());
    await page.getByText(t('sync.in_sync')).first().waitFor();
  });

  it('left a line for each of it in the operation log', async () => {
    await page.goto(`${product.url}/logs/action`);
    for (const key of ['account.register', 'device.bind', 'network.update', 'network.wireless.save'] as const) {
      await page
        .getByText(t(`log_action.${key}`))
        .first()
        .waitFor();
    }
  });

  it('complained of nothing on the way', () => {
    expect(complaints).toEqual([]);
  });

  function sentTo(target: string): string {
    try {
      return product.code(target);
    } catch {
      return '';
    }
  }
});
