import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { keepPicture, openPage, startBrowser, texts } from './browser.ts';
import { focused } from './focus.ts';
import { type Person, register } from './person.ts';
import { type Product, startProduct } from './product.ts';

let product: Product;
let browser: Browser;
let page: Page;
const contexts: BrowserContext[] = [];
const t = texts('zh-CN');

beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), startBrowser()]);
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await keepPicture(page, `personal ${task.name}`);
  for (const context of contexts.splice(0)) await context.close();
});
afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

async function visit(person: Person, path: string, language: 'zh-CN' | 'en' = 'zh-CN'): Promise<void> {
  const opened = await openPage(browser, product.url, language, 'light', { token: person.token });
  contexts.push(opened.context);
  page = opened.page;
  await page.goto(product.url + path);
  await page.locator('h1').waitFor();
}

const user = (person: Person) =>
  person.call<{ name: string; qq: string; mobile: string; email: string; account_code: string }>('/api/v3/user');
const button = (name: string) => page.getByRole('button', { name, exact: true });
const toast = (text: string) => page.locator('.toast', { hasText: text }).first().waitFor();

it('name and QQ are edited where they stand, with confirm and cancel', async () => {
  const person = await register(product, 'profile@example.org');
  await visit(person, '/profile');
  await page.getByText('profile@example.org', { exact: true }).first().waitFor();
  const edit = t('profile.edit_value', { name: t('profile.qq') });
  await button(edit).click();
  await page.getByLabel(t('profile.qq'), { exact: true }).fill('0123');
  await page.keyboard.press('Enter');
  await page
    .getByRole('alert')
    .filter({ hasText: t('profile.qq_wrong') })
    .waitFor();
  await page.getByLabel(t('profile.qq'), { exact: true }).fill('10001');
  await page.keyboard.press('Escape');
  await expect.poll(() => focused(page)).toBe(edit);
  expect((await user(person)).qq).toBe('');

  await page.keyboard.press('Enter');
  await page.keyboard.type('10001');
  await page.keyboard.press('Enter');
  await page.getByText('10001', { exact: true }).waitFor();
  await expect.poll(() => focused(page)).toBe(edit);
  expect((await user(person)).qq).toBe('10001');

  await button(t('profile.edit_value', { name: t('profile.name') })).click();
  await page.keyboard.type('李雷');
  await button(t('action.confirm')).click();
  await page.getByText('李雷', { exact: true }).waitFor();
  expect((await user(person)).name).toBe('李雷');
});

it('the binding code is copied, and replaced after a word of what stops working', async () => {
  const person = await register(product, 'binding@example.org');
  await visit(person, '/profile');
  const card = page.locator('section.card', { has: page.getByRole('heading', { name: t('header.binding_code') }) });
  await card.getByRole('button', { name: t('action.copy') }).click();
  await toast(t('copy.done'));
  await button(t('binding.rotate')).click();
  await page.getByRole('dialog').getByText(t('binding.rotate_script')).waitFor();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('binding.rotate') })
    .click();
  await toast(t('binding.rotated'));
  const { account_code: code } = await user(person);
  expect(code).not.toBe(person.bindingCode);
  expect(await page.locator('.header-code code').textContent()).toBe(code);
  expect(await card.locator('code').textContent()).toBe(code);
});

