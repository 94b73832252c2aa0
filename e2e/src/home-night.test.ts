import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { seriousIssues, twoLooks } from './browser.ts';
import { answerHome, gwidOf, tilesOf } from './home-answers.ts';
import { Home, says } from './home-page.ts';

let home: Home;

beforeAll(async () => {
  home = await Home.start();
});
afterEach(({ task }) => home?.leave(task.result?.state === 'fail' ? task.name : null));
afterAll(() => home?.stop());

const as_of = '2026-11-23T01:00:00.000Z';

const problems = (networks: number) => ({
  as_of,
  total: networks,
  networks: 40,
  list: Array.from({ length: Math.min(20, networks) }, (_, n) => ({
    gwid: gwidOf(n),
    remark: `Shop-${n}`,
    level: n === 0 ? 'FATAL' : 'MIDDLE',
    clients: n === 1 ? null : 31 - n,
    since: '2026-11-22T23:00:00.000Z',
    total: n === 0 ? 4 : 1,
    problems: [
      {
        alarm_id: gwidOf(900 + n),
        kind: 'gateway_offline',
        level: 'FATAL',
        serial: '02000000000a',
        part: '',
        name: `Router-${n}`,
        since: '2026-11-22T23:00:00.000Z',
        devices: 5,
        clients: 31 - n,
      },
    ],
  })),
});

const trouble = (more: object = {}) => ({
  alarm: null,
  cause: 'power',
  planned: null,
  began_at: '2026-11-22T15:30:00.000Z',
  ended_at: '2026-11-22T19:42:00.000Z',
  seconds: 15_120,
  times: 1,
  devices: 5,
  whole: true,
  clients: 37,
  clients_unknown: 0,
  ...more,
});

const night = (networks: number, more: object = {}) => ({
  as_of,
  night: '2026-11-23',
  latest: '2026-11-23',
  running: false,
  networks: 40,
  devices: 312,
  console_s: 0,
  from: '2026-11-22T14:00:00.000Z',
  to: '2026-11-23T00:00:00.000Z',
  total: networks,
  list: Array.from({ length: Math.min(100, networks) }, (_, n) => ({
    gwid: gwidOf(n),
    remark: `Shop-${n}`,
    troubles: [
      trouble(),
      ...(n === 0
        ? [trouble({ cause: 'link', devices: 2, whole: false, seconds: 600, times: 3, clients: 8, clients_unknown: 1 })]
        : []),
      ...(n === 1 ? [trouble({ alarm: 'wan_down', cause: null, whole: false, devices: 1, clients: null })] : []),
    ],
  })),
  planned_total: 0,
  planned: [],
  ...more,
});

const ranking = (networks: number) => ({
  as_of,
  from: '2026-11-22T01:00:00.000Z',
  total: networks,
  list: Array.from({ length: Math.min(10, networks) }, (_, n) => ({
    gwid: gwidOf(n),
    remark: `Shop-${n}`,
    status: n === 0 ? 'offline' : 'online',
    planned_s: 0,
    alarms: { FATAL: n === 0 ? 2 : 0, MIDDLE: 0, GENERAL: 0 },
    availability: n === 0 ? 97.5 : 100,
    out_s: n === 0 ? 15_120 : 0,
    clients: Array.from({ length: 24 }, (_, hour) => (hour === 5 ? null : hour + n)),
    traffic: n === 2 ? Array(24).fill(null) : Array.from({ length: 24 }, (_, hour) => hour * 1024 ** 3),
  })),
});

async function open(language: 'en' | 'zh-CN', networks: number, more: object = {}, theme?: 'light' | 'dark') {
  const asked: object[] = [];
  const t = await home.open(
    language,
    async (page) => {
      await answerHome(page);
      const bodies = {
        problems: problems(networks),
        night: night(networks, more),
        ranking: ranking(networks),
        tiles: tilesOf(networks),
      };
      for (const [name, data] of Object.entries(bodies)) {
        await page.route(`**/api/v3/overview/${name}`, (route) => {
          if (name === 'night') asked.push(route.request().postDataJSON());
          return route.fulfill({ json: { code: 2000, message: '', data } });
        });
      }
    },
    theme,
  );
  return { t, asked };
}

