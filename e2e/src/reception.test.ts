import { type Fleet, startFleet } from '@yunxun/simulator';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { freePorts } from '../../bench/lib/free-ports.ts';
import { portalDraft, portalLimits } from '../../packages/server/test/portal-draft.ts';
import { keepPicture, openPage, seriousIssues, startBrowser, texts } from './browser.ts';
import { type CapturedPhones, capturedPhones } from './captured-phones.ts';
import { type Person, register } from './person.ts';
import { type Product, startProduct } from './product.ts';
import { until } from './until.ts';

const t = texts('en');

let product: Product;
let browser: Browser;
let owner: Person;
let phone: Page;
let fleet: Fleet;
let phones: CapturedPhones;
let voucher: string;

beforeAll(async () => {
  const [portalPort] = await freePorts(1);
  const settings = { YUNXUN_PORTAL_PORT: String(portalPort) };
  [product, browser] = await Promise.all([startProduct('main', /is ready/, '127.0.0.1', settings), startBrowser()]);
  owner = await register(product, 'owner@example.org');
  const { call, bindingCode } = owner;
  const { gwid } = await call<{ gwid: string }>('/api/v3/network/create', { remark: 'Lobby' });
  fleet = await startFleet({ consoleUrl: product.url, bindingCode, gwid, seed: 'reception', edges: 1 });
  await fleet.online();
  phones = capturedPhones(fleet);
  const methods = [{ kind: 'voucher', ...portalLimits }];
  const draft = { name: 'Lobby', ...portalDraft({ methods }) };
  const { id } = await call<{ id: string }>('/api/v3/auth_template/create', draft);
  await call('/api/v3/auth_template/publish', { id, revision: 1 });
  const { edge } = await call<{ edge: { lans: { name: string }[] } }>('/api/v3/portal/site', { gwid });
  const captive = { lans: edge.lans.map(({ name }) => name), exempt_macs: [], exempt_addresses: [] };
  await call('/api/v3/portal/site/save', { gwid, enabled: true, template_id: id, gateway: 'edge', captive });
  await until('the gateway captures', async () => phones.redirect(1) !== null);
  const terms = { count: 1, minutes: 60, devices: 1, valid_days: 1, characters: 'digits', length: 10 };
  const made = await call<{ codes: string[] }>('/api/v3/portal/voucher/create', { gwid, name: 'DayPass', ...terms });
  voucher = made.codes[0]!;
  ({ page: phone } = await openPage(browser, product.url, 'en', 'light', { token: owner.token, phone: true }));
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail' && phone) await keepPicture(phone, `reception ${task.name}`);
});
afterAll(async () => {
  fleet?.stop();
  await browser?.close();
  await product?.stop();
});

const button = (key: Parameters<typeof t>[0]) => phone.getByRole('button', { name: t(key), exact: true });
const dialog = () => phone.getByRole('dialog');
const beyond = () => phone.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
const untilAny = (key: Parameters<typeof t>[0], params: Record<string, string | number> = {}) =>
  new RegExp(t(key, { ...params, until: '.+' }).replace(/[()]/g, String.raw`\$&`));
const row = (mac: string) => phone.locator('tbody tr').filter({ hasText: mac });

async function signIn(number: number): Promise<Page> {
  const context = await browser.newContext({ javaScriptEnabled: false, locale: 'en' });
  const guest = await context.newPage();
  await guest.goto(phones.redirect(number)!);
  await guest.getByLabel('Voucher code').fill(voucher);
  await guest.getByRole('button', { name: 'Connect', exact: true }).click();
  return guest;
}

it('lists guests with all actions under the thumb', async () => {
  await (await signIn(1)).getByRole('heading', { name: 'You are online' }).waitFor();
  await phone.goto(`${product.url}/reception`);
  await row(phones.macOf(1)).waitFor();
  for (const key of ['reception.extend', 'reception.move', 'reception.tries', 'site_portal.kick'] as const) {
    const box = (await button(key).boundingBox())!;
    expect([key, box.height >= 44, box.x >= 0, box.x + box.width <= 360]).toEqual([key, true, true, true]);
  }
  expect(await beyond()).toBe(0);
  expect(await seriousIssues(phone)).toEqual([]);
});

it('extends by minutes that are chosen, not preset', async () => {
  await button('reception.extend').tap();
  const minutes = dialog().getByLabel(t('reception.minutes'));
  expect(await minutes.inputValue()).toBe('');
  const send = dialog().getByRole('button', { name: t('reception.extend'), exact: true });
  await send.tap();
  await dialog().getByText(t('validation.required')).waitFor();
  await minutes.fill('30');
  await send.tap();
  await phone.getByText(untilAny('reception.extended_until')).waitFor();
});

it('moves a guest to the phone that was refused', async () => {
  const fresh = await signIn(2);
  await fresh.getByRole('alert').waitFor();
  await button('reception.move').tap();
  await dialog()
    .locator('label')
    .filter({ hasText: phones.macOf(2) })
    .tap();
  expect(await seriousIssues(phone)).toEqual([]);
  await dialog()
    .getByRole('button', { name: t('reception.move_here') })
    .tap();
  await phone.getByText(t('reception.moved_online')).waitFor();
  await row(phones.macOf(2)).waitFor();
  expect(await row(phones.macOf(1)).count()).toBe(0);
});

it('says why a device was refused, and what its code is worth', async () => {
  await phone.getByRole('tab', { name: t('reception.tab_tries') }).tap();
  await row(phones.macOf(2)).getByText(t('site_portal.failure_devices')).waitFor();
  await phone.getByLabel(t('site_portal.voucher_code')).fill(voucher);
  await button('reception.code_check').tap();
  await phone.getByText(untilAny('reception.code_full', { batch: 'DayPass', online: 1, of: 1 })).waitFor();
  expect(await beyond()).toBe(0);
});
