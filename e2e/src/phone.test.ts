import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { keepPicture, openPage, seriousIssues, texts } from './browser.ts';
import { type Fixture, startFixture } from './fixture.ts';
import { until } from './until.ts';

const t = texts('en');
let fixture: Fixture;
let page: Page;
let errors: string[];

beforeAll(async () => {
  fixture = await startFixture('phone', 2);
  const { browser, product, owner, fleet } = fixture;
  const scope = { type: 'all', ids: [] };
  await owner.call('/api/v3/alarm_rule/save', {
    rule: { kind: 'ap_offline', enabled: true, level: 'FATAL', tolerance: 1, threshold: null, scope },
  });
  const { list } = await owner.call<{ list: { serial: string; role: string }[] }>('/api/v3/ap/list', {});
  const { serial } = list.find(({ role }) => role !== 'gateway')!;
  fleet.device(serial).fault('power-cut', { seconds: 100_000 });
  ({ page, errors } = await openPage(browser, product.url, 'en', 'light', { token: owner.token, phone: true }));
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail' && page) await keepPicture(page, `phone ${task.name}`);
});
afterAll(() => fixture?.stop());

const tab = (name: Parameters<typeof t>[0]) =>
  page.getByRole('navigation', { name: t('menu.main') }).getByRole('link', { name: t(name), exact: true });
const drawer = () => page.getByRole('dialog').last();
/** Parts of tables that Safari reads as plain text once they are blocks. */
const withoutRole = () =>
  page.locator(':is(.table-card .table, .phone-cards, .rows-box table) :is(thead, tbody, tr, th, td):not([role])');
/** Pixels beyond the screen. */
const beyond = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

it('leads from screen to screen without scrolling sideways', async () => {
  await page.goto(fixture.product.url);
  await page.getByRole('heading', { name: t('home.index') }).waitFor();
  for (const [name, heading] of [
    ['phone.networks', 'home.networks'],
    ['phone.clients', 'home.online_users'],
    ['phone.messages', 'messages.index'],
    ['phone.alarms', 'messages.alarm'],
    ['phone.home', 'home.index'],
  ] as const) {
    await tab(name).click();
    await page.getByRole('heading', { name: t(heading), level: 1 }).waitFor();
    await expect.poll(() => tab(name).getAttribute('aria-current')).toBe('page');
    await expect.poll(beyond, { message: name }).toBe(0);
    expect(await seriousIssues(page), name).toEqual([]);
  }
  const problems = page.locator('[data-card="problems"]');
  await problems.getByText(t('alarm.kind_ap_offline')).waitFor();
  const ranking = page.locator('[data-card="ranking"]');
  await ranking.scrollIntoViewIfNeeded();
  await ranking.locator('tbody tr').first().waitFor();
  const tables = page.locator('.rows-box');
  const wider = await tables.evaluateAll((all) => all.filter((each) => each.scrollWidth > each.clientWidth).length);
  expect([await tables.count(), wider, await withoutRole().count()]).toEqual([2, 0, 0]);
  // clients stand beside the name, not behind the edge
  const clients = (await problems.locator('tbody td').last().boundingBox())!;
  expect(clients.x + clients.width).toBeLessThanOrEqual(390);
});

it('begins home with open problems: what, then where', async () => {
  await page.goto(fixture.product.url);
  const problems = page.locator('[data-card="problems"]');
  const what = problems.locator('tbody tr').first().getByText(t('alarm.kind_ap_offline'));
  await what.waitFor();
  const above = async (one: Locator, other: Locator) => (await one.boundingBox())!.y < (await other.boundingBox())!.y;
  await expect.poll(() => above(problems, page.locator('.strip'))).toBe(true);
  expect(await above(what, problems.locator('tbody th').first())).toBe(true);
});

it('shows a network and asks before it restarts', async () => {
  await page.goto(`${fixture.product.url}/networks`);
  await page.locator('tbody tr').getByRole('link', { name: 'Harbour' }).click();
  await page.getByRole('heading', { name: 'Harbour' }).waitFor();
  await page.getByText(t('timeline.title')).first().waitFor();
  await expect.poll(beyond).toBe(0);
  await page.getByRole('button', { name: t('networks.reboot') }).click();
  await drawer().getByText(t('networks.reboot_body')).waitFor();
  await expect.poll(beyond).toBe(0);
  await page.keyboard.press('Escape');
});

