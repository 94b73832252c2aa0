import { type Fleet, startFleet } from '@yunxun/simulator';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { freePorts } from '../../bench/lib/free-ports.ts';
import { keepPicture, openPage, startBrowser, texts } from './browser.ts';
import { type CapturedPhones, capturedPhones } from './captured-phones.ts';
import { type Person, register } from './person.ts';
import { type Product, startProduct } from './product.ts';

/** Journey J3, behind a simulated gateway. */

const t = texts('en');
const password = 'welcome-2026';
const host = 'boss@example.org';
const phone = '13812345678';
const member = { name: 'LiWei', password: 'open4guests' };

let product: Product;
let browser: Browser;
let owner: Person;
let page: Page;
let gwid: string;
let fleet: Fleet;
let phones: CapturedPhones;
let voucher: string;
const guests = new Map<number, Page>();

beforeAll(async () => {
  const [portalPort] = await freePorts(1);
  const settings = { YUNXUN_PORTAL_PORT: String(portalPort) };
  [product, browser] = await Promise.all([startProduct('main', /is ready/, '127.0.0.1', settings), startBrowser()]);
  owner = await register(product, 'owner@example.org');
  ({ gwid } = await owner.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Lobby' }));
  fleet = await startFleet({
    consoleUrl: product.url,
    bindingCode: owner.bindingCode,
    gwid,
    seed: 'j3',
    edges: 1,
    speedUp: 20,
  });
  await fleet.online();
  phones = capturedPhones(fleet);
  ({ page } = await openPage(browser, product.url, 'en', 'light', { token: owner.token }));
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await keepPicture(page, `j3 ${task.name}`);
});
afterAll(async () => {
  fleet?.stop();
  await browser?.close();
  await product?.stop();
});

const button = (key: Parameters<typeof t>[0]) => page.getByRole('button', { name: t(key), exact: true });
const dialog = () => page.getByRole('dialog');

async function capture(number: number, way: string): Promise<Page> {
  const context = await browser.newContext({
    javaScriptEnabled: false,
    locale: 'en',
    viewport: { width: 320, height: 568 },
  });
  const own = await context.newPage();
  await own.goto(phones.redirect(number)!);
  guests.set(number, own);
  if (way !== 'one_click') await own.locator(`summary:has(#way-${way})`).click();
  return own;
}
const formOf = (own: Page, way: string) => own.locator(`form[aria-labelledby="way-${way}"]`);
const connect = (own: Page, way: string) =>
  formOf(own, way).getByRole('button', { name: 'Connect', exact: true }).click();
async function expectOnline(number: number): Promise<void> {
  await guests.get(number)!.getByRole('heading', { name: 'You are online' }).waitFor();
  expect(phones.isIn(number)).toBe(true);
}

it('makes a template with six methods, and publishes it', async () => {
  await page.goto(`${product.url}/config/template_manage`);
  await button('config.template_add').first().click();
  await page.getByLabel(t('template.name'), { exact: true }).fill('Lobby');
  for (const kind of ['password', 'voucher', 'account', 'sms', 'sponsor']) {
    await page.getByLabel(t('portal.another_method')).selectOption(kind);
    await button('portal.add_method').click();
  }
  await page.getByLabel(t('portal.minutes')).first().fill('1');
  await page.getByLabel(t('portal.password'), { exact: true }).fill(password);
  await page.getByLabel(t('portal.sponsors')).fill(host);
  await button('portal.create').click();
  await page.getByRole('heading', { name: 'Lobby', exact: true }).waitFor();
  await button('portal.publish').click();
  await dialog()
    .getByRole('button', { name: t('portal.publish'), exact: true })
    .click();
  await dialog().waitFor({ state: 'hidden' });
});

it('gives the network its sign-in page, and the gateway captures guests', async () => {
  await page.goto(`${product.url}/auth/${gwid}`);
  await page.getByLabel(t('site_portal.enabled')).check();
  await page.getByLabel(t('site_portal.template'), { exact: true }).selectOption({ index: 1 });
  await page.getByLabel('LAN', { exact: true }).check();
  await button('site_portal.save').click();
  await page.getByText(t('site_portal.saved')).first().waitFor();
  await expect.poll(() => phones.redirect(1)).not.toBeNull();
  const batch = { name: 'DayPass', count: 1, minutes: 60, devices: 1, valid_days: 1, characters: 'digits', length: 8 };
  const made = await owner.call<{ codes: string[] }>('/api/v3/portal/voucher/create', { gwid, ...batch });
  voucher = made.codes[0]!;
  await owner.call('/api/v3/portal/member/create', { gwid, ...member, enabled: true, until: null, devices: 1 });
});

it('lets a guest in by one click, for the minutes of the template', async () => {
  await connect(await capture(1, 'one_click'), 'one_click');
  await expectOnline(1);
  await guests.get(1)!.getByText('Time left: 1 min').waitFor();
});

it('lets guests in by password, voucher and account, and refuses wrong ones', async () => {
  const byPassword = await capture(2, 'password');
  await formOf(byPassword, 'password').getByLabel('Password').fill('wrong');
  await connect(byPassword, 'password');
  await byPassword.getByRole('alert').waitFor();
  expect(phones.isIn(2)).toBe(false);
  await formOf(byPassword, 'password').getByLabel('Password').fill(password);
  await connect(byPassword, 'password');
  await expectOnline(2);
  const byVoucher = await capture(3, 'voucher');
  await formOf(byVoucher, 'voucher').getByLabel('Voucher code').fill(voucher);
  await connect(byVoucher, 'voucher');
  await expectOnline(3);
  const byAccount = await capture(4, 'account');
  await formOf(byAccount, 'account').getByLabel('Account name').fill(member.name);
  await formOf(byAccount, 'account').getByLabel('Password').fill(member.password);
  await connect(byAccount, 'account');
  await expectOnline(4);
});

it('lets a guest in by a code, and one whose host approves', async () => {
  const byCode = await capture(5, 'sms');
  await formOf(byCode, 'sms').getByLabel('Mobile number').fill(phone);
  await formOf(byCode, 'sms').getByRole('button', { name: 'Send code' }).click();
  await formOf(byCode, 'sms').getByLabel('Code', { exact: true }).fill(product.code(phone));
  await connect(byCode, 'sms');
  await expectOnline(5);
  const visitor = await capture(6, 'sponsor');
  await formOf(visitor, 'sponsor').getByLabel('Your name').fill('Ann');
  await formOf(visitor, 'sponsor').getByLabel('E-mail of your host').fill(host);
  await formOf(visitor, 'sponsor').getByRole('button', { name: 'Ask for approval' }).click();
  await visitor.getByText('your request was written to outbox.ndjson').waitFor();
  const approving = await browser.newPage({ locale: 'en' });
  await approving.goto(product.link(host));
  await approving.getByRole('button', { name: 'Approve' }).click();
  await approving.getByText('Approved.').waitFor();
  await expectOnline(6);
});

it('throws a guest out whom the operator disconnects', async () => {
  await page.goto(`${product.url}/auth/${gwid}?tab=guests`);
  const row = page.getByRole('row').filter({ hasText: member.name });
  await row.getByRole('button', { name: t('site_portal.kick') }).click();
  await dialog()
    .getByRole('button', { name: t('site_portal.kick') })
    .click();
  await page.getByText(t('site_portal.kick_disconnected')).waitFor();
  expect(phones.isIn(4)).toBe(false);
  await guests.get(4)!.reload();
  await guests.get(4)!.getByText('administrator ended this session').waitFor();
});

it('throws a guest out whose time is over', async () => {
  const first = guests.get(1)!;
  await expect
    .poll(async () => {
      await first.reload();
      return first
        .getByRole('alert')
        .textContent({ timeout: 1000 })
        .catch(() => null);
    })
    .toBe('This session has ended.');
  await expect.poll(() => phones.isIn(1)).toBe(false);
  expect(phones.isIn(2)).toBe(true);
});
