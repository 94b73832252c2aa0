import { type Fleet, startFleet } from '@yunxun/simulator';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { keepPicture, openPage, seriousIssues, startBrowser, texts } from './browser.ts';
import { type Person, register } from './person.ts';
import { type Product, startProduct } from './product.ts';
import { until } from './until.ts';

const t = texts('zh-CN');
const own = 'welcome-2026';
const people = 6;
let product: Product;
let browser: Browser;
let owner: Person;
let fleet: Fleet;
let page: Page;
let errors: string[];
let gwid: string;

interface Ssid {
  name: string;
  encryption: { key?: string };
}

beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), startBrowser()]);
  owner = await register(product, 'owner@example.org');
  ({ gwid } = await owner.call<{ gwid: string }>('/api/v3/network/create', { remark: '咖啡馆' }));
  const ssid = {
    name: 'Guests',
    enabled: true,
    security: 'psk2',
    key: own,
    bands: ['2G', '5G'],
    vlan: null,
    isolate: true,
    hidden: false,
    maximum_clients: null,
    down_mbps: null,
    up_mbps: null,
  };
  await owner.call('/api/v3/network/wireless/save', { gwid, version: 0, ssids: [ssid], radios: [] });
  const place = { consoleUrl: product.url, bindingCode: owner.bindingCode, gwid, speedUp: 20 };
  fleet = await startFleet({ ...place, gateways: 1, aps: 2, crowd: people, seed: 'passwords' });
  await fleet.online();
  await allThere();
  ({ page, errors } = await openPage(browser, product.url, 'zh-CN', 'light', { token: owner.token }));
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await keepPicture(page, `passwords ${task.name}`);
});
afterAll(async () => {
  fleet?.stop();
  await browser?.close();
  await product?.stop();
});

const allThere = () =>
  until('everybody is on the air', async () => {
    const asked = { ssid: 'Guests', page: 1, limit: 1 };
    return (await owner.call<{ total: number }>('/api/v3/user_online/list', asked)).total === people;
  });
const row = () => page.locator('tbody tr').first();
const dialog = () => page.getByRole('dialog');
const open = () => page.goto(`${product.url}/config/ac_dynamic_password`);
const act = async (item: Parameters<typeof t>[0]) => {
  await page.getByRole('button', { name: t('password_rule.acts', { name: '访客' }) }).click();
  await page.getByRole('menuitem', { name: t(item), exact: true }).click();
};
const onAir = () => {
  const ssids = fleet.devices.flatMap(({ configuration }) =>
    ((configuration.interfaces ?? []) as { ssids?: Ssid[] }[]).flatMap((entry) => entry.ssids ?? []),
  );
  return [...new Set(ssids.filter(({ name }) => name === 'Guests').map(({ encryption }) => encryption.key))];
};
const shown = async () => {
  await row()
    .getByRole('button', { name: t('password_rule.show') })
    .click();
  const card = dialog().locator('.wifi-card');
  await card.getByRole('img', { name: t('password_rule.qr', { ssid: 'Guests' }) }).waitFor();
  const password = await card.locator('code').textContent();
  await dialog()
    .getByRole('button', { name: t('action.close') })
    .last()
    .click();
  return password;
};

