import { startFleet } from '@yunxun/simulator';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { seriousIssues, twoLooks } from './browser.ts';
import { answerHome, answers, strip, trend } from './home-answers.ts';
import { count, Home, says, tableOf } from './home-page.ts';
import { until } from './until.ts';

let home: Home;

beforeAll(async () => {
  home = await Home.start();
});
afterEach(({ task }) => home?.leave(task.result?.state === 'fail' ? task.name : null));
afterAll(() => home?.stop());

describe.each(['zh-CN', 'en'] as const)('in %s', (language) => {
  it('every number of the API is in its card', async () => {
    const t = await home.open(language, answerHome);
    await says(home.figure('networks'), '23', '/ 29', '−2', t('strip.offline', { n: 6 }));
    await says(home.figure('devices'), '401', '/ 410', '±0');
    await says(home.figure('clients'), '2,027', t('home.today_online', { n: '4,051' }), '+12%');
    await says(home.figure('internet'), '431.00 GB', t('strip.line', { latency: 18, loss: '0.1' }), '−3%');
    await says(home.figure('guests'), '1,013', t('home.today_auth', { n: '3,049' }), t('strip.no_sessions'));
    await says(home.figure('income'), '¥12,840.50', '+8%');
    await says(home.figure('alarms'), '81', '+5', t('strip.fatal', { n: 7 }));
    expect(await home.page.locator('.strip .sparkline').count()).toBe(6);
    await says(home.card('networks'), '23 / 29');
    await says(home.card('aps'), '307 / 311');
    await says(home.card('income'), '¥12,840.50');
    await says(home.card('online'), '2,027', t('home.today_online', { n: '4,051' }));
    await says(home.card('auth'), '1,013', t('home.today_auth', { n: '3,049' }));
    await says(home.card('intercept'), '1,201');
    await says(home.card('alarms'), '7', '13', '61', 'Switch port 3 is down', '<img src=x onerror=alert(1)>');
    await says(home.card('flow'), '3.00 TB', '900.00 GB', '450.00 GB', '300.00 GB', t('source.partial'));
    expect(await home.card('flow').getByText('17.00 GB').count()).toBe(0);
    await says(home.card('bands'), '1,733', '2,579', '19', count(1733 + 2579 + 19));
    await says(home.card('wireless'), '311.00 GB', '47.00 GB', '2.00 TB');
    expect(await tableOf(home.card('wireless'))).toEqual(
      answers.ap_complex.days.map((row, index) => [
        row.date.slice(5),
        ...(row.download === null
          ? [t('gap.no_report'), t('gap.no_report')]
          : [`${100 + index}.00 GB`, `${10 + index}.00 GB`]),
      ]),
    );
    const flow = await home.near('flow_model');
    await says(flow, '6,211', '4,201', '3,109', '421', '983', '90,001', '70,003', '50,021');
    await says(flow, t('home.unknown_platform', { n: '843' }));
    const [stage, slots] = [flow.locator('.chart').nth(0), flow.locator('.chart').nth(1)];
    expect((await tableOf(stage)).map((row) => row[1])).toEqual([41, 221, 313, 487, 761].map((n) => `${n}.00 GB`));
    expect(await tableOf(slots)).toHaveLength(6);
    expect((await tableOf(slots))[5]).toEqual(['20~24', '55.00 GB', '35.00 GB']);
    const people = await home.near('user_model');
    await says(people, '3,203', '6,101', '4,211', '3,121', '431', '991', 'Apple', '3,001', '2,711');
    await says(people, t('home.random', { n: '5,101' }), t('home.unknown_brand', { n: '1,907' }));
    const [stay, visits] = [people.locator('.chart').nth(0), people.locator('.chart').nth(1)];
    expect((await tableOf(stay)).map((row) => row[1])).toEqual(['4,111', '2,803', '2,111', '1,601', '907']);
    expect((await tableOf(visits)).map((row) => row[1])).toEqual(['401', '2,203', '3,119', '4,801', '7,603']);
    expect(home.errors).toEqual([]);
  });

  it('the trend shows a gap as a gap, for 7 or 30 days, and is read with the arrow keys', async () => {
    const t = await home.open(language, answerHome);
    const rows = (days: number) =>
      trend(days).map((row) => [
        row.date,
        ...[row.online_number, row.new_user_number, row.old_user_number].map((value) =>
          value === null ? t('gap.not_counted') : count(value),
        ),
      ]);
    const read = async () =>
      (await tableOf(home.card('trend'))).map(([date, online, ...rest]) => [date, online, ...rest.slice(-2)]);
    await expect.poll(read).toEqual(rows(7));
    await home
      .card('trend')
      .getByText(t('home.last_days', { n: 30 }), { exact: true })
      .click();
    await expect.poll(read).toEqual(rows(30));
    expect(new URL(home.page.url()).searchParams.get('trend')).toBe('30');
    await home.page.reload();
    await expect.poll(read).toEqual(rows(30));
    const chart = home.card('trend').getByRole('slider', { name: t('home.trend_chart', { n: 30 }) });
    await chart.focus();
    await home.page.keyboard.press('End');
    await home.page.keyboard.press('ArrowLeft');
    expect(await chart.getAttribute('aria-valuetext')).toContain(`2026-11-20: ${t('home.online_number')} 1,003`);
    await home.card('trend').locator('.chart-tip').getByText('1,003').waitFor();
  });
});

