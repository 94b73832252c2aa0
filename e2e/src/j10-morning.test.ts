// An operator looks through the overview in the morning.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { keepPicture, type Language, openPage, texts } from './browser.ts';
import { type Fixture, startFixture, type Terminal } from './fixture.ts';
import { says } from './home-page.ts';
import { until } from './until.ts';

let fixture: Fixture;
let lost: string;
/** The complaining person's client: named and stationary. */
let caller: Terminal & { hostname: string; serial: string };

beforeAll(async () => {
  fixture = await startFixture('j10', 3);
  const { fleet, owner } = fixture;
  await until('a named client is online, and its access point has reported its radios', async () => {
    const aps = fleet.status().filter(({ role }) => role === 'access-point');
    const found = (await fixture.terminals()).find(
      (one) =>
        /^(NPI|ESP|Sonos)-/.test(one.hostname ?? '') && one.rssi !== null && aps.some((ap) => ap.serial === one.serial),
    );
    if (!found) return false;
    caller = found as typeof caller;
    lost = aps.find(({ serial }) => serial !== found.serial)!.serial;
    const { radios } = await owner.call<{ radios: { util_pct: number | null }[] }>('/api/v3/ap/detail', {
      serial: found.serial!,
    });
    return radios.some(({ util_pct }) => util_pct !== null);
  });
  fleet.device(lost).stop();
  await until('the console knows of the failure', async () => {
    const { aps } = await owner.call<{ aps: { offline: number } }>('/api/v3/overview/attention', {});
    return aps.offline === 1;
  });
});
afterAll(() => fixture?.stop());

describe.each(['zh-CN', 'en'] as const)('the morning in %s', (language) => {
  const t = texts(language);
  const other: Language = language === 'en' ? 'zh-CN' : 'en';
  let page: Page;
  let errors: string[];

  beforeAll(async () => {
    const { browser, product, owner } = fixture;
    ({ page, errors } = await openPage(browser, product.url, language, 'light', { token: owner.token }));
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await keepPicture(page, `j10 ${language} ${task.name}`);
  });
  afterAll(() => page?.context().close());

  const card = (id: string) => page.locator(`[data-card="${id}"]`);
  const rows = () => page.locator('tbody tr');

  it('the overview begins with what is wrong, and leads to it', async () => {
    await page.goto(fixture.product.url);
    const problems = card('problems').locator('tbody tr');
    await problems.getByText(t('alarm.kind_ap_offline')).waitFor();
    expect(await problems.count()).toBe(1);
    await problems.getByText('Harbour').waitFor();
    const ids = await page
      .locator('.board-item')
      .evaluateAll((all) => all.map((each) => (each as HTMLElement).dataset.card));
    expect(ids[0]).toBe('problems');
    expect((await problems.boundingBox())!.y).toBeLessThan(page.viewportSize()!.height / 2);
    await problems.getByText(t('alarm.kind_ap_offline')).click();
    await page.waitForURL(`**/network/${fixture.gwid}?**device=${lost}**`);
    await page.getByRole('dialog').getByText(t('status.offline'), { exact: true }).first().waitFor();
    await page.goBack();
    await page.waitForURL(`${fixture.product.url}/`);
  });

  it('a number opens the list that it counts, and says what it counts', async () => {
    const online = card('networks').getByRole('link', { name: new RegExp(`^${t('status.online')}`) });
    expect(await online.textContent()).toMatch(/1$/);
    await online.click();
    await page.waitForURL('**/networks?status=online');
    await expect.poll(() => rows().count()).toBe(1);
    await rows().getByText('Harbour').waitFor();
    await page.goBack();
    await card('online')
      .getByRole('button', { name: t('explain.title', { name: t('card.online') }) })
      .click();
    const words = page.getByRole('dialog');
    await words.getByText(t('explain.online.what')).waitFor();
    await words.getByText(t('explain.as_of')).waitFor();
    await page.keyboard.press('Escape');
    await card('online').locator('a.figure').click();
    await page.waitForURL('**/networks/online_users**');
    await expect.poll(() => rows().count()).toBeGreaterThan(1);
  });

  it.each([401, 429, 500])('with %i of one call only its card fails', async (status) => {
    await page.route('**/api/v3/user_stat/complex', (route) =>
      route.fulfill({ status, headers: { 'retry-after': '9' }, json: { code: status, message: '', data: null } }),
    );
    await page.goto(fixture.product.url);
    await card('alarms').getByText(t('empty.failed')).waitFor();
    await says(card('problems'), t('status.offline'));
    await card('bands').locator('.band strong').first().waitFor();
    expect(await card('bands').getByText(t('empty.failed')).count()).toBe(0);
    expect(new URL(page.url()).pathname).toBe('/');
    await page.unroute('**/api/v3/user_stat/complex');
    await card('alarms')
      .getByRole('button', { name: t('action.retry') })
      .click();
    await card('alarms').locator('a.level').first().waitFor();
    errors.splice(0, errors.length, ...errors.filter((line) => !line.startsWith('Failed to load resource')));
  });

  it.each(['mac', 'hostname'] as const)('a caller is found by %s: signal, access point, use of its air', async (by) => {
    await page.goto(`${fixture.product.url}/networks/online_users`);
    const text = by === 'mac' ? caller.mac.replace(/(..)(?=.)/g, '$1:') : caller.hostname;
    await page.getByLabel(t('table.search'), { exact: true }).fill(text);
    await expect.poll(() => rows().count()).toBe(1);
    await rows().getByText(caller.hostname).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByText(caller.hostname).first().waitFor();
    await expect.poll(() => drawer.locator('dl').first().textContent()).toMatch(/-\d\d dBm/);
    const own = drawer.locator('.users-own');
    expect(await own.textContent()).toMatch(/\d%/);
    await own.getByRole('link').click();
    await page.waitForURL(`**/network/aps/${fixture.gwid}?**device=${caller.serial}**`);
    const radios = page.getByRole('dialog').locator('table').first();
    await expect.poll(() => radios.textContent()).toMatch(/\d%/);
  });

  it('language and theme change, and everything stays in place', async () => {
    const address = `${fixture.product.url}/networks/online_users?keyword=${caller.hostname}`;
    await page.goto(address);
    await expect.poll(() => rows().count()).toBe(1);
    const dark = () => page.evaluate(() => document.documentElement.dataset.theme);
    await page.getByRole('button', { name: t('header.theme_dark') }).click();
    await expect.poll(dark).toBe('dark');
    const own = { 'zh-CN': '简体中文', en: 'English' };
    const speak = async (from: Language, to: Language) => {
      await page.getByRole('banner').getByRole('button', { name: own[from] }).click();
      await page.getByRole('menuitemradio', { name: own[to] }).click();
      await page.getByRole('heading', { name: texts(to)('home.online_users') }).waitFor();
    };
    await speak(language, other);
    expect(page.url()).toBe(address);
    await expect.poll(() => rows().count()).toBe(1);
    await rows().getByText(caller.hostname).waitFor();
    expect(await dark()).toBe('dark');
    await speak(other, language);
    await page.getByRole('button', { name: t('header.theme_light') }).click();
    await expect.poll(dark).toBe('light');
  });

  it('complained of nothing on the way', () => {
    expect(errors).toEqual([]);
  });
});
