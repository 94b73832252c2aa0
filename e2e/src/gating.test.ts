import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  aloneRoutes,
  isPlanned,
  layoutRoutes,
  publicRoutes,
  type RouteRow,
} from '../../packages/web/src/app/routes.ts';
import { keepPicture, type Language, openPage, startBrowser, texts, type Visit } from './browser.ts';
import { ask, type Person, register, signIn } from './person.ts';
import { type Product, startProduct } from './product.ts';
import { settled } from './screens.ts';

let product: Product;
let browser: Browser;
let owner: Person;
let gwid: string;
let visit: Visit | undefined;
const zh = texts('zh-CN');
const en = texts('en');

beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), startBrowser()]);
  owner = await register(product, 'owner@example.org');
  gwid = (await owner.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Lobby' })).gwid;
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await keepPicture(visit?.page, `gating ${task.name}`);
  await visit?.context.close();
  visit = undefined;
});
afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

async function open(options: { language?: Language; token?: string; width?: number } = {}): Promise<Page> {
  visit = await openPage(browser, product.url, options.language ?? 'en', 'light', options);
  return visit.page;
}
const go = (page: Page, path: string) => page.goto(product.url + path);
const pathOf = (page: Page) => new URL(page.url()).pathname;

function addressOf(row: RouteRow): string {
  return row.path
    .replace(/\/\{-\$\w+\}/, '')
    .replace('$gwid', gwid)
    .replace(/\$(msg_|temp)?id\b/g, '00000000-0000-7000-8000-000000000000')
    .replace(/\$(token|code)/, 'x'.repeat(43))
    .replace('$secret', 'x'.repeat(22))
    .replace(/\$\w+/g, '1');
}

describe('access to pages', () => {
  it.each(publicRoutes.map((row) => [row.path, row] as const))('a visitor may open %s', async (_, row) => {
    const page = await open();
    await go(page, addressOf(row));
    await settled(page);
    expect(pathOf(page)).toBe(addressOf(row));
    expect(visit?.errors).toEqual([]);
  });

  it('a visitor is sent from every other path to /login, and the wanted page is kept', async () => {
    const page = await open();
    for (const row of [...layoutRoutes, ...aloneRoutes]) {
      const wanted = addressOf(row);
      await go(page, wanted);
      await page.waitForURL((url) => url.pathname === '/login');
      expect(new URL(page.url()).searchParams.get('next') ?? '/').toBe(wanted);
    }
  });

  it('a sign-in leads to the wanted page, with its filters', async () => {
    const page = await open();
    await go(page, '/networks?keyword=Lobby&limit=20');
    await page.waitForURL((url) => url.pathname === '/login');
    await fillSignIn(page, owner.email, owner.password);
    await page.waitForURL('**/networks?keyword=Lobby&limit=20');
    await page.getByRole('link', { name: 'Lobby' }).waitFor();
  });

  it('follows no address of another site after sign-in', async () => {
    const page = await open();
    await go(page, '/login?next=//elsewhere.example/');
    await fillSignIn(page, owner.email, owner.password);
    await page.waitForURL(`${product.url}/`);
  });

  it('a signed-in person is redirected from /login to /', async () => {
    const page = await open({ token: owner.token });
    await go(page, '/login');
    await page.waitForURL(`${product.url}/`);
  });

  it.each(['/no/such/page', '/network', '/sdwan', '/logs'])(
    'the unknown %s leads to /404, which names it',
    async (path) => {
      for (const token of [undefined, owner.token]) {
        const page = await open(token ? { token } : {});
        await go(page, path);
        await page.waitForURL((url) => url.pathname === '/404');
        await page.getByText(path, { exact: true }).waitFor();
        await visit?.context.close();
      }
    },
  );

  it('shows SD-WAN only to whom it is given', async () => {
    const page = await open({ token: owner.token });
    await go(page, '/networks');
    await page.getByRole('link', { name: en('home.sdwan') }).waitFor();
    await page.route('**/api/v3/user', async (route) => {
      const answer = await route.fetch();
      const body = (await answer.json()) as { data: object };
      await route.fulfill({ json: { ...body, data: { ...body.data, sdwan_status: false } } });
    });
    await go(page, '/networks');
    await page.getByRole('link', { name: 'Lobby' }).waitFor();
    expect(await page.getByRole('link', { name: en('home.sdwan') }).count()).toBe(0);
    await go(page, '/sdwan/index');
    await page.waitForURL((url) => url.pathname === '/forbidden');
  });
});

