import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  keepPicture,
  type Language,
  openPage,
  seriousIssues,
  startBrowser,
  type Text,
  type Theme,
  texts,
  twoLooks,
  type Visit,
} from './browser.ts';
import { tableOf } from './home-page.ts';
import { type Person, register } from './person.ts';
import { type Product, startProduct } from './product.ts';

const places = 24;
const [from, to] = ['2026-11-20T08:00:00.000Z', '2026-11-21T08:00:00.000Z'];
const stretch = { as_of: to, from, to };
const ap = { gwid: '01a1f97f-0000-7000-8000-000000000001', serial: '00005e005301' };

const line = (base: number) => Array.from({ length: places }, (_, index) => (index === 2 ? null : base + index));
const none = Array.from({ length: places }, () => null);
const lines = (base: number) => {
  const byBand = { '2.4G': line(base), '5G': line(base + 100), '6G': none };
  return {
    terminals: byBand,
    flow: byBand,
    utilization: { '2.4G': line(base), '5G': none, '6G': none },
    noise: { '2.4G': line(-99), '5G': none, '6G': none },
    weak: line(1),
    retries: line(2),
    rate: line(3000),
  };
};

const weak = {
  part: 'weak',
  weight: 20,
  value: 44,
  measured: 30.2,
  good: 5,
  bad: 50,
  raw: [
    { name: 'weak', value: 1237 },
    { name: 'sightings', value: 4091 },
  ],
};
const answers = {
  summary: {
    as_of: to,
    aps: {
      total: 311,
      statuses: [
        { name: 'online', value: 307 },
        { name: 'offline', value: 4 },
      ],
    },
    bands: [
      { name: '2.4G', online: 1733, peak: 2011.4, peak_at: from },
      { name: '5G', online: 2579, peak: 3001, peak_at: from },
      { name: '6G', online: 0, peak: null, peak_at: null },
    ],
  },
  score: { ...stretch, score: 71, aps: 307, radios: 613, parts: [weak], missing: ['noise', 'retries'] },
  worst: {
    ...stretch,
    compared: 307,
    list: [
      {
        ...ap,
        name: '<b>Lobby</b>',
        network: 'West',
        status: 'online',
        score: 44,
        pulled_by: 'weak',
        parts: [weak],
        missing: ['noise'],
      },
      {
        ...ap,
        serial: '53494d000099',
        name: 'Sound',
        network: 'West',
        status: 'online',
        score: 100,
        pulled_by: null,
        parts: [],
        missing: [],
      },
    ],
  },
  series: { ...stretch, step_s: 3600, current: lines(10), previous: lines(50) },
};

let product: Product;
let browser: Browser;
let owner: Person;
let gwid: string;
let visit: Visit | undefined;

beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), startBrowser()]);
  owner = await register(product, 'owner@example.org');
  ({ gwid } = await owner.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Lobby' }));
});
afterEach(async ({ task }) => {
  if (visit && task.result?.state === 'fail') await keepPicture(visit.page, `wireless monitor ${task.name}`);
  await visit?.context.close();
  visit = undefined;
});
afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

async function open(language: Language, options: { theme?: Theme; real?: boolean } = {}): Promise<[Page, Text]> {
  visit = await openPage(browser, product.url, language, options.theme ?? 'light', { token: owner.token });
  const { page } = visit;
  if (!options.real) {
    await page.route('**/api/v3/wireless/*', (route) => {
      const name = new URL(route.request().url()).pathname.split('/').at(-1) as keyof typeof answers;
      return route.fulfill({ json: { code: 2000, message: '', data: answers[name] } });
    });
  }
  await page.goto(`${product.url}/wireless_monitor?step=1h`);
  return [page, texts(language)];
}

const panel = (page: Page, title: string) =>
  page.locator('.card').filter({ has: page.getByRole('heading', { level: 2, name: title, exact: true }) });

