import { type Fleet, startFleet } from '@yunxun/simulator';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  keepPicture,
  type Language,
  looks,
  openPage,
  seriousIssues,
  startBrowser,
  type Text,
  type Theme,
  texts,
  type Visit,
} from './browser.ts';
import { answerHome, answerNotice, answers, trend } from './home-answers.ts';
import { type Person, register } from './person.ts';
import { type Product, startProduct } from './product.ts';
import { until } from './until.ts';

let product: Product;
let browser: Browser;
let owner: Person;
let fleet: Fleet;
let visit: Visit;
let page: Page;

beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), startBrowser()]);
  owner = await register(product, 'owner@example.org');
  const { gwid } = await owner.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Lobby' });
  const place = { consoleUrl: product.url, bindingCode: owner.bindingCode, gwid };
  fleet = await startFleet({ ...place, gateways: 1, aps: 2, seed: 'home', speedUp: 20 });
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await keepPicture(page, `home ${task.name}`);
  await visit?.context.close();
});
afterAll(async () => {
  fleet?.stop();
  await browser?.close();
  await product?.stop();
});

const card = (id: string): Locator => page.locator(`[data-card="${id}"]`);
const count = (value: number): string => value.toLocaleString('en');

/** Opens the home page; `prepare` is done before its first call. */
async function open(
  language: Language,
  prepare?: (page: Page) => Promise<void>,
  theme: Theme = 'light',
): Promise<Text> {
  visit = await openPage(browser, product.url, language, theme, { token: owner.token });
  page = visit.page;
  await prepare?.(page);
  await page.goto(product.url);
  await page.locator('.board-item').first().waitFor();
  return texts(language);
}

/** Scrolls a part that is drawn when it is near into view. */
async function near(id: string): Promise<Locator> {
  await card(id).scrollIntoViewIfNeeded();
  await card(id).locator('.panel').first().waitFor();
  return card(id);
}

/** The rows of the table behind a chart, cell by cell. */
const tableOf = (chart: Locator): Promise<string[][]> =>
  chart
    .locator('table tbody tr')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent ?? '')));

/** Waits until a card says all of these. */
async function says(part: Locator, ...wanted: string[]): Promise<void> {
  for (const text of wanted) await part.getByText(text, { exact: true }).first().waitFor();
}

describe.each(['zh-CN', 'en'] as const)('in %s', (language) => {
  it('every number that the calls answer stands in its card', async () => {
    const t = await open(language, answerHome);
    await says(card('income'), '¥12,840.50');
    await says(card('online'), '2,027', t('home.today_online', { n: '4,051' }));
    await says(card('auth'), '1,013', t('home.today_auth', { n: '3,049' }));
    await says(card('intercept'), '1,201');
    await says(card('alarms'), '7', '13', '61', 'Switch port 3 is down', '<img src=x onerror=alert(1)>');
    await says(card('flow'), '3.00 TB', '900.00 GB', '450.00 GB', '300.00 GB', t('source.partial'));
    expect(await card('flow').getByText('17.00 GB').count()).toBe(0);
    await says(card('bands'), '1,733', '2,579', '19', count(1733 + 2579 + 19));
    await says(card('wireless'), '311.00 GB', '47.00 GB', '2.00 TB');
    expect(await tableOf(card('wireless'))).toEqual(
      answers.ap_complex.days.map((row, index) => [
        row.date.slice(5),
        ...(row.download === null ? ['—', '—'] : [`${100 + index}.00 GB`, `${10 + index}.00 GB`]),
      ]),
    );
    const flow = await near('flow_model');
    await says(flow, '6,211', '4,201', '3,109', '421', '983', '90,001', '70,003', '50,021');
    await says(flow, t('home.unknown_platform', { n: '843' }));
    const [stage, slots] = [flow.locator('.chart').nth(0), flow.locator('.chart').nth(1)];
    expect((await tableOf(stage)).map((row) => row[1])).toEqual([41, 221, 313, 487, 761].map((n) => `${n}.00 GB`));
    expect(await tableOf(slots)).toHaveLength(6);
    expect((await tableOf(slots))[5]).toEqual(['20~24', '55.00 GB', '35.00 GB']);
    const people = await near('user_model');
    await says(people, '3,203', '6,101', '4,211', '3,121', '431', '991', 'Apple', '3,001', '2,711');
    await says(people, t('home.random', { n: '5,101' }), t('home.unknown_brand', { n: '1,907' }));
    const [stay, visits] = [people.locator('.chart').nth(0), people.locator('.chart').nth(1)];
    expect((await tableOf(stay)).map((row) => row[1])).toEqual(['4,111', '2,803', '2,111', '1,601', '907']);
    expect((await tableOf(visits)).map((row) => row[1])).toEqual(['401', '2,203', '3,119', '4,801', '7,603']);
    expect(visit.complaints).toEqual([]);
  });

  it('the trend shows a gap as a gap, for 7 or 30 days, and is read with the arrow keys', async () => {
    const t = await open(language, answerHome);
    const rows = (days: number) =>
      trend(days).map((row) => [
        row.date,
        ...[row.online_number, row.new_user_number, row.old_user_number].map((value) =>
          value === null ? t('chart.gap') : count(value),
        ),
      ]);
    const read = async () =>
      (await tableOf(card('trend'))).map(([date, online, ...rest]) => [date, online, ...rest.slice(-2)]);
    await expect.poll(read).toEqual(rows(7));
    await card('trend')
      .getByText(t('home.last_days', { n: 30 }), { exact: true })
      .click();
    await expect.poll(read).toEqual(rows(30));
    expect(new URL(page.url()).searchParams.get('trend')).toBe('30');
    await page.reload();
    await expect.poll(read).toEqual(rows(30));
    const chart = card('trend').getByRole('slider', { name: t('home.trend_chart', { n: 30 }) });
    await chart.focus();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    expect(await chart.getAttribute('aria-valuetext')).toContain(`2026-11-20: ${t('home.online_number')} 1,003`);
    await card('trend').locator('.chart-tip').getByText('1,003').waitFor();
  });
});