it('a rule makes a password of its own and brings it to the devices', async () => {
  await open();
  await page
    .getByRole('button', { name: t('password_rule.create') })
    .first()
    .click();
  await dialog().getByLabel(t('password_rule.name'), { exact: true }).fill('访客');
  await dialog().getByRole('checkbox', { name: '咖啡馆' }).check();
  await dialog().getByLabel('SSID', { exact: true }).selectOption('Guests');
  await dialog().getByText(t('password_rule.cycle_daily'), { exact: true }).click();
  await dialog().getByLabel(t('password_rule.prefix')).fill('cafe-');
  await dialog().getByLabel(t('password_rule.length')).fill('11');
  await dialog().getByLabel(t('password_rule.quiet'), { exact: true }).fill('9');
  await dialog()
    .getByRole('button', { name: t('password_rule.create_push') })
    .click();
  await dialog().getByText(t('validation.timeBucket')).waitFor();
  await dialog()
    .getByLabel(t('field.time_until', { label: t('password_rule.quiet') }))
    .fill('1800');
  await dialog().getByText(t('password_rule.no_mail')).waitFor();
  await dialog().getByLabel(t('password_rule.emails')).fill('shop@example.org，desk');
  await dialog()
    .getByRole('button', { name: t('password_rule.create_push') })
    .click();
  await dialog()
    .getByText(t('password_rule.email_wrong', { email: 'desk' }))
    .waitFor();
  await dialog().getByLabel(t('password_rule.emails')).fill('shop@example.org');
  expect(await seriousIssues(page)).toEqual([]);
  await dialog()
    .getByRole('button', { name: t('password_rule.create_push') })
    .click();
  await expect.poll(onAir).toEqual([expect.stringMatching(/^cafe-\w{6}$/)]);
  await open();
  expect(await shown()).toBe(onAir()[0]);
  await expect.poll(() => product.password('shop@example.org')).toBe(onAir()[0]);
});

it('the network settings name the password rule, and accept no password', async () => {
  await page.goto(`${product.url}/network/${gwid}?tab=wireless`);
  await page.getByRole('button', { name: 'Guests' }).click();
  const key = dialog().getByLabel(t('wireless.key'), { exact: true });
  expect(await key.isDisabled()).toBe(true);
  await dialog().getByText(t('wireless.key_rule')).waitFor();
  await dialog().getByRole('link', { name: '访客' }).click();
  await page.waitForURL(/ac_dynamic_password/);
  await row().waitFor();
});

it('it is changed by hand after a warning about dropped clients, and both are in its history', async () => {
  const [before] = onAir();
  await allThere();
  await act('password_rule.rotate');
  await dialog()
    .getByText(t('password_rule.rotate_drop_n', { n: people }))
    .waitFor();
  await dialog()
    .getByRole('button', { name: t('password_rule.rotate'), exact: true })
    .click();
  await expect.poll(() => onAir().length === 1 && onAir()[0] !== before).toBe(true);
  await open();
  expect(await shown()).toBe(onAir()[0]);
  await row().click();
  await dialog().getByText(t('password_rule.cause_hand')).waitFor();
  expect(await dialog().locator('tbody tr').count()).toBe(2);
  expect(await seriousIssues(page)).toEqual([]);
  await dialog()
    .getByRole('button', { name: t('action.close') })
    .click();
});

it('a time of three digits is completed by Enter, and saved with the first', async () => {
  await act('password_rule.edit');
  await dialog().getByLabel(t('password_rule.at'), { exact: true }).fill('430');
  await page.keyboard.press('Enter');
  await page.getByText(t('password_rule.saved')).waitFor();
  const asked = { page: 1, limit: 1 };
  const { list } = await owner.call<{ list: { plan: { at: string } }[] }>('/api/v3/ac_password/rule/list', asked);
  expect(list[0]!.plan.at).toBe('04:30');
});

it('it is paused, and when the rule goes the SSID has its own password again', async () => {
  await act('password_rule.pause');
  await row().getByText(t('password_rule.paused'), { exact: true }).waitFor();
  await act('password_rule.delete');
  await dialog()
    .getByRole('button', { name: t('password_rule.delete'), exact: true })
    .click();
  await expect.poll(onAir).toEqual([own]);
});

it('the log records views and changes, and contains no password', async () => {
  const { list } = await owner.call<{ list: { action: string }[] }>('/api/v3/log/action/list', { page: 1, limit: 50 });
  const actions = list.map(({ action }) => action).filter((action) => action.startsWith('password.'));
  expect(actions.toReversed()).toEqual([
    'password.create',
    'password.reveal',
    'password.rotate',
    'password.reveal',
    'password.update',
    'password.pause',
    'password.delete',
  ]);
  expect(JSON.stringify(list)).not.toMatch(/cafe-\w{6}|welcome-2026/);
  expect(errors).toEqual([]);
});