describe.each<[Language]>([['zh-CN'], ['en']])('every path in %s', (language) => {
  const t = texts(language);

  it('opens without a complaint, and says what it is or will hold', async () => {
    const page = await open({ language, token: owner.token });
    for (const row of layoutRoutes) {
      await go(page, addressOf(row));
      await settled(page);
      expect(pathOf(page)).toBe(addressOf(row));
      if (isPlanned(row)) await page.getByText(t(row.screen.planned), { exact: true }).waitFor();
      if (row.section) {
        // the topology shows the first network if none is named
        const site = /\/\$gwid|^\/topology\//.test(row.path) ? ['Lobby'] : [];
        await expect.poll(() => page.title()).toBe([t(row.title), ...site, t('product.name')].join(' · '));
      }
      if (row.section && row.needs !== 'installation_admin') {
        const entry = layoutRoutes.find((other) => other.path === (row.parent ?? row.path))!;
        expect(await page.locator('.side [aria-current=page]').textContent()).toBe(t(entry.title));
      }
      expect([row.path, ...(visit?.errors ?? [])]).toEqual([row.path]);
    }
  });
});

describe('the session', () => {
  it('whose token the server does not know ends at /login, and the wanted page is kept', async () => {
    const page = await open({ token: 'x'.repeat(43) });
    await go(page, '/jobs');
    await page.waitForURL((url) => url.pathname === '/login' && url.searchParams.get('next') === '/jobs');
    await page.getByText(en('error.signed_out')).waitFor();
    expect(await visit?.context.cookies()).toEqual([]);
  });

  it('that ends meanwhile leads from a 401 to /login and back', async () => {
    const { token } = await signIn(product, owner.email, owner.password);
    const page = await open({ token });
    await go(page, '/networks');
    await page.getByRole('link', { name: 'Lobby' }).waitFor();
    await ask(product, '/api/v3/logout', undefined, { token });
    await page.getByRole('link', { name: 'Lobby' }).click();
    await page.waitForURL((url) => url.pathname === '/login');
    expect(new URL(page.url()).searchParams.get('next')).toMatch(/^\/network/);
    await page.getByText(en('error.signed_out')).waitFor();
    expect(await visit?.context.cookies()).toEqual([]);
  });

  it.each([
    ['code 4012', { status: 200, json: { code: 4012, message: 'no', data: null } }],
    ['HTTP 429', { status: 429, headers: { 'retry-after': '7' }, json: { code: 429, message: 'no', data: null } }],
    ['HTTP 404', { status: 404, json: { code: 404, message: 'no', data: null } }],
  ])('whose user cannot be read (%s) ends at /404, where the page is offered again', async (_, answer) => {
    const page = await open({ token: owner.token });
    await page.route('**/api/v3/user', (route) => route.fulfill(answer));
    await go(page, '/networks?keyword=Lobby');
    await page.waitForURL((url) => url.pathname === '/404');
    await page.unroute('**/api/v3/user');
    await page.getByRole('link', { name: en('not_found.again') }).click();
    await page.waitForURL('**/networks?keyword=Lobby');
    await page.getByRole('link', { name: 'Lobby' }).waitFor();
  });

  it('lasts seven days when that is wanted, else until the browser closes', async () => {
    for (const remember of [true, false]) {
      const page = await open();
      await go(page, '/login');
      if (remember) await page.getByLabel(en('login.remember')).check();
      await fillSignIn(page, owner.email, owner.password);
      await page.waitForURL(`${product.url}/`);
      const [cookie] = (await visit?.context.cookies()) ?? [];
      const days = ((cookie?.expires ?? 0) - Date.now() / 1000) / 86_400;
      if (remember) expect(days).toBeCloseTo(7, 1);
      else expect(cookie?.expires).toBe(-1);
      await visit?.context.close();
    }
  });
});

