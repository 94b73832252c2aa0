import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { answerHome, answerNotice, answers, trend } from './home-answers.ts';
import { Home, says, tableOf } from './home-page.ts';
import { register } from './person.ts';
import { until } from './until.ts';

let home: Home;

beforeAll(async () => {
  home = await Home.start();
});
afterEach(({ task }) => home?.leave(task.result?.state === 'fail' ? task.name : null));
afterAll(() => home?.stop());

it('a number opens the list that it counts', async () => {
  const t = await home.open('en', answerHome);
  const targets = async (id: string) =>
    home
      .card(id)
      .locator('.board-card a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  await expect
    .poll(async () => (await targets('networks')).slice(0, 3))
    .toEqual(['/networks', '/networks?status=online', '/networks?status=offline']);
  await expect.poll(() => targets('online')).toEqual(['/networks/online_users', '/networks/online_users?tab=today']);
  await home.card('alarms').getByText(t('alarm_level.FATAL')).first().waitFor();
  expect((await targets('alarms')).slice(0, 3)).toEqual(
    ['FATAL', 'MIDDLE', 'GENERAL'].map((level) => `/alarm?level=${level}`),
  );
  expect(await targets('income')).toEqual(['/billing/transactions']);
  expect((await targets('flow'))[0]).toBe('/flow_monitor');
  expect(await targets('intercept')).toEqual(['/cloud_security/index']);
  await home.card('networks').getByRole('link').nth(1).click();
  await home.page.waitForURL('**/networks?status=online');
});

it('a number explains itself', async () => {
  const t = await home.open('en', answerHome);
  const name = t('card.online');
  await home
    .card('online')
    .getByRole('button', { name: t('explain.title', { name }) })
    .focus();
  await home.page.keyboard.press('Enter');
  const popup = home.page.getByRole('dialog', { name: t('explain.title', { name }) });
  await popup.getByText(t('explain.online.what')).waitFor();
  await popup.getByText(t('explain.online.source')).waitFor();
  expect(await popup.locator('time').getAttribute('datetime')).toBe(answers.complex.as_of);
  await home.page.keyboard.press('Escape');
  await popup.waitFor({ state: 'hidden' });
});

it('cards are moved by keys and pointer, hidden and brought back, and stay so', async () => {
  const t = await home.open('en', answerHome);
  // known with the first answer
  await expect
    .poll(async () => (await home.order()).slice(0, 5))
    .toEqual(['income', 'online', 'auth', 'intercept', 'problems']);
  await expect.poll(() => home.busy()).toBe(0);
  await home.page.getByRole('button', { name: t('board.arrange') }).click();
  await home.page.locator('#grip-income').focus();
  await home.page.keyboard.press('ArrowRight');
  await home.page.keyboard.press('ArrowRight');
  expect((await home.order()).slice(0, 4)).toEqual(['online', 'auth', 'income', 'intercept']);
  expect(await home.page.evaluate(() => document.activeElement?.id)).toBe('grip-income');
  await home.page.getByText(t('board.moved', { name: t('card.income'), n: 3, total: 18 })).waitFor();
  await home.page.locator('#grip-intercept').dragTo(home.page.locator('#grip-online'));
  expect((await home.order()).slice(0, 4)).toEqual(['intercept', 'online', 'auth', 'income']);
  await Promise.all([
    home.page.waitForResponse(
      (answer) => answer.request().postData()?.includes('"hidden":["auth"]') === true && answer.ok(),
    ),
    (async () => {
      await home.page.getByRole('button', { name: t('board.hide', { name: t('card.auth') }) }).click();
      expect(await home.order()).not.toContain('auth');
      await home.page.getByRole('button', { name: t('board.done') }).click();
    })(),
  ]);
  await home.page.reload();
  await home.page.locator('.board-item').first().waitFor();
  await expect.poll(async () => (await home.order()).slice(0, 3)).toEqual(['intercept', 'online', 'income']);
  await home.page.getByRole('button', { name: t('board.arrange') }).click();
  await home.page
    .locator('.board-hidden')
    .getByRole('button', { name: t('card.auth') })
    .click();
  expect(await home.order()).toContain('auth');
  await home.page.getByRole('button', { name: t('board.reset') }).click();
  expect((await home.order()).slice(0, 4)).toEqual(['income', 'online', 'auth', 'intercept']);
});

it('the page reads again every 30 s, unless it is paused', async () => {
  let asked = 0;
  const t = await home.open('en', async (each) => {
    await each.clock.install();
    await answerHome(each);
    each.on('request', (request) => {
      if (request.url().endsWith('/user_stat/complex')) asked++;
    });
  });
  await says(home.card('online'), '2,027');
  const first = asked;
  await home.page.clock.runFor(31_000);
  await expect.poll(() => asked).toBeGreaterThan(first);
  await home.page.getByRole('button', { name: t('home.pause') }).click();
  await home.page.getByText(t('home.paused')).waitFor();
  const before = asked;
  await home.page.clock.runFor(65_000);
  await home
    .card('trend')
    .getByText(t('home.last_days', { n: 30 }), { exact: true })
    .click();
  await expect.poll(async () => (await tableOf(home.card('trend'))).length).toBe(30);
  expect(asked).toBe(before);
  await home.page.getByRole('button', { name: t('home.resume') }).click();
  await expect.poll(() => asked).toBeGreaterThan(before);
});

it('alarms rotate one after the other, unless a person stops them', async () => {
  const alarm_messages = Array.from({ length: 9 }, (_, index) => ({
    level: 'GENERAL',
    message: `Alarm ${index}`,
    time: answers.complex.as_of,
  }));
  const t = await home.open('en', async (each) => {
    await each.clock.install();
    await each.emulateMedia({ reducedMotion: 'no-preference' });
    await answerHome(each, { complex: { ...answers.complex, alarm_messages } });
  });
  const list = home.card('alarms').locator('.ticker-window ul');
  const moved = () => list.evaluate((element) => (element as HTMLElement).style.transform);
  await says(home.card('alarms'), 'Alarm 0');
  expect(await moved()).toBe('translateY(0px)');
  await home.page.clock.runFor(4100);
  await expect.poll(moved).toBe('translateY(-36px)');
  await home.page.clock.runFor(8000);
  await expect.poll(moved).toBe('translateY(-108px)');
  await home.page.clock.runFor(4000);
  await expect.poll(moved).toBe('translateY(0px)');
  await home
    .card('alarms')
    .getByRole('button', { name: t('home.ticker_stop') })
    .click();
  await home.page.clock.runFor(9000);
  expect(await moved()).toBe('none');
});

it('a chart is drawn as soon as there is something to draw', async () => {
  let nothing = true;
  const t = await home.open('en', async (each) => {
    await answerHome(each);
    await each.route('**/api/v3/user_stat/client_num', (route) => {
      const unknown = { online_number: null, new_user_number: null, old_user_number: null };
      const rows = trend(Number(route.request().postDataJSON().day));
      const data = nothing ? rows.map((row) => ({ ...row, ...unknown })) : rows;
      return route.fulfill({ json: { code: 2000, message: '', data } });
    });
  });
  await says(home.card('trend'), t('home.none_yet'));
  nothing = false;
  await home.page.getByRole('button', { name: t('home.pause') }).click();
  await home.page.getByRole('button', { name: t('home.resume') }).click();
  await home.card('trend').locator('.chart-line').first().waitFor({ state: 'attached' });
});

it('the page fills the screen on a wall', async () => {
  const t = await home.open('en', answerHome);
  await home.page.getByRole('button', { name: t('home.wall') }).click();
  await expect.poll(() => home.page.evaluate(() => document.fullscreenElement?.className)).toBe('home');
  await says(home.card('online'), '2,027');
});

describe('the business notice', () => {
  it('is shown once in a browser', async () => {
    const t = await home.open('en', async (each) => answerNotice(each, false));
    const notice = home.page.getByRole('dialog', { name: t('notice.title') });
    await notice.getByText(t('notice.body', { n: 4 })).waitFor();
    await notice.getByRole('button', { name: t('notice.close') }).click();
    await notice.waitFor({ state: 'detached' });
    await home.page.reload();
    await home.card('problems').waitFor();
    await expect.poll(() => home.busy()).toBe(0);
    expect(await notice.count()).toBe(0);
  });

  it('stores on the server that it is dismissed', async () => {
    const t = await home.open('en', async (each) => answerNotice(each, false));
    await home.page.getByLabel(t('notice.never')).check();
    const [reported] = await Promise.all([
      home.page.waitForResponse('**/api/v3/open/hidden_star_dialog'),
      home.page.getByRole('button', { name: t('notice.close') }).click(),
    ]);
    expect(reported.request().method()).toBe('GET');
    await until(
      'it is hidden',
      async () => (await home.owner.call<{ is_hidden: boolean }>('/api/v3/open/get_active_details', {})).is_hidden,
    );
  });

  it.each([
    [true, 4],
    [false, 0],
  ])('is not shown when hidden is %s and %i routers are small', async (hidden, routers) => {
    const t = await home.open('en', async (each) => answerNotice(each, hidden, routers));
    await home.card('problems').waitFor();
    await expect.poll(() => home.busy()).toBe(0);
    expect(await home.page.getByRole('dialog', { name: t('notice.title') }).count()).toBe(0);
  });

  it('does not cover how to connect the first device', async () => {
    const newPerson = await register(home.product, 'newcomer@example.org');
    const t = await home.visit('en', (each) => answerNotice(each, false), { token: newPerson.token });
    await home.page.getByRole('heading', { name: t('overview.start') }).waitFor();
    await home.page.getByText(t('waiting.guide')).first().waitFor();
    expect(await home.page.getByRole('dialog').count()).toBe(0);
  });
});
