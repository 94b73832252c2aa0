import { messageByKey } from '@yunxun/contract/messages';
import { paymentName } from '@yunxun/contract/payment-fields';
import { type Fleet, startFleet } from '@yunxun/simulator';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freePorts } from '../../bench/lib/free-ports.ts';
import { startOidcProvider } from '../../packages/server/src/features/portal/testing/oidc-provider.ts';
import { portalDraft, portalLimits } from '../../packages/server/test/portal-draft.ts';
import { claimInstallation } from './administrator.ts';
import { keepPicture, seriousIssues, startBrowser } from './browser.ts';
import { type CapturedPhones, capturedPhones } from './captured-phones.ts';
import { type Person, register } from './person.ts';
import { startProduct } from './product.ts';
import { until } from './until.ts';

const limits = { ...portalLimits, minutes: 60 };
const password = 'welcome-2026';
const host = 'boss@example.org';
const mobile = '13812345678';
const member = { name: 'LiWei', password: 'open4guests' };
const app = { client_id: 'wifi', client_secret: 's3cret' };
const asked = ['one_click', 'password', 'voucher', 'account', 'sms', 'recharge_card', 'purchase', 'sponsor'] as const;
const further = ['dynamic_password', 'oidc', 'wechat', 'wecom', 'dingtalk'] as const;
const loginPages = { wechat: 'open.weixin.qq.com', wecom: 'login.work.weixin.qq.com', dingtalk: 'login.dingtalk.com' };

let product: Awaited<ReturnType<typeof startProduct>>;
let browser: Browser;
let owner: Person;
let provider: Awaited<ReturnType<typeof startOidcProvider>>;
let fleet: Fleet;
let phones: CapturedPhones;
let gwid: string;
let codes: Record<'voucher' | 'card', string>;
let guest: Page | undefined;
let number = 0;