describe('the header', () => {
  it('changes the language with a reload that keeps the typed address', async () => {
    const page = await open({ language: 'zh-CN', token: owner.token });
    await go(page, '/networks?keyword=Lobby&limit=20');
    await page.getByRole('heading', { name: zh('home.networks') }).waitFor();
    await page.evaluate(() => Object.assign(globalThis, { sameDocument: true }));
    await page.getByRole('button', { name: '简体中文' }).click();
    const [reported] = await Promise.all([
      page.waitForRequest('**/api/v3/network/list'),
      page.getByRole('menuitemradio', { name: 'English' }).click(),
    ]);
    await page.getByRole('heading', { name: en('home.networks') }).waitFor();
    expect(await page.evaluate(() => 'sameDocument' in globalThis)).toBe(false);
    expect(page.url()).toBe(`${product.url}/networks?keyword=Lobby&limit=20`);
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
    expect(reported.headers().localization).toBe('en');
  });

  it('changes the theme for the session', async () => {
    const page = await open({ token: owner.token });
    await go(page, '/networks');
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await page.getByRole('button', { name: en('header.theme_dark') }).waitFor();
    const light = await ground();
    await page.getByRole('button', { name: en('header.theme_dark') }).click();
    await page.getByRole('button', { name: en('header.theme_light') }).waitFor();
    expect(await ground()).not.toBe(light);
    await page.reload();
    await page.getByRole('button', { name: en('header.theme_light') }).waitFor();
    expect(await ground()).not.toBe(light);
  });

  it('is Chinese and light for whom nothing is known', async () => {
    const context = await browser.newContext({ locale: 'en-GB', colorScheme: 'dark' });
    const page = await context.newPage();
    await go(page, '/login');
    await page.getByRole('heading', { name: zh('login.title') }).waitFor();
    expect(await page.locator('html').getAttribute('data-theme')).not.toBe('dark');
    await context.close();
  });

  it('signs out, and the way back is closed', async () => {
    const { token } = await signIn(product, owner.email, owner.password);
    const page = await open({ token });
    await go(page, '/networks');
    await page.getByRole('button', { name: en('header.user_menu') }).click();
    await page.getByRole('menuitem', { name: en('header.logout') }).click();
    await page.waitForURL((url) => url.pathname === '/login');
    expect(await ask(product, '/api/v3/user', undefined, { token })).toMatchObject({ status: 200, code: 4003 });
    await page.goBack();
    await page.waitForURL((url) => url.pathname === '/login');
  });
});

describe('the width', () => {
  it.each(['/login', '/', '/networks', '/logs/action'])('of %s is 1280 at least, and fits into that', async (path) => {
    for (const language of ['zh-CN', 'en'] as const) {
      const page = await open({ language, width: 1280, ...(path === '/login' ? {} : { token: owner.token }) });
      await go(page, path);
      await settled(page);
      const width = () => page.evaluate(() => document.documentElement.scrollWidth);
      expect(await width()).toBe(1280);
      await page.setViewportSize({ width: 900, height: 900 });
      await expect.poll(width).toBe(1280);
      await visit?.context.close();
    }
  });
});

describe('the policy of the pages', () => {
  it('refuses a script that was put into the page', async () => {
    const page = await open();
    await go(page, '/login');
    await settled(page);
    await page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'globalThis.intruder = true';
      document.body.append(script);
    });
    expect(await page.evaluate(() => 'intruder' in globalThis)).toBe(false);
    await expect.poll(() => visit?.errors.join()).toContain('script-src');
  });
});

async function fillSignIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel(en('login.email')).fill(email);
  await page.getByLabel(en('login.password'), { exact: true }).fill(password);
  await page.getByRole('button', { name: en('login.submit'), exact: true }).click();
}
