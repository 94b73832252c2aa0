import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { keepPicture, openPage, seriousIssues, startBrowser, texts } from './browser.ts';
import { type Person, register } from './person.ts';
import { type Product, startProduct } from './product.ts';

const t = texts('en');
const path = '/api/v3/wireless_template';
let product: Product;
let browser: Browser;
let owner: Person;
let page: Page;
let errors: string[];

beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), startBrowser()]);
  owner = await register(product, 'owner@example.org');
  ({ page, errors } = await openPage(browser, product.url, 'en', 'light', { token: owner.token }));
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await keepPicture(page, `port rules ${task.name}`);
});
afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

const rule = (n: number) => page.getByRole('group', { name: t('template.ports_rule', { n }), exact: true });
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const saved = async () => {
  const { list } = await owner.call<{ list: { id: string }[] }>(`${path}/list`, { kind: 'ac', page: 1, limit: 10 });
  return owner.call<{ general: { ports: object[] | null }; locks: string[] }>(`${path}/detail`, { id: list[0]?.id });
};

it('rules are written, refused beside the field, put in order, locked and saved', async () => {
  await page.goto(`${product.url}/config/template_wireless/ac_create`);
  await page.getByLabel(t('template.name'), { exact: true }).fill('Cameras');
  await press(t('template.ports_add'));
  const range = rule(1).getByLabel(t('template.ports_range'), { exact: true });
  await range.fill('8-1');
  await rule(1).getByLabel(t('template.ports_vlan'), { exact: true }).fill('30');
  await rule(1).getByLabel(t('template.ports_tagged'), { exact: true }).selectOption('none');
  await press(t('template.create'));
  await rule(1)
    .getByRole('alert')
    .filter({ hasText: t('validation.portRange') })
    .waitFor();
  expect(await range.getAttribute('aria-invalid')).toBe('true');

  await range.fill('1-8， 10');
  await press(t('template.ports_add'));
  await rule(2).getByLabel(t('template.ports_range'), { exact: true }).fill('24');
  await rule(2)
    .getByRole('switch', { name: t('template.ports_enabled'), exact: true })
    .uncheck();
  await press(t('template.ports_up', { n: 2 }));
  await press(t('template.lock', { name: t('template.ports') }));
  await press(t('template.create'));
  await page.getByRole('heading', { name: 'Cameras', exact: true }).waitFor();
  expect(await saved()).toMatchObject({
    locks: ['general.ports'],
    general: {
      ports: [
        { ports: '24', enabled: false, vlan: 1, tagged: null },
        { ports: '1-8,10', enabled: true, vlan: 30, tagged: [] },
      ],
    },
  });
  expect(await range.inputValue()).toBe('24');
  expect(await seriousIssues(page)).toEqual([]);
  expect(errors).toEqual([]);
});
