import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { keepPicture, openPage, seriousIssues, startBrowser, texts, type Visit } from './browser.ts';
import { ask, type Person, register } from './person.ts';
import { type Product, startProduct } from './product.ts';
import { gate } from './screens-sign-in.ts';

const t = texts('en');
/** Polls, and milliseconds. */
const POLLS = 20;
const POLL_MS = 3000;
let product: Product;
let browser: Browser;
let owner: Person;
let visits: Visit[] = [];

beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), startBrowser()]);
  owner = await register(product, 'owner@example.org');
});
afterEach(async ({ task }) => {
  for (const [index, visit] of visits.entries()) {
    if (task.result?.state === 'fail') await keepPicture(visit.page, `phone ${task.name} ${index}`);
    await visit.context.close();
  }
  visits = [];
});
afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

async function open(options: { phone?: boolean; token?: string } = {}): Promise<Page> {
  const visit = await openPage(browser, product.url, 'en', 'light', options);
  visits.push(visit);
  return visit.page;
}
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const over = (page: Page) => page.locator('.qr-over');

async function showCode(path = '/login?way=qr'): Promise<{ page: Page; url: () => string }> {
  const page = await open();
  let url = '';
  page.on('response', async (response) => {
    if (response.url().endsWith('/qrcode/create'))
      url = ((await response.json()) as { data: { url: string } }).data.url;
  });
  await page.goto(product.url + path);
  await page.getByRole('img', { name: t('qr.picture') }).waitFor();
  // the page may draw before this test has the answer
  await expect.poll(() => url).not.toBe('');
  return { page, url: () => url };
}

async function signInOn(page: Page): Promise<void> {
  await page.getByLabel(t('login.email')).fill(owner.email);
  await page.getByLabel(t('login.password'), { exact: true }).fill(owner.password);
  await press(page, t('login.submit'));
}

async function fitsAPhone(page: Page): Promise<void> {
  expect([page.url(), await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([page.url(), 360]);
  expect(await seriousIssues(page)).toEqual([]);
}

describe('a QR code', () => {
  it('is confirmed on a phone, which signs in first, and leads the browser to the wanted page', async () => {
    const desktop = await showCode('/login?way=qr&next=%2Fjobs');
    await desktop.page.getByLabel(t('login.remember')).check();
    const phone = await open({ phone: true });
    await phone.goto(desktop.url());
    await phone.waitForURL('**/login?next=*');
    await phone.getByLabel(t('login.email')).waitFor();
    await fitsAPhone(phone);
    await signInOn(phone);
    await phone.waitForURL('**/qr/*');
    await phone.getByText(owner.email).waitFor();
    await phone.getByText(/Chrome \d+/).waitFor();
    await phone.getByText('127.0.0.1').waitFor();
    await fitsAPhone(phone);
    await press(phone, t('qr_confirm.accept'));
    await phone.getByText(t('qr_confirm.accepted_body')).waitFor();
    await fitsAPhone(phone);
    await desktop.page.waitForURL('**/jobs');
    const [cookie] = await desktop.page.context().cookies();
    expect((cookie!.expires - Date.now() / 1000) / 86_400).toBeCloseTo(7, 1);
    const { data } = await ask(product, '/api/v3/user', undefined, { token: cookie!.value });
    expect(data).toMatchObject({ email: owner.email });
    await phone.reload();
    await phone.getByText(t('qr_confirm.expired_body')).waitFor();
    await fitsAPhone(phone);
  });

  it('that is refused says so, and a click makes a new one', async () => {
    const desktop = await showCode();
    const first = desktop.url();
    const phone = await open({ phone: true, token: owner.token });
    await phone.goto(first);
    await press(phone, t('qr_confirm.refuse'));
    await phone.getByText(t('qr_confirm.refused_body')).waitFor();
    await over(desktop.page).getByText(t('qr.refused')).waitFor();
    expect(await desktop.page.context().cookies()).toEqual([]);
    await over(desktop.page).click();
    await expect.poll(desktop.url).not.toBe(first);
    await over(desktop.page).waitFor({ state: 'detached' });
  });

  it('is asked about every three seconds, twenty times, and then has expired', async () => {
    const page = await open();
    let asked = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/check_qrcode_id')) asked++;
    });
    await page.clock.install();
    await gate('/login?way=qr')(page, { t, url: product.url } as never);
    await page.getByRole('img', { name: t('qr.picture') }).waitFor();
    // time advances on command only
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);
    const before = asked;
    const pass = async (milliseconds: number) => {
      await page.clock.runFor(milliseconds);
      // a pending answer is processed
      await page.evaluate(async () => (await fetch('/healthz')).text());
    };
    await expect
      .poll(async () => {
        await pass(100);
        return asked;
      })
      .toBeGreaterThan(before);
    for (let poll = asked; poll < POLLS; poll++) {
      expect(await over(page).count()).toBe(0);
      await pass(POLL_MS - 1);
      expect(asked).toBe(poll);
      const [answered] = await Promise.all([page.waitForResponse('**/api/v3/check_qrcode_id'), pass(1)]);
      await answered.finished();
      await pass(0);
    }
    await over(page).getByText(t('qr.expired')).waitFor();
    await page.clock.runFor(10 * POLL_MS);
    expect(asked).toBe(POLLS);
    await over(page).focus();
    await page.keyboard.press('Enter');
    await over(page).waitFor({ state: 'detached' });
    await page.getByRole('img', { name: t('qr.picture') }).waitFor();
  });

  it('that was never created is refused on the phone with a text', async () => {
    const phone = await open({ phone: true, token: owner.token });
    for (const path of [`/qr/${'x'.repeat(43)}`, '/qr/short']) {
      await phone.goto(product.url + path);
      await phone.getByText(t('qr_confirm.expired_body')).waitFor();
    }
  });
});

describe('a phone', () => {
  it.each(['/login', '/login?way=mobile', '/register', '/forgot_password', `/password_reset/${'x'.repeat(43)}`])(
    'can use %s',
    async (path) => {
      const page = await open({ phone: true });
      await gate(path)(page, { t, url: product.url } as never);
      await page.locator('[data-loading]').waitFor({ state: 'detached' });
      await fitsAPhone(page);
    },
  );

  it('can read the terms', async () => {
    const page = await open({ phone: true });
    await page.goto(`${product.url}/register_protocol`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await fitsAPhone(page);
  });

  it('sees the other pages at their width of 1280', async () => {
    const page = await open({ phone: true, token: owner.token });
    await page.goto(`${product.url}/logs/action`);
    await page.getByRole('heading', { name: t('messages.log_action') }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeGreaterThanOrEqual(1263);
  });
});