it.each(looks)('in %s and %s nothing of the full page is serious to axe', async (language, theme) => {
  await open(language, answerHome, theme);
  await near('flow_model');
  await near('user_model');
  await expect.poll(() => page.locator('[aria-busy]').count()).toBe(0);
  expect(await seriousIssues(page)).toEqual([]);
});

it('without a source nothing is shown as a number, and what would bring one is said', async () => {
  const t = await open('en', async (each) => {
    await answerHome(each);
    const { complex, flow_model } = answers;
    const nothing = {
      complex: {
        ...complex,
        ...{
          alarm_level_amount: { FATAL: null, MIDDLE: null, GENERAL: null },
          alarm_messages: [],
          alarm_source: 'none',
        },
        cumulative_flow: { ...complex.cumulative_flow, items: [], source: 'none' },
        ...{ intercept_number: null, intercept_source: 'none' },
      },
      flow_model: { ...flow_model, app_stage: [], app_times: [], auth_type: [], app_source: 'none' },
    };
    for (const [name, data] of Object.entries(nothing)) {
      await each.route(`**/user_stat/${name}`, (route) => route.fulfill({ json: { code: 2000, message: '', data } }));
    }
  });
  await says(card('flow'), '3.00 TB', t('source.application'), t('source.application_how'));
  await says(card('alarms'), '—', t('source.alarm'));
  await says(card('intercept'), '—', t('source.intercept'));
  const model = await near('flow_model');
  expect(await model.getByText(t('source.application'), { exact: true }).count()).toBe(2);
  await says(model, t('source.auth'));
});

/** The cards over each call. */
const behind = {
  'user_stat/complex': ['income', 'online', 'auth', 'intercept', 'alarms', 'flow'],
  'user_stat/ap_complex': ['bands', 'wireless'],
  'user_stat/client_num': ['trend'],
  'user_stat/flow_model': ['flow_model'],
  'user_stat/user_model': ['user_model'],
  'overview/attention': ['attention', 'networks', 'aps'],
  'job/list': ['jobs'],
} as const;