beforeAll(async () => {
  const [portalPort] = await freePorts(1);
  const settings = { YUNXUN_PORTAL_PORT: String(portalPort) };
  [product, browser] = await Promise.all([startProduct('main', /is ready/, '127.0.0.1', settings), startBrowser()]);
  provider = await startOidcProvider({ id: app.client_id, secret: app.client_secret }, () => new Date());
  owner = await register(product, 'owner@example.org');
  await claimInstallation(product, owner);
  await owner.call('/api/v3/install/payment/save', { provider: 'sandbox', enabled: true });
  ({ gwid } = await owner.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Lobby' }));
  const of = { consoleUrl: product.url, bindingCode: owner.bindingCode, gwid, seed: 'phones', edges: 1, speedUp: 20 };
  fleet = await startFleet(of);
  await fleet.online();
  phones = capturedPhones(fleet);
  await show(asked);
  codes = await sell();
  await until('the gateway captures', async () => redirect(0) !== null);
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await keepPicture(guest, `portal methods ${task.name}`);
  await guest?.context().close();
  guest = undefined;
});
afterAll(async () => {
  fleet?.stop();
  provider?.stop();
  await browser?.close();
  await product?.stop();
});

async function show(methods: readonly string[]): Promise<void> {
  const own: Readonly<Record<string, object>> = {
    password: { password },
    sponsor: { sponsors: [host] },
    dynamic_password: { every: 'day' },
    oidc: { ...app, issuer: provider.issuer, allowed: [] },
    wechat: app,
    wecom: { ...app, agent_id: '1000002' },
    dingtalk: { ...app, allowed: [] },
  };
  const page = {
    ...portalDraft().page,
    title: { zh: '大堂无线网', en: 'Lobby Wi-Fi' },
    text: { zh: '欢迎光临', en: 'Welcome' },
    terms: { zh: '请遵守法律法规', en: 'Please keep the law' },
    colour: '#0b6e4f',
  };
  const { id } = await owner.call<{ id: string }>('/api/v3/auth_template/create', {
    name: `Lobby-${methods[0]!.replace('_', '')}`,
    ...portalDraft({ methods: methods.map((kind) => ({ kind, ...limits, ...own[kind] })), page }),
  });
  await owner.call('/api/v3/auth_template/publish', { id, revision: 1 });
  const site = { gwid, enabled: true, template_id: id, gateway: 'edge', captive: { lans: ['LAN'] } };
  await owner.call('/api/v3/portal/site/save', site);
}

async function sell(): Promise<typeof codes> {
  const terms = { minutes: 120, bytes: 500 * 2 ** 20, devices: 1, up_kbps: 0, down_kbps: 8000, valid_days: 30 };
  const forSale = { name: 'TwoHours', price: '9.90', ...terms, gwids: null, enabled: true };
  const { id: package_id } = await owner.call<{ id: string }>('/api/v3/billing/package/create', forSale);
  await owner.call('/api/v3/billing/package/create', { ...forSale, name: 'Week', price: '49.90', minutes: 10_080 });
  const cards = { name: 'Desk', package_id, face: '9.90', count: 1, prefix: '', valid_days: 30 };
  const [card] = (await owner.call<{ codes: string[] }>('/api/v3/recharge_card/generate', cards)).codes;
  const batch = { name: 'Day', count: 1, minutes: 60, devices: 1, valid_days: 1, characters: 'digits', length: 8 };
  const made = await owner.call<{ codes: string[] }>('/api/v3/portal/voucher/create', { gwid, ...batch });
  await owner.call('/api/v3/portal/member/create', { gwid, ...member, enabled: true, until: null, devices: 1 });
  return { voucher: made.codes[0]!, card: card! };
}

const redirect = (of: number) => phones.redirect(of, 'http://captive.apple.com/');

async function capture(options: BrowserContextOptions = {}): Promise<Page> {
  number += 1;
  const context = await browser.newContext({
    javaScriptEnabled: false,
    locale: 'en',
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
    ...options,
  });
  guest = await context.newPage();
  await guest.goto(redirect(number)!);
  return guest;
}

const rowOf = (page: Page, way: string) =>
  page.locator('details', { has: page.locator(`form[aria-labelledby="way-${way}"]`) });

async function choose(page: Page, way: string): Promise<Locator> {
  const row = rowOf(page, way);
  if ((await row.getAttribute('open')) === null) await row.locator('summary').tap();
  expect(await page.locator('details.way[open]').count()).toBe(1);
  return row.locator('form');
}
const tap = (form: Locator, name = 'Connect') => form.getByRole('button', { name, exact: true }).tap();

/** The error is in the open row, and its field names it. */
async function expectWrong(page: Page, way: string, label: string, text: string): Promise<void> {
  const row = rowOf(page, way);
  await row.getByRole('alert').getByText(text).waitFor();
  expect(await row.getAttribute('open')).not.toBeNull();
  const field = row.getByLabel(label, { exact: true });
  expect(await field.getAttribute('aria-describedby')).toBe(await row.getByRole('alert').getAttribute('id'));
}

type Walk = (form: Locator, page: Page) => Promise<void>;

const typed = (way: string, label: string, right: () => string, wrong: string, refusal: string): Walk =>
  async function walk(form, page) {
    await form.getByLabel(label, { exact: true }).fill(wrong);
    await tap(form);
    await expectWrong(page, way, label, refusal);
    await form.getByLabel(label, { exact: true }).fill(right());
    await tap(form);
  };

const walks: Record<Exclude<(typeof asked | typeof further)[number], keyof typeof loginPages>, Walk> = {
  one_click: (form) => tap(form),
  password: typed('password', 'Password', () => password, 'wrong', 'The password is wrong.'),
  voucher: typed('voucher', 'Voucher code', () => codes.voucher, 'WRONG234', 'There is no such voucher.'),
  recharge_card: typed('recharge_card', 'Card code', () => codes.card, 'WRONG234', 'There is no such recharge card.'),
  async account(form, page) {
    await form.getByLabel('Account name').fill(member.name);
    await form.getByLabel('Password').fill('wrong');
    await tap(form);
    await expectWrong(page, 'account', 'Password', 'The account name or the password is wrong.');
    expect(await form.getByLabel('Account name').inputValue()).toBe(member.name);
    await form.getByLabel('Password').fill(member.password);
    await tap(form);
  },
  async sms(form, page) {
    await form.getByLabel('Mobile number').fill('12345');
    await tap(form, 'Send code');
    await expectWrong(page, 'sms', 'Mobile number', 'Enter a mobile number');
    await form.getByLabel('Mobile number').fill(mobile);
    await tap(form, 'Send code');
    await form.getByLabel('Code', { exact: true }).fill('000000');
    await tap(form);
    await expectWrong(page, 'sms', 'Code', 'The code is wrong');
    await form.getByLabel('Code', { exact: true }).fill(product.code(mobile));
    await tap(form);
  },
  async purchase(form, page) {
    await form.getByText('TwoHours').tap();
    await form.getByText('2 h · 500 MB · up to 8 Mbps · 1 device').waitFor();
    await form.getByText('¥9.90').waitFor();
    await form.getByText(paymentName('en', 'sandbox')!).tap();
    await form.getByLabel('Coupon').fill('NOTHING');
    await tap(form, 'Buy');
    await expectWrong(page, 'purchase', 'Coupon (optional)', 'There is no such coupon here.');
    expect(await form.getByLabel('TwoHours').isChecked()).toBe(true);
    await form.getByLabel('Coupon').fill('');
    await tap(form, 'Buy');
    await page.getByRole('button', { name: messageByKey('en', 'pay.pay') }).tap();
  },
  async sponsor(form, page) {
    await form.getByLabel('Your name').fill('Ann');
    await form.getByLabel('E-mail of your host').fill('other@example.org');
    await tap(form, 'Ask for approval');
    await expectWrong(page, 'sponsor', 'E-mail of your host', 'This address cannot be a host.');
    await form.getByLabel('E-mail of your host').fill(host);
    await tap(form, 'Ask for approval');
    await page.getByRole('heading', { name: 'Waiting for your host' }).waitFor();
    const approving = await page.context().newPage();
    await approving.goto(product.link(host));
    await approving.getByRole('button', { name: 'Approve' }).tap();
    await approving.getByText('Approved.').waitFor();
    await approving.close();
  },
  async dynamic_password(form, page) {
    const shown = await owner.call<{ password: string }>('/api/v3/portal/dynamic_password/reveal', { gwid });
    const walk = typed('dynamic_password', 'Password', () => shown.password, 'wrong1', 'The password is wrong.');
    await walk(form, page);
  },
  async oidc(form, page) {
    await page.context().route(`${provider.issuer}/auth**`, async (route) => {
      const url = route.request().url();
      const back = `${new URL(url).searchParams.get('redirect_uri')}?${provider.approve(url)}`;
      await route.fulfill({ status: 302, headers: { location: back } });
    });
    await tap(form, 'Go to sign-in');
  },
};

async function expectOnline(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'You are online' }).waitFor();
  expect(phones.isIn(number)).toBe(true);
  await page.getByText(/^Time left: /).waitFor();
  await page.getByText(/^It ends (today|tomorrow) at \d\d:\d\d\.$/).waitFor();
}

