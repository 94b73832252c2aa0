import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { keepPicture, openPage, seriousIssues, startBrowser, texts, type Visit } from './browser.ts';
import { ask, type Person, register, signIn } from './person.ts';
import { type Product, startProduct } from './product.ts';
import { settled } from './screens.ts';
import { until } from './until.ts';

const t = texts('en');
let product: Product;
let browser: Browser;
let owner: Person;
let visit: Visit;
let phone: Page;

beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), startBrowser()]);
  owner = await register(product, 'owner@example.org');
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await keepPicture(phone, `invitation ${task.name}`);
  await visit?.context.close();
});
afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

const press = (name: string) => phone.getByRole('button', { name, exact: true }).click();

async function openInvitation(login: string, token?: string): Promise<string> {
  const offer = { login, role: 'auditor', gwids: null };
  const { url } = await owner.call<{ url: string }>('/api/v3/account/member/invite', offer);
  visit = await openPage(browser, product.url, 'en', 'light', { phone: true, token });
  phone = visit.page;
  await phone.goto(url);
  return new URL(url).pathname;
}

async function fitsAPhone(): Promise<void> {
  await settled(phone);
  expect([phone.url(), await phone.evaluate(() => document.documentElement.scrollWidth)]).toEqual([phone.url(), 360]);
  expect(await seriousIssues(phone)).toEqual([]);
}

describe('an invitation', () => {
  it('is opened by a person without an account, who registers, returns and accepts', async () => {
    const email = 'newcomer@example.org';
    const path = await openInvitation(email);
    await phone.waitForURL('**/login?next=*');
    const text = t('gate.invited', { inviter: owner.email, account: owner.email, login: email });
    await phone.getByText(text).waitFor();
    expect(await phone.getByLabel(t('login.email'), { exact: true }).inputValue()).toBe(email);
    await fitsAPhone();
    await phone.getByRole('link', { name: t('login.register'), exact: true }).click();
    await phone.waitForURL('**/register?*');
    await phone.getByText(text).waitFor();
    expect(await phone.getByLabel(t('login.email'), { exact: true }).inputValue()).toBe(email);
    await phone.getByRole('button', { name: t('header.theme_dark') }).click();
    await press(t('code.send'));
    await until('the code is sent', async () => {
      try {
        return Boolean(product.code(email));
      } catch {
        return false;
      }
    });
    await phone.getByLabel(t('register.email_code')).fill(product.code(email));
    await phone.getByLabel(t('set_password.password'), { exact: true }).fill('first1234');
    await phone.getByLabel(t('set_password.again'), { exact: true }).fill('first1234');
    await phone.getByRole('checkbox').check();
    await fitsAPhone();
    await press(t('register.submit'));
    await phone.getByRole('heading', { name: t('invited.title', { account: owner.email }) }).waitFor();
    expect(new URL(phone.url()).pathname).toBe(path);
    expect(await phone.title()).toContain(t('title.invitation'));
    expect(await phone.locator('html').getAttribute('data-theme')).toBe('dark');
    const newPerson = await signIn(product, email, 'first1234');
    const { data } = await ask(product, '/api/v3/user', undefined, { token: newPerson.token });
    expect(data).toMatchObject({ personalization: { theme: 'dark', language: 'en' } });
    await fitsAPhone();
    await press(t('invited.accept'));
    await phone.locator('.switcher-away', { hasText: owner.email }).click();
    const menu = (await phone.getByRole('menu', { name: t('switcher.title') }).boundingBox())!;
    expect([menu.x >= 0, menu.x + menu.width <= 360]).toEqual([true, true]);
    await fitsAPhone();
    await phone.goto(product.url + path);
    await phone.getByText(t('invited.used')).waitFor();
    await fitsAPhone();
    expect(visit.errors).toEqual([]);
  });

  it('for another person says so, and lets that person sign in', async () => {
    const other = await register(product, 'other@example.org');
    const meant = await register(product, 'meant@example.org');
    const path = await openInvitation(meant.email, other.token);
    await phone.getByText(t('invited.over_body', { login: other.email })).waitFor();
    await fitsAPhone();
    await press(t('invited.another'));
    await phone.getByLabel(t('login.email')).fill(meant.email);
    await phone.getByLabel(t('login.password'), { exact: true }).fill(meant.password);
    await press(t('login.submit'));
    await phone.getByRole('heading', { name: t('invited.title', { account: owner.email }) }).waitFor();
    expect(new URL(phone.url()).pathname).toBe(path);
    await fitsAPhone();
  });
});
