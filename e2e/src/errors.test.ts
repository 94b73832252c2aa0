import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { texts } from './browser.ts';
import { pageEach, textUnder } from './page-each.ts';
import { type Person, register } from './person.ts';
import type { Product } from './product.ts';

const stage = pageEach('errors');
const t = texts('en');
let product: Product;
let owner: Person;
let page: Page;

beforeAll(async () => {
  ({ product } = stage);
  owner = await register(product, 'owner@example.org');
});
beforeEach(() => {
  ({ page } = stage);
});

const under = (label: string) => textUnder(page, label);
const toast = (text: string) => page.locator('.toast', { hasText: text });

async function signIn(email: string, password: string): Promise<void> {
  await page.goto(`${product.url}/login`);
  await page.getByLabel(t('login.email')).fill(email);
  await page.getByLabel(t('login.password'), { exact: true }).fill(password);
  await page.getByRole('button', { name: t('login.submit'), exact: true }).click();
}

async function askCode(mobile: string): Promise<void> {
  await page.goto(`${product.url}/login?way=mobile`);
  await page.getByLabel(t('login.mobile')).fill(mobile);
  await page.getByRole('button', { name: t('code.send') }).click();
}

it('a missing e-mail or password is said beside it, and nothing is sent', async () => {
  let sent = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/api/v3/login')) sent++;
  });
  await page.goto(`${product.url}/login`);
  await page.getByRole('button', { name: t('login.submit'), exact: true }).click();
  await under(t('login.email')).getByText(t('login.email_required')).waitFor();
  await under(t('login.password')).getByText(t('login.password_required')).waitFor();
  expect(sent).toBe(0);
});

it('code 4006 is said under the password', async () => {
  await signIn(owner.email, 'not-it-1');
  const message = under(t('login.password'));
  await message.waitFor();
  expect(await message.textContent()).toBe(
    await messageOf('/api/v3/login', { email: owner.email, password: 'not-it-2' }),
  );
  expect(await under(t('login.email')).count()).toBe(0);
});

it('every other code of the sign-in is said under the e-mail', async () => {
  const answer = { code: 4009, message: 'Locked for 15 minutes', data: null };
  await page.route('**/api/v3/login', (route) => route.fulfill({ json: answer }));
  await signIn(owner.email, owner.password);
  await under(t('login.email')).getByText('Locked for 15 minutes').waitFor();
  expect(await under(t('login.password')).count()).toBe(0);
});

it('a 422 is shown next to its fields: the first message of each', async () => {
  await signIn(`${'x'.repeat(300)}@example.org`, 'first1234');
  await under(t('login.email')).waitFor();
  await page.route('**/api/v3/login', (route) =>
    route.fulfill({
      status: 422,
      json: { code: 422, message: 'no', data: null, errors: { email: ['First', 'Second'], password: ['Third'] } },
    }),
  );
  await signIn('a@b.example', 'x');
  await under(t('login.email')).getByText('First', { exact: true }).waitFor();
  await under(t('login.password')).getByText('Third', { exact: true }).waitFor();
  for (const text of ['First', 'Third']) await toast(text).waitFor();
  expect(await toast('Second').count()).toBe(0);
});

it('a wrong SMS code is a message in the corner', async () => {
  await askCode('13812345671');
  await toast(t('code.sent_outbox')).waitFor();
  const wrong = product.code('13812345671') === '000000' ? '000001' : '000000';
  await page.getByLabel(t('login.sms_code')).fill(wrong);
  await page.getByRole('button', { name: t('login.submit'), exact: true }).click();
  await page.locator('.toast-bad').waitFor();
  expect(new URL(page.url()).pathname).toBe('/login');
});

