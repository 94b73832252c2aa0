import { EnrolmentRefused, type EnrolRequest, enrol } from '@yunxun/edge';
import { type Fleet, startFleet } from '@yunxun/simulator';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { keepPicture, openPage, seriousIssues, startBrowser, texts } from './browser.ts';
import { type Person, register } from './person.ts';
import { type Product, startProduct } from './product.ts';

const t = texts('en');
let product: Product;
let browser: Browser;
let owner: Person;
let fleet: Fleet;
let page: Page;
let errors: string[];

beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), startBrowser()]);
  owner = await register(product, 'owner@example.org');
  ({ page, errors } = await openPage(browser, product.url, 'en', 'light', { token: owner.token }));
  await page.goto(`${product.url}/waiting_devices`);
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await keepPicture(page, `binding codes ${task.name}`);
});
afterAll(async () => {
  fleet?.stop();
  await browser?.close();
  await product?.stop();
});

it('makes a code for an installer, and lists the device that used it up', async () => {
  await page.getByRole('button', { name: t('codes.create') }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(t('codes.name')).fill('Ms-Li');
  await dialog.getByLabel(t('codes.max_devices')).fill('x');
  await dialog.getByRole('button', { name: t('codes.create_submit') }).click();
  await dialog.getByText(t('validation.between', { min: 1, max: 1000 })).waitFor();
  await dialog.getByLabel(t('codes.max_devices')).fill('1');
  await dialog.getByRole('button', { name: t('codes.create_submit') }).click();
  const row = page.getByRole('row').filter({ hasText: 'Ms-Li' });
  await row.getByText(t('codes.state_active')).waitFor();
  const { list } = await owner.call<{ list: { code: string }[] }>('/api/v3/binding/code/list', {});
  fleet = await startFleet({ consoleUrl: product.url, bindingCode: list[0]!.code, aps: 1, seed: 'codes' });
  await fleet.online();
  await page.reload();
  await page.getByText(t('codes.state_used_up')).waitFor();
  await page.getByRole('heading', { name: t('codes.uses') }).waitFor();
  expect(await seriousIssues(page)).toEqual([]);
});

it('lists a device that asks to enrol again, and lets it in after a click', async () => {
  const { serial } = fleet.devices[0]!;
  const request: EnrolRequest = {
    consoleUrl: product.url,
    bindingCode: owner.bindingCode,
    serial,
    model: 'Other board',
  };
  await expect(enrol(request)).rejects.toThrow(EnrolmentRefused);
  const row = page.getByRole('row').filter({ hasText: 'Other board' });
  await row.getByRole('button', { name: t('requests.allow') }).click();
  const dialog = page.getByRole('dialog');
  expect(await seriousIssues(page)).toEqual([]);
  await dialog.getByRole('button', { name: t('requests.allow') }).click();
  await page.getByText(t('requests.allow_done')).waitFor();
  expect((await enrol(request)).serial).toBe(serial);
  expect(errors).toEqual([]);
});