it.each([
  ['/network/aps/:gwid', 'aps.title'],
  ['/topology/:gwid', 'home.topology'],
  ['/billing/packages', 'personal.billing_packages'],
  ['/reception', 'home.reception'],
  ['/vouchers', 'home.vouchers'],
  ['/device/index', 'home.device_index'],
  ['/remote', 'home.remote'],
  ['/alarm_subscribe', 'messages.alarm_subscribe'],
  ['/profile', 'personal.profile'],
  ['/account', 'personal.account'],
  ['/sms_pay_log/:gwid', 'home.sms_pay_log'],
  ['/forbidden?permission=log.read', 'forbidden.title'],
  ['/nowhere', 'not_found.title'],
] as const)('shows %s without scrolling sideways', async (path, heading) => {
  const { product, owner, gwid } = fixture;
  if (path === '/billing/packages') {
    const terms = { minutes: 1440, bytes: 0, devices: 2, up_kbps: 0, down_kbps: 0, valid_days: 30 };
    const day = { name: 'Day-pass', price: '10.00', enabled: true, gwids: null, ...terms };
    await owner.call('/api/v3/billing/package/create', day);
  }
  if (path === '/device/index') {
    const probe = { mode: 'tcp', detect_port: 554, web_port: 80, shell_port: null };
    const camera = { gwid, name: 'Door-Camera', type: 'camera', ip: '192.168.1.64', ...probe };
    await owner.call('/api/v3/peripheral/create', camera);
  }
  if (path === '/alarm_subscribe') {
    const sent = { levels: ['FATAL'], kinds: [], schedule: [], quiet: null, digest_minutes: 0, repeat_hours: 0 };
    const to = { members: [], member_channels: [], endpoints: [{ type: 'slack', url: 'http://127.0.0.1:9/on-call' }] };
    const scope = { type: 'all', ids: [] };
    const subscription = { name: 'On-call', enabled: true, locale: 'en', scope, recovery: true, ...sent, ...to };
    await owner.call('/api/v3/alarm_subscription/save', subscription);
  }
  await page.goto(product.url + path.replace(':gwid', gwid));
  await page.getByRole('heading', { name: t(heading), level: 1 }).waitFor();
  await page.locator('main').locator('tbody tr, .topo, .setting, .empty').first().waitFor();
  await expect.poll(beyond).toBe(0);
  const tables = page.locator('.table-card .table, .phone-cards');
  const wide = await tables.evaluateAll((all) => all.map((one) => one.scrollWidth - one.clientWidth));
  expect(wide.filter((pixels) => pixels > 0)).toEqual([]);
  expect(await withoutRole().count()).toBe(0);
  expect(await seriousIssues(page)).toEqual([]);
});

it('offers to scan for peripheral devices, and to add one', async () => {
  await page.goto(`${fixture.product.url}/device/index`);
  await page.locator('tbody').getByText('Door-Camera').waitFor();
  await page.getByRole('button', { name: t('peripherals.scan'), exact: true }).waitFor();
  await page.getByRole('button', { name: t('peripherals.create'), exact: true }).click();
  await drawer().getByLabel(t('peripherals.name'), { exact: true }).waitFor();
  await expect.poll(beyond).toBe(0);
  await page.keyboard.press('Escape');
});

it('leads to the screens beside the bar by the menu of the person', async () => {
  for (const name of ['home.remote', 'home.device_index'] as const) {
    await page.getByRole('button', { name: t('header.user_menu') }).click();
    await page.getByRole('menuitem', { name: t(name), exact: true }).click();
    await page.getByRole('heading', { name: t(name), level: 1 }).waitFor();
    await expect.poll(beyond, { message: name }).toBe(0);
  }
});

it('finds a client and blocks it', async () => {
  await page.goto(`${fixture.product.url}/networks/online_users`);
  // the longest connected leaves soonest, and any may leave meanwhile
  await until('a client is on the air and found', async () => {
    const mac = (await fixture.terminals({ order: 'desc' })).find((row) => row.rssi !== null)?.mac;
    if (!mac) return false;
    await page.getByLabel(t('table.search'), { exact: true }).fill(mac);
    const row = page.locator('tbody tr').filter({ hasText: mac.replace(/(..)(?=.)/g, '$1:') });
    return row.waitFor({ timeout: 3000 }).then(
      () => true,
      () => false,
    );
  });
  await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
  await page.locator('tbody tr .cell-acts').getByRole('button').first().click();
  await page.getByRole('menuitem', { name: t('users.block') }).click();
  await drawer()
    .getByRole('button', { name: t('users.block') })
    .click();
  await drawer().getByText(t('job_status.applied'), { exact: true }).first().waitFor();
  await page.goto(`${fixture.product.url}/networks/online_users?tab=blocked`);
  await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
});

it('acknowledges an alarm', async () => {
  await page.goto(`${fixture.product.url}/alarm`);
  const row = page.locator('tbody tr').filter({ hasText: t('alarm.kind_ap_offline') });
  await row.waitFor({ timeout: 180_000 });
  await row.click();
  await drawer()
    .getByRole('button', { name: t('alarm.acknowledge'), exact: true })
    .click();
  await page.getByLabel(t('alarm.note')).fill('on my way');
  await drawer()
    .getByRole('button', { name: t('alarm.acknowledge'), exact: true })
    .click();
  await drawer().getByText('on my way').first().waitFor();
  expect(errors).toEqual([]);
});

it('can be installed', async () => {
  const response = await page.request.get(`${fixture.product.url}/manifest.webmanifest`);
  expect(response.headers()['content-type']).toContain('application/manifest+json');
  const { icons, start_url, display } = await response.json();
  expect({ start_url, display }).toEqual({ start_url: '/', display: 'standalone' });
  for (const { src, sizes } of icons) {
    const icon = await page.request.get(`${fixture.product.url}${src}`);
    const png = await icon.body();
    expect(`${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`).toBe(sizes);
  }
});