describe.each(Object.entries(behind))('when %s fails', (path, cards) => {
  it.each([401, 429, 500])('with %i, only its cards do, say so, and try again', async (status) => {
    const t = await open('en', async (each) => {
      await answerHome(each);
      await each.route(`**/api/v3/${path}`, (route) =>
        route.fulfill({
          status,
          headers: { 'retry-after': '17', 'x-request-id': 'req-7' },
          json: { code: status, message: '', data: null },
        }),
      );
    });
    for (const id of ['flow_model', 'user_model', ...cards]) await card(id).scrollIntoViewIfNeeded();
    for (const id of cards) await card(id).getByText(t('empty.failed')).waitFor();
    await expect.poll(() => page.locator('.board-item [aria-busy]').count()).toBe(0);
    const failed = page.locator('.board-item', { hasText: t('empty.failed') });
    expect(await failed.count()).toBe(cards.length);
    if (status === 429) await says(card(cards[0]), t('error.too_many', { seconds: 17 }));
    expect(new URL(page.url()).pathname).toBe('/');
    await page.unroute(`**/api/v3/${path}`);
    await answerHome(page);
    await card(cards[0])
      .getByRole('button', { name: t('action.retry') })
      .click();
    await expect.poll(() => failed.count()).toBe(0);
  });
});

it('the page shows what the server answers', async () => {
  const heard = new Map<string, Record<string, unknown>>();
  await until('the fleet is online', async () => {
    const data = await owner.call<{ networks: { online: number } }>('/api/v3/overview/attention', {});
    return data.networks.online === 1;
  });
  const t = await open('en', async (each) => {
    each.on('response', async (response) => {
      const path = new URL(response.url()).pathname.replace('/api/v3/', '');
      if (path in behind) heard.set(path, ((await response.json()) as { data: Record<string, unknown> }).data);
    });
  });
  await near('flow_model');
  await near('user_model');
  await expect.poll(() => [...heard.keys()].toSorted()).toEqual(Object.keys(behind).toSorted());
  const sums = heard.get('user_stat/complex') as unknown as typeof answers.complex;
  const air = heard.get('user_stat/ap_complex') as unknown as typeof answers.ap_complex;
  await says(
    card('online'),
    count(sums.current_online),
    t('home.today_online', { n: count(sums.today_online_amount) }),
  );
  await says(card('auth'), count(sums.current_auth), t('home.today_auth', { n: count(sums.today_auth_amount) }));
  await says(card('income'), `¥${sums.income}`);
  await says(card('bands'), count(air.ap_flow.online), count(air.ap_flow.online_5g));
  // the rings are drawn from another call than the sums; both say the same of the same moment
  expect([sums.router_online_number, sums.router_number]).toEqual([1, 1]);
  await says(card('networks'), '1 / 1');
  expect(visit.complaints).toEqual([]);
});