describe.each(['zh-CN', 'en'] as const)('in %s', (language) => {
  it('answers which shops had problems last night, how long and how many clients', async () => {
    const { t } = await open(language, 3);
    const card = home.card('outages');
    await says(card, 'Shop-0', t('outages.cause_power'), t('time.hours_minutes', { h: 4, m: 12 }), '37');
    await says(card, t('night.several', { time: t('time.minutes', { n: 10 }), n: 3 }));
    await says(card, t('night.clients_some', { clients: 8, n: 1 }), t('alarm.kind_wan_down'));
    await says(card, t('trouble.unknown'), t('night.whole', { n: 5 }));
    const problem = home.card('problems');
    await says(problem, 'Shop-0', t('problems.of_device', { what: t('alarm.kind_gateway_offline'), name: 'Router-0' }));
    await says(problem, t('problems.others', { n: 3 }), '31', t('trouble.unknown'));
    const link = problem.locator('tbody tr').first().getByRole('link').nth(1);
    expect(await link.getAttribute('href')).toBe(`/alarm?alarm=${gwidOf(900)}`);
    const rank = home.card('ranking');
    await rank.scrollIntoViewIfNeeded();
    await says(rank, 'Shop-0', '97.5%', t('ranking.no_reports'));
    expect(await rank.locator('tbody tr').first().locator('.sparkline').count()).toBe(2);
    expect(home.errors).toEqual([]);
  });
});

it('says of a quiet night what was measured, and puts planned work apart', async () => {
  const planned = [{ gwid: gwidOf(9), remark: 'Shop-9', troubles: [trouble({ cause: 'planned', planned: 'own' })] }];
  const { t } = await open('en', 0, { planned, planned_total: 1 });
  const card = home.card('outages');
  await says(card, t('night.none'));
  await card.getByText('40 networks with 312 devices').waitFor();
  expect(await card.getByText('Shop-9').isVisible()).toBe(false);
  await card.getByText(t('night.planned', { n: 1 })).focus();
  await home.page.keyboard.press('Enter');
  await card.getByText('Shop-9').waitFor();
  await says(home.card('problems'), t('problems.calm'));
});