it.each(twoLooks)('in %s and %s nothing of the full page is serious to axe', async (language, theme) => {
  await home.open(language, answerHome, theme);
  await home.near('flow_model');
  await home.near('user_model');
  await expect.poll(() => home.busy()).toBe(0);
  expect(await seriousIssues(home.page)).toEqual([]);
});

it('cards without a source step back, one line says what would bring them, and they return with a source', async () => {
  const t = await home.open('en', async (each) => {
    await answerHome(each);
    const { complex, flow_model } = answers;
    const nothing = {
      complex: {
        ...complex,
        cumulative_flow: { ...complex.cumulative_flow, items: [], source: 'none' },
        intercept_number: null,
        intercept_source: 'none',
      },
      flow_model: { ...flow_model, app_stage: [], app_times: [], auth_type: [], app_source: 'none' },
    };
    for (const [name, data] of Object.entries(nothing)) {
      await each.route(`**/user_stat/${name}`, (route) => route.fulfill({ json: { code: 2000, message: '', data } }));
    }
    const data = { ...strip, income: { today: '0.00', source: 'none', change: null, curve: Array(14).fill(null) } };
    await each.route('**/overview/strip', (route) => route.fulfill({ json: { code: 2000, message: '', data } }));
  });
  await says(home.figure('income'), '—', t('strip.no_payment'));
  const line = home.page.locator('.absent');
  for (const id of ['income', 'intercept', 'flow'] as const) await line.getByText(t(`absent.${id}`)).waitFor();
  const order = await home.order();
  expect(order[0]).toBe('problems');
  for (const id of ['income', 'intercept', 'flow']) expect(order).not.toContain(id);
  const model = await home.near('flow_model');
  await says(model, t('metric.client_type'));
  expect(await model.getByRole('heading', { level: 3 }).allTextContents()).toEqual([
    t('metric.stage'),
    t('metric.client_type'),
  ]);
  // the first payment returns its card
  await answerHome(home.page);
  await home.page.reload();
  await expect.poll(async () => (await home.order())[0]).toBe('income');
  expect(await line.count()).toBe(0);
});

const behind = {
  'overview/strip': ['income', 'online', 'auth', 'networks', 'aps'],
  'overview/tiles': ['tiles'],
  'user_stat/complex': ['intercept', 'alarms', 'flow'],
  'user_stat/ap_complex': ['bands', 'wireless'],
  'user_stat/client_num': ['trend'],
  'user_stat/flow_model': ['flow_model'],
  'user_stat/user_model': ['user_model'],
  'overview/problems': ['problems'],
  'overview/night': ['outages'],
  'overview/ranking': ['ranking'],
  'overview/attention': ['attention'],
  'job/list': ['jobs'],
} as const;

