import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { keepPicture, looks, openPage, seriousIssues, texts } from './browser.ts';
import { type Fixture, startFixture, type Terminal } from './fixture.ts';
import { until } from './until.ts';

let fixture: Fixture;
let page: Page;

const written = (mac: string) => mac.replace(/(..)(?=.)/g, '$1:');

beforeAll(async () => {
  fixture = await startFixture('terminals', 2);
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail' && page) await keepPicture(page, `terminals ${task.name}`);
});
afterAll(() => fixture?.stop());

// in the simulated night clients may stay away after a push
describe.each(looks.slice(0, 1))('in %s and %s', (language, theme) => {
  const t = texts(language);
  let errors: string[];
  const rows = () => page.locator('tbody tr');
  const drawer = () => page.getByRole('dialog');

  beforeAll(async () => {
    const { browser, product, owner } = fixture;
    ({ page, errors } = await openPage(browser, product.url, language, theme, { token: owner.token }));
  });
  afterAll(() => page?.context().close());

  /** Returns an online client; a push disconnects all. */
  const findClient = async () => {
    let found: Terminal | undefined;
    await until('a client is online', async () => {
      found = (await fixture.terminals()).find((row) => row.rssi !== null);
      return found !== undefined;
    });
    return found!;
  };

  it('tabs, filters and the search live in the address', async () => {
    let client!: Terminal;
    const machines = fixture.fleet.devices[0]!.box.place.machines.map(({ mac }) => mac.replaceAll(':', ''));
    await until('a machine on a cable is reported', async () => {
      client = (await fixture.terminals({ band: '0' })).find(({ mac }) => machines.includes(mac))!;
      return client !== undefined;
    });
    await page.goto(`${fixture.product.url}/networks/online_users?limit=50`);
    await rows().getByText(written(client.mac)).waitFor();
    await page.getByLabel(t('table.search'), { exact: true }).fill(written(client.mac).slice(-8));
    await expect.poll(() => rows().count()).toBe(1);
    await page.getByRole('tab', { name: t('users.tab_today') }).click();
    await page.waitForURL(/tab=today/);
    await rows().getByText(written(client.mac)).waitFor();
    await page.reload();
    await rows().getByText(written(client.mac)).waitFor();
    expect(await page.getByRole('tab', { name: t('users.tab_today') }).getAttribute('aria-selected')).toBe('true');
    await page.goBack();
    await page.waitForURL((url) => !url.searchParams.has('tab'));
    await page.goto(
      `${fixture.product.url}/networks/online_users/${fixture.gwid}?band=${client.band}&serial=${client.serial}&limit=50`,
    );
    await rows().getByText(written(client.mac)).waitFor();
  });

  it('a search without online results continues in the history', async () => {
    await page.goto(`${fixture.product.url}/networks/online_users?keyword=no-such-client`);
    await page.getByRole('button', { name: t('users.look_in_history', { keyword: 'no-such-client' }) }).click();
    await page.waitForURL(/tab=history/);
    expect(new URL(page.url()).searchParams.get('keyword')).toBe('no-such-client');
    await page.getByText(t('empty.no_hits'), { exact: true }).waitFor();
  });

  it('an address of an unknown object says so, and lists no client', async () => {
    const users = `${fixture.product.url}/networks/online_users`;
    const nowhere = '00000000-0000-4000-8000-000000000000';
    for (const odd of ['band=99', 'rssi_below=-1', 'gwid=nowhere', `gwid=${nowhere}`, 'serial=000000000000']) {
      await page.goto(`${users}?${odd}`);
      await page.getByText(t('empty.no_such'), { exact: true }).waitFor();
      // until the list has its answer, rows stand in for clients
      await expect.poll(() => rows().count(), { message: odd }).toBe(0);
    }
    await page.getByRole('button', { name: t('empty.clear') }).click();
    await rows().getByText(':').first().waitFor();
    expect(new URL(page.url()).search).toBe('');
    for (const unknown of ['000000000000', 'unknown']) {
      await page.goto(`${users}?user=${unknown}`);
      await drawer().getByText(t('users.unknown'), { exact: true }).waitFor();
    }
  });

  it('the way back to the network has a name before the name of the network has come', async () => {
    let release!: () => void;
    const held = new Promise<void>((done) => {
      release = done;
    });
    await page.route('**/api/v3/network/detail', async (route) => {
      await held;
      await route.continue();
    });
    for (const path of ['networks/online_users', 'network/aps']) {
      await page.goto(`${fixture.product.url}/${path}/${fixture.gwid}`);
      await page.locator('.crumb', { hasText: t('home.network') }).waitFor();
    }
    release();
    await page.locator('.crumb', { hasText: 'Harbour' }).waitFor();
    await page.unroute('**/api/v3/network/detail');
  });

  it('the filters take two rows at 1280 pixels, and the collapsed ones narrow the list too', async () => {
    const size = page.viewportSize()!;
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`${fixture.product.url}/networks/online_users`);
    await rows().getByText(':').first().waitFor();
    const controls = page.locator('.toolbar').locator('select, input, .btn');
    const tops = async () =>
      new Set(
        await controls.evaluateAll((all) =>
          all.filter((each) => each.checkVisibility()).map((each) => Math.round(each.getBoundingClientRect().top / 20)),
        ),
      );
    await expect.poll(async () => (await tops()).size).toBe(2);
    await page.getByRole('button', { name: t('table.more_filters') }).click();
    await page.getByLabel(t('users.vip'), { exact: true }).selectOption('true');
    await page.waitForURL('**vip=true**');
    await page.getByRole('button', { name: t('table.more_filters_on', { n: 1 }) }).waitFor();
    await page.keyboard.press('Escape');
    await page.setViewportSize(size);
  });

  it('a name of 300 letters leaves the way out of the drawer, and the focus goes back to the row', async () => {
    const client = await findClient();
    const long = { remark: 'x'.repeat(300), device: 'y'.repeat(300) };
    await page.route('**/api/v3/user_online/{list,detail}', async (route) => {
      const answer = await route.fetch();
      const body = (await answer.json()) as { data: { list?: object[] } };
      const data = body.data.list
        ? { ...body.data, list: body.data.list.map((row) => ({ ...row, ...long })) }
        : { ...body.data, ...long };
      await route.fulfill({ response: answer, json: { ...body, data } });
    });
    await page.goto(`${fixture.product.url}/networks/online_users?keyword=${client.mac}`);
    await rows().getByText(written(client.mac)).click();
    await drawer().locator('.facts').waitFor();
    const close = drawer().getByRole('button', { name: t('action.close') });
    const [box, cell] = [(await close.boundingBox())!, (await rows().locator('td').nth(1).boundingBox())!];
    expect(box.x + box.width).toBeLessThanOrEqual(page.viewportSize()!.width);
    expect(cell.width).toBeLessThan(320);
    await close.click();
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('TR');
    await page.unroute('**/api/v3/user_online/{list,detail}');
  });

  it('a terminal opens with its place, its day and its stays; a remark is written and found', async () => {
    const client = await findClient();
    await page.goto(`${fixture.product.url}/networks/online_users?keyword=${client.mac}`);
    await rows().getByText(written(client.mac)).click();
    await page.waitForURL(`**user=${client.mac}**`);
    await drawer().getByText(written(client.mac)).first().waitFor();
    await drawer().getByText(t('users.limit_none')).waitFor();
    await drawer()
      .getByRole('heading', { name: t('users.signal_24h') })
      .waitFor();
    await drawer().locator('.users-own').waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    await drawer()
      .getByRole('tab', { name: t('users.tab_stays') })
      .click();
    await drawer().getByText(t('users.stay_now')).first().waitFor();
    await drawer()
      .getByRole('button', { name: t('action.close') })
      .click();
    await rows().getByRole('button').first().click();
    await page.getByRole('menuitem', { name: t('users.edit_remark') }).click();
    await drawer().getByLabel(t('users.remark')).fill(`Desk-${language}-${theme}`);
    await page.keyboard.press('Enter');
    await page.goto(`${fixture.product.url}/networks/online_users?keyword=Desk-${language}-${theme}`);
    await rows().getByText(`Desk-${language}-${theme}`).waitFor();
    expect(await rows().count()).toBe(1);
  });

  it('a kick is confirmed by what the access point then reports', async () => {
    const client = await findClient();
    await page.goto(`${fixture.product.url}/networks/online_users?keyword=${client.mac}`);
    await rows().getByRole('button').first().click();
    await page.getByRole('menuitem', { name: t('users.kick') }).click();
    await drawer()
      .getByRole('button', { name: t('users.kick') })
      .click();
    await drawer().getByText(t('job_type.user_kick')).first().waitFor();
    await drawer().getByText(t('job_status.succeeded'), { exact: true }).first().waitFor({ timeout: 60_000 });
    await page.keyboard.press('Escape');
  });

  it('a block is pushed to the access points, acknowledged, and removed', async () => {
    const client = await findClient();
    await page.goto(`${fixture.product.url}/networks/online_users?keyword=${client.mac}`);
    await rows().getByRole('button').first().click();
    await page.getByRole('menuitem', { name: t('users.block') }).click();
    await drawer()
      .getByText(t('users.block_now', { networks: 'Harbour', n: 3 }))
      .waitFor();
    await drawer()
      .getByRole('button', { name: t('users.block') })
      .click();
    await drawer().getByText(t('job_status.applied'), { exact: true }).first().waitFor({ timeout: 60_000 });
    await page.keyboard.press('Escape');
    await page.goto(`${fixture.product.url}/networks/online_users?tab=blocked`);
    await rows().getByText(written(client.mac)).waitFor();
    await page.getByText(t('users.applied', { done: 3, all: 3 })).waitFor({ timeout: 60_000 });
    expect(await seriousIssues(page)).toEqual([]);
    await rows().getByRole('button').first().click();
    await page.getByRole('menuitem', { name: t('users.unblock') }).click();
    await page
      .getByRole('dialog', { name: t('users.unblock_title', { n: 1 }) })
      .getByRole('button', { name: t('users.unblock') })
      .click();
    await page.getByText(t('users.none_blocked')).waitFor();
  });

  it('of more than a call takes, the question says how many', async () => {
    const many = Array.from({ length: 312 }, (_, n) => ({
      mac: n.toString(16).padStart(12, '0'),
      random_mac: false,
      online: true,
      hostname: null,
      remark: '',
      vip: n === 0,
      list: null,
      list_networks: null,
      listed_at: null,
      listed_by: null,
      band: 5,
      rssi: -60,
      port: null,
      ip: null,
      ipv6: null,
      terminal: { type: null, brand: null, os: null, source: null },
      gwid: null,
      network: null,
      serial: null,
      device: null,
      ssid: null,
      bssid: null,
      auth_type: null,
      phone_masked: null,
      account: null,
      login_at: null,
      duration_s: 1,
      down: 0,
      up: 0,
      flow_today: 0,
      first_seen: null,
      last_seen: null,
    }));
    await page.route('**/api/v3/user_online/list', async (route) => {
      const { page: at, limit } = route.request().postDataJSON() as { page: number; limit: number };
      const data = { list: many.slice((at - 1) * limit, at * limit), total: many.length, as_of: new Date() };
      await route.fulfill({ json: { code: 2000, message: '', data } });
    });
    await page.goto(`${fixture.product.url}/networks/online_users`);
    await rows().first().getByRole('checkbox').waitFor();
    await page.getByLabel(t('table.select_page')).check();
    await page.getByRole('button', { name: t('table.select_all', { n: 312 }) }).click();
    const asked = { kick: t('users.part', { n: 200, all: 312 }) };
    const block = t('users.block_part', { n: 200, all: 312, most: 200, used: 0 });
    for (const [act, line] of Object.entries({ ...asked, block })) {
      await page
        .getByRole('button', { name: t(act === 'kick' ? 'users.kick' : 'users.block'), exact: true })
        .first()
        .click();
      await drawer().getByText(line).waitFor();
      if (act === 'block')
        await drawer()
          .getByText(t('users.block_vip', { n: 1 }))
          .waitFor();
      await page.keyboard.press('Escape');
      await drawer().waitFor({ state: 'detached' });
    }
    await page.unroute('**/api/v3/user_online/list');
  });

  it('what was never seen is put on a list by its MAC', async () => {
    await page.goto(`${fixture.product.url}/networks/online_users?tab=allowed`);
    await page.getByText(t('users.none_allowed')).waitFor();
    await page.getByRole('button', { name: t('users.add') }).click();
    const field = drawer().getByLabel(t('users.mac'));
    await field.fill('printer');
    await drawer()
      .getByRole('button', { name: t('users.allow') })
      .click();
    await drawer()
      .getByText(t('users.add_wrong', { words: 'printer' }))
      .waitFor();
    await field.fill('00-1A-2B-3C-4D-5E, 001a.2b3c.4d5f');
    await drawer()
      .getByRole('button', { name: t('users.allow') })
      .click();
    await rows().getByText('00:1a:2b:3c:4d:5e').waitFor();
    await rows().getByText('00:1a:2b:3c:4d:5f').waitFor();
  });

  it('complained of nothing on the way', () => {
    expect(errors).toEqual([]);
  });
});