describe('a phone of 390 px, by touch', () => {
  it.each(asked)('gets online by %s', async (way) => {
    const page = await capture();
    await walks[way](await choose(page, way), page);
    await expectOnline(page);
    // only bought data has a limit; the probe of a phone is no page to go to
    expect(await page.getByText('Data left: ').count()).toBe(way === 'purchase' || way === 'recharge_card' ? 1 : 0);
    expect(await page.getByRole('link', { name: /^Go to/ }).count()).toBe(0);
  });

  it('signs out on the page that says it is online', async () => {
    const page = await capture();
    await tap(await choose(page, 'one_click'));
    await expectOnline(page);
    await page.getByRole('button', { name: 'Sign out' }).tap();
    await page.getByText('You have signed out.').waitFor();
    expect(phones.isIn(number)).toBe(false);
  });

  it('keeps the language that the guest chose to the end', async () => {
    const page = await capture();
    await page.getByRole('link', { name: '中文' }).tap();
    await page.getByRole('heading', { name: '大堂无线网' }).waitFor();
    await tap(rowOf(page, 'one_click').locator('form'), '连接网络');
    await page.getByRole('heading', { name: '已连接网络' }).waitFor();
    await page.getByRole('button', { name: '下线' }).tap();
    await page.getByRole('link', { name: '重新登录' }).tap();
    await page.getByRole('heading', { name: '选择上网方式' }).waitFor();
  });
});

const targets = 'summary, button, a, .field, .pick';

describe.each([
  [320, 'zh-CN', 'light', '选择上网方式'],
  [390, 'en', 'dark', 'Choose a way to connect'],
  [768, 'zh-CN', 'dark', '选择上网方式'],
] as const)('at %i px, in %s, %s', (width, locale, colorScheme, heading) => {
  it('shows one method, and the others as rows to touch', async () => {
    const viewport = { width, height: 844 };
    const page = await capture({ viewport, locale, colorScheme, javaScriptEnabled: true });
    await page.getByRole('heading', { name: heading }).waitFor();
    expect(await page.locator('details.way').count()).toBe(asked.length);
    expect(await page.locator('details.way[open]').count()).toBe(1);
    expect((await page.locator('main').boundingBox())!.height).toBeLessThan(1300);
    for (const way of asked) {
      await choose(page, way);
      const heights = await page
        .locator(targets)
        .evaluateAll((all) =>
          all.filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect().height),
        );
      expect([way, Math.min(...heights) >= 44]).toEqual([way, true]);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      expect([way, wide]).toEqual([way, width]);
    }
    for (const row of await page.locator('details.way > summary').all())
      expect((await row.boundingBox())!.height).toBeGreaterThanOrEqual(48);
    expect(await seriousIssues(page)).toEqual([]);
  });
});

describe('the other methods', () => {
  beforeAll(() => show(further));

  it.each(['dynamic_password', 'oidc'] as const)('brings a phone online by %s', async (way) => {
    const page = await capture();
    await walks[way](await choose(page, way), page);
    await expectOnline(page);
  });

  it.each(Object.entries(loginPages))('leads to the page of %s', async (way, name) => {
    const page = await capture();
    await page.context().route(`https://${name}/**`, (route) => route.fulfill({ body: 'their page' }));
    await tap(await choose(page, way), 'Go to sign-in');
    await page.getByText('their page').waitFor();
  });
});