it('asks for another night by keyboard, keeps it in the address, and exports it', async () => {
  const { t, asked } = await open('en', 3);
  const choice = home.card('outages').getByLabel(t('night.choose'), { exact: true });
  await says(home.card('outages'), 'Shop-0');
  await choice.selectOption({ label: t('night.of', { from: '11-20', to: '11-21' }) });
  await expect.poll(() => asked.at(-1)).toEqual({ night: '2026-11-21' });
  expect(new URL(home.page.url()).searchParams.get('night')).toBe('2026-11-21');
  await home.page.reload();
  await expect.poll(() => choice.inputValue()).toBe('2026-11-21');
  await choice.selectOption({ label: t('night.last_day') });
  await expect.poll(() => asked.at(-1)).toEqual({ last_day: true });
  const [file] = await Promise.all([
    home.page.waitForEvent('download'),
    home
      .card('outages')
      .getByRole('button', { name: t('night.export') })
      .click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/^last-night-.*\.csv$/);
});

it('is one line each when all is well, and the networks follow', async () => {
  const { t } = await open('en', 0);
  for (const [id, text] of [
    ['problems', 'problems.calm'],
    ['outages', 'night.none'],
  ] as const) {
    await says(home.card(id), t(text));
    expect((await home.card(id).boundingBox())!.height).toBeLessThan(60);
  }
  await home.card('outages').getByText('40 networks with 312 devices').waitFor();
  await says(home.card('tiles'), t('tiles.no_network'));
});

it.each(['zh-CN', 'en'] as const)(
  'in %s a tile says state, clients, line and hours, trouble first',
  async (language) => {
    const { t } = await open(language, 40);
    const tiles = home.card('tiles').locator('.tiles > li');
    await expect.poll(() => tiles.count()).toBe(40);
    const [bad, good, unmeasured] = [tiles.first(), tiles.nth(7), tiles.nth(6)];
    await says(bad, 'Shop-0', '+1', t('tiles.hit', { n: 31 }));
    await bad.getByText(t('problems.of_device', { what: t('alarm.kind_gateway_offline'), name: 'Router-0' })).waitFor();
    expect(await bad.getAttribute('data-tone')).toBe('bad');
    expect(await bad.getByRole('link').getAttribute('href')).toBe(`/network/${gwidOf(0)}`);
    await says(good, 'Shop-2', t('strip.line', { latency: 18, loss: '0.3' }));
    await good.getByText(t('status.online')).waitFor();
    expect(await good.locator('.sparkline-line').count()).toBe(2);
    await says(unmeasured, 'Shop-1', t('tiles.unmeasured'));
  },
);

it('shows ten tiles on a phone, and all when asked', async () => {
  const { t } = await open('en', 40);
  await home.page.setViewportSize({ width: 390, height: 844 });
  const tiles = home.card('tiles').locator('.tiles > li:visible');
  await expect.poll(() => tiles.count()).toBe(10);
  await home
    .card('tiles')
    .getByRole('button', { name: t('night.all', { n: 40 }) })
    .click();
  await expect.poll(() => tiles.count()).toBe(40);
  expect(await home.page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});

it('groups a thousand networks by tag', async () => {
  const { t } = await open('en', 1000);
  const card = home.card('tiles');
  await card.getByRole('heading', { name: t('tiles.by_tag') }).waitFor();
  const tiles = card.locator('.tiles').first().locator('> li');
  expect(await tiles.count()).toBe(10);
  await card.getByRole('button', { name: t('night.all', { n: 60 }) }).click();
  expect(await tiles.count()).toBe(60);
  await says(card, t('problems.more', { n: 143 - 60 }));
  const group = card.locator('.tile-groups li').first();
  await says(group, 'hotel', t('tiles.troubled', { n: 10 }), t('tiles.group_online', { online: '290', total: '300' }));
  await group.getByRole('link').click();
  await home.page.waitForURL('**/networks?tag=hotel');
});

it.each([1280, 1440])(
  'at %i the first 900 pixels hold figures, problems, night and networks, however many',
  async (width) => {
    for (const networks of [3, 40, 1000]) {
      const { t } = await open('en', networks);
      await home.page.setViewportSize({ width, height: 900 });
      // with income there is one more row above
      await says(home.card('problems'), 'Shop-0');
      await says(home.card('outages'), 'Shop-0');
      await says(home.card('tiles'), 'Shop-0');
      for (const id of ['problems', 'outages']) {
        const box = await home.card(id).boundingBox();
        expect(box!.y + box!.height, id).toBeLessThan(800);
      }
      const tile = await home.card('tiles').locator('.tile').first().boundingBox();
      expect(tile!.y + tile!.height).toBeLessThan(900);
      const wide = await home.page.evaluate(() => document.documentElement.scrollWidth);
      expect(wide).toBeLessThanOrEqual(width);
      if (networks > 6) {
        await says(home.card('problems'), t('problems.more', { n: networks - 4 }));
        const all = home.card('outages').getByRole('button', { name: t('night.all', { n: Math.min(100, networks) }) });
        await all.click();
        await expect.poll(() => home.card('outages').locator('tbody tr').count()).toBe(Math.min(100, networks) + 2);
      }
      await home.leave(null);
    }
  },
);

it('leaves no stretch of 600 pixels empty, and keeps cards of one number low', async () => {
  await open('en', 40);
  for (const id of ['income', 'online', 'auth', 'intercept'])
    expect((await home.card(id).boundingBox())!.height, id).toBeLessThan(140);
  await home.near('flow_model');
  await home.near('user_model');
  await expect.poll(() => home.busy()).toBe(0);
  // vertical gaps between texts and drawings of the page
  const widest = await home.page.evaluate(() => {
    const spans = [...document.querySelectorAll('main :is(h1, h2, h3, p, a, li, td, svg, button)')]
      .map((element) => element.getBoundingClientRect())
      .filter(({ width, height }) => width > 0 && height > 0)
      .toSorted((a, b) => a.top - b.top);
    let [bottom, gap] = [spans[0]?.bottom ?? 0, 0];
    for (const { top, bottom: next } of spans) {
      gap = Math.max(gap, top - bottom);
      bottom = Math.max(bottom, next);
    }
    return gap;
  });
  expect(widest).toBeLessThan(200);
});

it.each(twoLooks)('in %s and %s nothing of the cards is serious to axe', async (language, theme) => {
  await open(language, language === 'en' ? 40 : 1000, {}, theme);
  await home.card('ranking').scrollIntoViewIfNeeded();
  await says(home.card('ranking'), 'Shop-0');
  await expect.poll(() => home.busy()).toBe(0);
  expect(await seriousIssues(home.page)).toEqual([]);
});