it('code 2005 opens the dialog that sets the first password, which signs in', async () => {
  await askCode('13812345672');
  await toast(t('code.sent_outbox')).waitFor();
  await page.getByLabel(t('login.sms_code')).fill(product.code('13812345672'));
  await page.getByRole('button', { name: t('login.submit'), exact: true }).click();
  const dialog = page.getByRole('dialog', { name: t('set_password.title') });
  await dialog.waitFor();
  expect(await page.context().cookies()).toEqual([]);
  await dialog.getByLabel(t('set_password.password'), { exact: true }).fill('short');
  await dialog.getByLabel(t('set_password.again'), { exact: true }).fill('else');
  await dialog.getByRole('button', { name: t('set_password.submit') }).click();
  await under(t('set_password.password')).waitFor();
  await under(t('set_password.again')).waitFor();
  await dialog.getByText(t('register.must_agree')).waitFor();
  await dialog.getByRole('checkbox').check();
  await dialog.getByLabel(t('set_password.password'), { exact: true }).fill('first1234');
  await dialog.getByLabel(t('set_password.again'), { exact: true }).fill('first1234');
  await dialog.getByRole('button', { name: t('set_password.submit') }).click();
  await page.waitForURL(`${product.url}/`);
});

it('the wait for another code survives a reload, and the server holds it too', async () => {
  await askCode('13812345673');
  const waits = page.getByRole('button', { name: /Again in \d+ s/ });
  await waits.waitFor();
  const left = async () => Number(/\d+/.exec((await waits.textContent()) ?? '')?.[0]);
  const before = await left();
  expect(before).toBeGreaterThan(0);
  await page.reload();
  await waits.waitFor();
  expect(await waits.isDisabled()).toBe(true);
  expect(await left()).toBeLessThanOrEqual(before);
  await expect.poll(left).toBeLessThan(before);
  // without the stored countdown, a 429 restarts it
  await page.evaluate(() => localStorage.removeItem('yunxun.codes'));
  await askCode('13812345673');
  const message = page.locator('.toast-bad');
  await message.waitFor();
  const seconds = Number(/\((\d+) s\)/.exec((await message.textContent()) ?? '')?.[1]);
  expect(await message.textContent()).toContain(t('error.too_many', { seconds }));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(60);
  await waits.waitFor();
});

it('a field says the rule of the contract when it is left', async () => {
  await page.goto(`${product.url}/register`);
  await page.getByLabel(t('login.mobile')).fill('12812345678');
  await page.getByLabel(t('set_password.password'), { exact: true }).fill('密码密码密码密码');
  await page.getByLabel(t('set_password.again'), { exact: true }).focus();
  await under(t('login.mobile')).getByText(t('validation.mobile')).waitFor();
  await under(t('set_password.password')).waitFor();
  expect(await page.getByRole('button', { name: t('code.send') }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: t('register.submit'), exact: true }).click();
  await page.getByText(t('register.must_agree')).waitFor();
});

it('a server that does not answer is said so, and the form stays', async () => {
  await page.goto(`${product.url}/login`);
  await page.getByLabel(t('login.email')).fill(owner.email);
  await page.getByLabel(t('login.password'), { exact: true }).fill(owner.password);
  await page.context().setOffline(true);
  await page.getByRole('button', { name: t('login.submit'), exact: true }).click();
  await toast(t('error.unreachable')).waitFor();
  await page.context().setOffline(false);
  await page.getByRole('button', { name: t('login.submit'), exact: true }).click();
  await page.waitForURL(`${product.url}/`);
});

it('an answer that is none is "Request error occurred, please try again"', async () => {
  await page.route('**/api/v3/login', (route) => route.fulfill({ status: 502, body: '<html>bad gateway</html>' }));
  await signIn(owner.email, owner.password);
  await toast(t('error.request')).waitFor();
  expect(await under(t('login.email')).count()).toBe(0);
});

async function messageOf(path: string, input: object): Promise<string> {
  const response = await fetch(product.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', localization: 'en' },
    body: JSON.stringify(input),
  });
  return ((await response.json()) as { message: string }).message;
}