it('a number opens the list that it counts', async () => {
  await open('en', answerHome);
  const targets = async (id: string) =>
    card(id)
      .locator('.board-card a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  expect(await targets('networks')).toEqual(['/networks?status=online', '/networks?status=offline']);
  expect(await targets('alarms')).toContain('/alarm?level=FATAL');
  expect(await targets('online')).toEqual(['/networks/online_users', '/networks/online_users?tab=today']);
  await card('networks').getByRole('link').first().click();
  await page.waitForURL('**/networks?status=online');
});

it('a number explains itself', async () => {
  const t = await open('en', answerHome);
  const name = t('card.online');
  await card('online')
    .getByRole('button', { name: t('explain.title', { name }) })
    .focus();
  await page.keyboard.press('Enter');
  const popup = page.getByRole('dialog', { name: t('explain.title', { name }) });
  await popup.getByText(t('explain.online.what')).waitFor();
  await popup.getByText(t('explain.online.source')).waitFor();
  expect(await popup.locator('time').getAttribute('datetime')).toBe(answers.complex.as_of);
  await page.keyboard.press('Escape');
  await popup.waitFor({ state: 'hidden' });
});

it('cards are moved by keys and pointer, hidden and brought back, and stay so', async () => {
  const t = await open('en', answerHome);
  const order = () =>
    page.locator('.board-item').evaluateAll((all) => all.map((each) => (each as HTMLElement).dataset.card));
  expect((await order()).slice(0, 4)).toEqual(['income', 'online', 'auth', 'intercept']);
  await page.getByRole('button', { name: t('board.arrange') }).click();
  await page.locator('#grip-income').focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  expect((await order()).slice(0, 4)).toEqual(['online', 'auth', 'income', 'intercept']);
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('grip-income');
  await page.getByText(t('board.moved', { name: t('card.income'), n: 3, total: 15 })).waitFor();
  await page.locator('#grip-intercept').dragTo(page.locator('#grip-online'));
  expect((await order()).slice(0, 4)).toEqual(['intercept', 'online', 'auth', 'income']);
  await page.getByRole('button', { name: t('board.hide', { name: t('card.auth') }) }).click();
  expect(await order()).not.toContain('auth');
  await page.getByRole('button', { name: t('board.done') }).click();
  await page.reload();
  await page.locator('.board-item').first().waitFor();
  expect((await order()).slice(0, 3)).toEqual(['intercept', 'online', 'income']);
  await page.getByRole('button', { name: t('board.arrange') }).click();
  await page
    .locator('.board-hidden')
    .getByRole('button', { name: t('card.auth') })
    .click();
  expect(await order()).toContain('auth');
  await page.getByRole('button', { name: t('board.reset') }).click();
  expect((await order()).slice(0, 4)).toEqual(['income', 'online', 'auth', 'intercept']);
});

it('the page reads again every 30 s, unless it is paused', async () => {
  let asked = 0;
  const t = await open('en', async (each) => {
    await each.clock.install();
    await answerHome(each);
    each.on('request', (request) => {
      if (request.url().endsWith('/user_stat/complex')) asked++;
    });
  });
  await says(card('online'), '2,027');
  const first = asked;
  await page.clock.runFor(31_000);
  await expect.poll(() => asked).toBeGreaterThan(first);
  await page.getByRole('button', { name: t('home.pause') }).click();
  await page.getByText(t('home.paused')).waitFor();
  const before = asked;
  await page.clock.runFor(65_000);
  await card('trend')
    .getByText(t('home.last_days', { n: 30 }), { exact: true })
    .click();
  await expect.poll(async () => (await tableOf(card('trend'))).length).toBe(30);
  expect(asked).toBe(before);
  await page.getByRole('button', { name: t('home.resume') }).click();
  await expect.poll(() => asked).toBeGreaterThan(before);
});

describe('the business notice', () => {
  it('is shown once in a browser', async () => {
    const t = await open('en', async (each) => answerNotice(each, false));
    const notice = page.getByRole('dialog', { name: t('notice.title') });
    await notice.getByText(t('notice.body', { n: 4 })).waitFor();
    await notice.getByRole('button', { name: t('notice.close') }).click();
    await notice.waitFor({ state: 'detached' });
    await page.reload();
    await card('attention').waitFor();
    await expect.poll(() => page.locator('[aria-busy]').count()).toBe(0);
    expect(await notice.count()).toBe(0);
  });

  it('tells the server when it is not to come again, and the server remembers', async () => {
    const t = await open('en', async (each) => answerNotice(each, false));
    const told = page.waitForResponse('**/api/v3/open/hidden_star_dialog');
    await page.getByLabel(t('notice.never')).check();
    await page.getByRole('button', { name: t('notice.close') }).click();
    expect((await told).request().method()).toBe('GET');
    await until(
      'it is hidden',
      async () => (await owner.call<{ is_hidden: boolean }>('/api/v3/open/get_active_details', {})).is_hidden,
    );
  });

  it.each([
    [true, 4],
    [false, 0],
  ])('is not shown when hidden is %s and %i routers are small', async (hidden, routers) => {
    const t = await open('en', async (each) => answerNotice(each, hidden, routers));
    await card('attention').waitFor();
    await expect.poll(() => page.locator('[aria-busy]').count()).toBe(0);
    expect(await page.getByRole('dialog', { name: t('notice.title') }).count()).toBe(0);
  });

  it('does not cover how to connect the first device', async () => {
    const newcomer = await register(product, 'newcomer@example.org');
    const t = texts('en');
    visit = await openPage(browser, product.url, 'en', 'light', { token: newcomer.token });
    page = visit.page;
    await answerNotice(page, false);
    await page.goto(product.url);
    await page.getByRole('heading', { name: t('overview.start') }).waitFor();
    await page.getByText(t('waiting.guide')).first().waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });
});