it('a mobile is bound, then changed in three steps that keep what was typed', async () => {
  const person = await register(product, 'mobile@example.org');
  await visit(person, '/profile');
  const dialog = page.getByRole('dialog');
  await button(t('profile.bind_value', { name: t('profile.mobile') })).click();
  await dialog.getByLabel(t('mobile_change.new')).fill('13800138000');
  await dialog.getByRole('button', { name: t('code.send') }).click();
  await dialog.getByRole('button', { name: t('code.again_in', { n: 60 }) }).waitFor();
  await dialog.getByLabel(t('login.sms_code')).fill('000000');
  await page.keyboard.press('Enter');
  await dialog
    .getByRole('alert')
    .filter({ hasText: t('code.wrongCode') })
    .waitFor();
  await dialog.getByLabel(t('login.sms_code')).fill(product.code('13800138000'));
  await page.keyboard.press('Enter');
  await dialog.getByText(t('mobile_change.bound', { mobile: '138****8000' })).waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(() => dialog.count()).toBe(0);
  expect((await user(person)).mobile).toBe('13800138000');

  const change = t('profile.change_value', { name: t('profile.mobile') });
  await button(change).click();
  await dialog.getByLabel(t('mobile_change.current')).fill('13800138001');
  await page.keyboard.press('Enter');
  await dialog
    .getByRole('alert')
    .filter({ hasText: t('validation.mobileMismatch') })
    .waitFor();
  await dialog.getByLabel(t('mobile_change.current')).fill('13800138000');
  await page.keyboard.press('Enter');
  await page.evaluate(() => localStorage.removeItem('yunxun.codes'));
  await dialog.getByLabel(t('mobile_change.new')).fill('13800138000');
  await dialog.getByRole('button', { name: t('code.send') }).dispatchEvent('click');
  await dialog.getByText(t('mobile_change.same')).waitFor();
  await dialog.getByLabel(t('mobile_change.new')).fill('13900139000');
  expect(await dialog.getByText(t('mobile_change.same')).count()).toBe(0);
  await dialog.getByLabel(t('login.sms_code')).fill('123456');
  await dialog.getByRole('button', { name: t('steps.back') }).click();
  expect(await dialog.getByLabel(t('mobile_change.current')).inputValue()).toBe('13800138000');
  await dialog.getByRole('button', { name: t('steps.next') }).click();
  expect(await dialog.getByLabel(t('mobile_change.new')).inputValue()).toBe('13900139000');
  expect(await dialog.getByLabel(t('login.sms_code')).inputValue()).toBe('123456');
  await dialog.getByRole('button', { name: t('code.send') }).click();
  await dialog.getByText(t('code.sent_sms', { left: 4 })).waitFor();
  await dialog.getByLabel(t('login.sms_code')).fill(product.code('13900139000'));
  await page.keyboard.press('Enter');
  await dialog.getByText(t('mobile_change.changed', { mobile: '139****9000' })).waitFor();
  await dialog.getByRole('button', { name: t('steps.finish') }).click();
  await expect.poll(() => focused(page)).toBe(change);
  expect((await user(person)).mobile).toBe('13900139000');
});

it('another e-mail is bound with its code', async () => {
  const person = await register(product, 'mail@example.org');
  await register(product, 'taken@example.org');
  await visit(person, '/profile');
  const dialog = page.getByRole('dialog');
  await button(t('profile.change_value', { name: t('profile.email') })).click();
  await dialog.getByLabel(t('email_change.new')).fill('taken@example.org');
  await dialog.getByRole('button', { name: t('code.send') }).click();
  await toast(t('code.loginNameTaken'));
  await dialog.getByLabel(t('email_change.new')).fill('new-mail@example.org');
  await dialog.getByRole('button', { name: t('code.send') }).click();
  await dialog.getByText(t('code.sent_email')).waitFor();
  await dialog.getByLabel(t('register.email_code')).fill(product.code('new-mail@example.org'));
  await page.keyboard.press('Enter');
  await toast(t('email_change.done', { email: 'n***@example.org' }));
  expect((await user(person)).email).toBe('new-mail@example.org');
});

it('the focus goes to the heading of a page that is gone to, and the title follows', async () => {
  const person = await register(product, 'focus@example.org');
  await visit(person, '/profile');
  await expect.poll(() => page.title()).toBe(`${t('personal.profile')} · ${t('product.name')}`);
  await page.getByRole('link', { name: t('personal.personalization') }).click();
  await expect.poll(() => page.title()).toBe(`${t('personal.personalization')} · ${t('product.name')}`);
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
  await expect.poll(() => focused(page)).toBe(t('personal.personalization'));
  await page.goto(`${product.url}/security`);
  await page.getByRole('tab', { name: t('security.tab_sessions') }).click();
  await page.getByText(t('session.current')).waitFor();
  expect(await focused(page)).toBe(t('security.tab_sessions'));
});