describe.each(Object.entries(behind))('when %s fails', (path, cards) => {
  it.each([401, 429, 500])('with %i, only its cards do, say so, and try again', async (status) => {
    const t = await home.open('en', async (each) => {
      await answerHome(each);
      await each.route(`**/api/v3/${path}`, (route) =>
        route.fulfill({
          status,
          headers: { 'retry-after': '17', 'x-request-id': 'req-7' },
          json: { code: status, message: '', data: null },
        }),
      );
    });
    for (const id of ['flow_model', 'user_model', ...cards]) await home.card(id).scrollIntoViewIfNeeded();
    for (const id of cards) await home.card(id).getByText(t('empty.failed')).waitFor();
    await expect.poll(() => home.page.locator('.board-item [aria-busy]').count()).toBe(0);
    const failed = home.page.locator('.board-item', { hasText: t('empty.failed') });
    expect(await failed.count()).toBe(cards.length);
    if (status === 429) await says(home.card(cards[0]), t('error.too_many', { seconds: 17 }));
    expect(new URL(home.page.url()).pathname).toBe('/');
    await home.page.unroute(`**/api/v3/${path}`);
    await answerHome(home.page);
    await home
      .card(cards[0])
      .getByRole('button', { name: t('action.retry') })
      .click();
    await expect.poll(() => failed.count()).toBe(0);
  });
});

it('the page shows what the server answers', async () => {
  const heard = new Map<string, Record<string, unknown>>();
  const place = { consoleUrl: home.product.url, bindingCode: home.owner.bindingCode, gwid: home.gwid };
  const fleet = await startFleet({ ...place, gateways: 1, aps: 2, seed: 'home', speedUp: 20 });
  onTestFinished(() => fleet.stop());
  await until('the fleet is online', async () => {
    const data = await home.owner.call<{ networks: { online: number } }>('/api/v3/overview/attention', {});
    return data.networks.online === 1;
  });
  const t = await home.open('en', async (each) => {
    each.on('response', async (response) => {
      const path = new URL(response.url()).pathname.replace('/api/v3/', '');
      if (!(path in behind)) return;
      // a page that is left drops its answers
      const answer = (await response.json().catch(() => null)) as { data: Record<string, unknown> } | null;
      if (answer) heard.set(path, answer.data);
    });
  });
  await home.near('flow_model');
  await home.near('user_model');
  await expect.poll(() => [...heard.keys()].toSorted()).toEqual(Object.keys(behind).toSorted());
  // the fleet keeps changing
  const sums = () => heard.get('user_stat/complex') as unknown as typeof answers.complex;
  const air = () => heard.get('user_stat/ap_complex') as unknown as typeof answers.ap_complex;
  const shows = (id: string, wanted: () => readonly string[]) =>
    expect
      .poll(async () => {
        const texts = await home.card(id).locator('.figure, .small, .band strong, .ring-note').allTextContents();
        return wanted().filter((text) => !texts.includes(text));
      })
      .toEqual([]);
  const top = () => heard.get('overview/strip') as unknown as typeof strip;
  await shows('online', () => [count(top().clients.now), t('home.today_online', { n: count(top().clients.today) })]);
  await shows('auth', () => [count(top().guests.now), t('home.today_auth', { n: count(top().guests.today) })]);
  await shows('bands', () => [count(air().ap_flow.online), count(air().ap_flow.online_5g)]);
  // from different calls, but must agree
  await shows('networks', () => [`${sums().router_online_number} / ${sums().router_number}`]);
  await shows('aps', () => [`${sums().ap_online_number} / ${sums().ap_number}`]);
  expect(home.errors).toEqual([]);
  await home.card('problems').getByText(t('problems.calm'), { exact: true }).waitFor();
  const tile = home.card('tiles').locator('.tiles > li');
  await says(tile, 'Lobby');
  expect(await tile.first().getAttribute('data-tone')).toBe('ok');
  const [lost] = fleet.status().filter(({ role }) => role === 'access-point' || role === 'ap');
  fleet.device(lost!.serial).stop();
  await says(home.card('problems'), t('status.offline'));
  await expect.poll(() => tile.first().getAttribute('data-tone')).toBe('bad');
  await says(home.figure('devices'), '2');
  await home
    .card('aps')
    .getByRole('link', { name: t('status.offline') })
    .click();
  await home.page.waitForURL('**/network/aps?status=offline');
  await home.page.getByRole('heading', { name: t('aps.title'), level: 1 }).waitFor();
  await expect.poll(() => home.page.locator('tbody tr').count()).toBe(1);
  await home.page.locator('tbody tr').getByText(t('status.offline')).waitFor();
});
