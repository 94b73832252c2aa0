import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freePorts } from '../../bench/lib/free-ports.ts';
import { keepPicture, startBrowser } from './browser.ts';
import { type Person, register } from './person.ts';
import { type Product, startProduct } from './product.ts';

const limits = { minutes: 60, times_per_day: 0, up_kbps: 0, down_kbps: 0, devices: 1 };
const template = {
  name: 'Lobby',
  methods: [
    { kind: 'voucher', ...limits },
    { kind: 'password', ...limits, password: 'welcome-2026' },
  ],
  page: {
    title: { zh: '大堂无线网', en: 'Lobby Wi-Fi' },
    logo: null,
    background: null,
    carousel: [],
    countdown: null,
    colour: '#0b6e4f',
    text: { zh: '欢迎光临', en: 'Welcome' },
    terms: { zh: '请遵守法律法规', en: 'Please keep the law' },
  },
  whitelist: [],
  jump: '',
  remember_days: 0,
};

let product: Product;
let browser: Browser;
let owner: Person;
let gwid: string;
let base: string;
let page: Page;

beforeAll(async () => {
  const [portalPort] = await freePorts(1);
  const settings = { YUNXUN_PORTAL_PORT: String(portalPort) };
  [product, browser] = await Promise.all([startProduct('main', /is ready/, '127.0.0.1', settings), startBrowser()]);
  owner = await register(product, 'owner@example.org');
  ({ gwid } = await owner.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Lobby' }));
  const { id } = await owner.call<{ id: string }>('/api/v3/auth_template/create', template);
  await owner.call('/api/v3/auth_template/publish', { id, revision: 1 });
  await owner.call('/api/v3/portal/site/save', { gwid, enabled: true, template_id: id, gateway: 'opennds_1' });
  const { site } = await owner.call<{ site: { url: string } }>('/api/v3/portal/site', { gwid });
  base = site.url;
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await keepPicture(page, `portal ${task.name}`);
});
afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

/** Of openNDS level 1. */
function captured(): string {
  const hid = Array.from({ length: 64 }, () => Math.floor(Math.random() * 16).toString(16)).join('');
  const fields = `hid=${hid}, clientip=192.168.77.2, clientmac=02:00:00:00:00:02, client_type=cpd_can, gatewayname=lobby%20Node%3a66c011370b7e%20, gatewayaddress=192.168.77.1:2050, originurl=http%3a%2f%2fexample.org%2f`;
  return `${base}fas?fas=${encodeURIComponent(Buffer.from(fields).toString('base64'))}`;
}

describe.each([
  ['zh-CN', 'light', { code: '上网码', connect: '连接网络', wrong: '没有这个上网码', left: '剩余时间' }],
  ['en', 'dark', { code: 'Voucher code', connect: 'Connect', wrong: 'There is no such voucher', left: 'Time left' }],
] as const)('in %s, %s', (locale, colorScheme, text) => {
  it('signs a guest in with a voucher, without scripts, at 320 px', async () => {
    const { codes } = await owner.call<{ codes: string[] }>('/api/v3/portal/voucher/create', {
      gwid,
      name: `Batch-${locale}`,
      count: 1,
      minutes: 60,
      devices: 1,
      valid_days: 1,
      characters: 'mixed',
      length: 8,
    });
    const viewport = { width: 320, height: 568 };
    const context = await browser.newContext({ javaScriptEnabled: false, locale, colorScheme, viewport });
    page = await context.newPage();
    const foreign: string[] = [];
    let bytes = 0;
    page.on('response', async (response) => {
      if (response.url().startsWith(base)) bytes += (await response.body().catch(() => Buffer.alloc(0))).length;
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(base) && !request.url().endsWith('/favicon.ico')) foreign.push(request.url());
    });
    let grant = '';
    await context.route('http://192.168.77.1:2050/**', async (route) => {
      grant = route.request().url();
      // the gateway opens and sends the guest back
      await route.fulfill({ status: 302, headers: { location: new URL(grant).searchParams.get('redir')! } });
    });
    await page.goto(captured());
    const fits = await page.locator('main').boundingBox();
    expect(fits!.x + fits!.width).toBeLessThanOrEqual(320);
    const form = page.locator('form', { has: page.getByRole('textbox', { name: text.code }) });
    await form.getByRole('textbox').fill('WRONG234');
    await form.getByRole('button', { name: text.connect }).click();
    await page.getByRole('alert').getByText(text.wrong).waitFor();
    await form.getByRole('textbox').fill(codes[0]!.toLowerCase());
    await form.getByRole('button', { name: text.connect }).click();
    await page.getByText(text.left).waitFor();
    expect(new URL(grant).pathname).toBe('/opennds_auth/');
    expect(foreign.filter((url) => !url.startsWith('http://192.168.77.1:2050/'))).toEqual([]);
    expect(bytes).toBeLessThan(60_000);
    await context.close();
  });
});