describe.each(['zh-CN', 'en'] as const)('in %s', (language) => {
  it('the score shows its parts, what was not reported, and an explanation of each part', async () => {
    const [page, t] = await open(language);
    const score = panel(page, t('radio.score'));
    await score.getByRole('img', { name: t('radio.score_label', { n: 71, level: t('radio.level_fair') }) }).waitFor();
    await expect.poll(() => score.getByText(t('radio.not_told'), { exact: true }).count()).toBe(2);
    await score.getByText('30.2%', { exact: true }).waitFor();
    await score.getByRole('button', { name: t('radio.about', { name: t('radio_part.weak') }) }).click();
    const about = page.getByRole('dialog');
    await about.getByText(t('radio_what.weak')).waitFor();
    for (const text of ['1,237', '4,091', t('radio.scale_text', { good: '5%', bad: '50%' })]) {
      await about.getByText(text, { exact: true }).waitFor();
    }
    expect(visit?.errors).toEqual([]);
  });

  it('an access point with all points is not among the worst, and a missing network is reported once', async () => {
    const [page, t] = await open(language);
    const worst = panel(page, t('radio.worst'));
    await worst.getByRole('link', { name: '<b>Lobby</b>' }).waitFor();
    expect(await worst.locator('tbody tr').count()).toBe(1);
    await worst.getByText(t('radio.rest_full', { n: 306 })).waitFor();
    await page.unrouteAll();
    await page.goto(`${product.url}/wireless_monitor/00000000-0000-4000-8000-000000000000`);
    await page.getByRole('heading', { name: t('radio.missing') }).waitFor();
    expect(await page.getByText(t('empty.failed')).count()).toBe(0);
    expect(visit?.errors).toEqual([]);
  });

  it('the worst access points lead to themselves, and charts show gaps and the day before', async () => {
    const [page, t] = await open(language);
    const link = panel(page, t('radio.worst')).getByRole('link', { name: '<b>Lobby</b>' });
    expect(await link.getAttribute('href')).toBe(`/network/aps/${ap.gwid}?device=${ap.serial}`);
    const rows = async () => (await tableOf(panel(page, t('radio_chart.terminals')))).map(([, ...values]) => values);
    const gap = t('chart.gap');
    await expect
      .poll(rows)
      .toEqual(
        Array.from({ length: places }, (_, index) =>
          index === 2 ? [gap, gap, gap, gap] : [10, 50, 110, 150].map((base) => String(base + index)),
        ),
      );
    const noise = async () => (await tableOf(panel(page, t('radio_part.noise'))))[0]?.slice(1);
    await expect.poll(noise).toEqual(['-99 dBm', '-99 dBm']);
  });
});

it('one failing panel harms only itself, and comes back', async () => {
  const [page, t] = await open('en');
  await page.route('**/api/v3/wireless/score', (route) => route.abort());
  await page.reload();
  const score = panel(page, t('radio.score'));
  await score.getByText(t('empty.failed')).waitFor();
  await panel(page, t('radio.worst')).getByRole('link', { name: 'West' }).waitFor();
  await panel(page, '2.4G').getByText('1,733').waitFor();
  await page.unroute('**/api/v3/wireless/score');
  await score.getByRole('button', { name: t('action.retry') }).click();
  await score.getByText(t('radio.level_fair')).waitFor();
});

it('a network is found and chosen; one without access points says so', async () => {
  const [page, t] = await open('en', { real: true });
  await page.getByText(t('radio.empty'), { exact: true }).waitFor();
  await page.getByRole('button', { name: t('radio.all_networks') }).click();
  await page.getByLabel(t('radio.find')).fill('lob');
  await page.getByRole('dialog').getByRole('link', { name: 'Lobby' }).click();
  await page.getByText(t('radio.empty_network'), { exact: true }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/wireless_monitor/${gwid}`);
  await page.getByRole('link', { name: t('radio.all_networks') }).click();
  await page.getByText(t('radio.empty'), { exact: true }).waitFor();
});

it.each(twoLooks)('in %s and %s nothing of the page is serious to axe', async (language, theme) => {
  const [page, t] = await open(language, { theme });
  await panel(page, t('radio_chart.rate')).locator('.chart-line').first().waitFor();
  expect(await seriousIssues(page)).toEqual([]);
});
