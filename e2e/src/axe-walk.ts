import { type Fleet, startFleet } from '@yunxun/simulator';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { registerAdministrator } from './administrator.ts';
import {
  keepPicture,
  type Language,
  openPage,
  seriousIssues,
  showTheme,
  startBrowser,
  type Theme,
  texts,
} from './browser.ts';
import { type BuiltScreen, pagesOf, type Stage } from './built-screen.ts';
import { long, short } from './long.ts';
import { type Person, register, signIn } from './person.ts';
import { startProduct } from './product.ts';
import { screens, settled } from './screens.ts';
import { until } from './until.ts';

let product: Awaited<ReturnType<typeof startProduct>>;
let browser: Browser;
let fleets: Fleet[];
let people: Record<Exclude<BuiltScreen['as'], 'visitor'>, Person>;
let tokens: Record<BuiltScreen['as'], string | undefined>;
/** Milliseconds; some screens ask again after ten minutes. */
let confirmedAt = 0;
const confirmEvery = 240_000;
let place: Pick<Stage, 'url' | 'gwid' | 'remark' | 'serial'>;
let page: Page | undefined;
/** Exceptions and answers 5xx of the running test. */
let faults: string[] = [];
/** Reused: opening one costs as much as axe. */
const pages = new Map<string | undefined, Page>();

interface Row {
  gwid: string;
  serial: string;
  status: string;
  sync_state: string | null;
  has_gateway: boolean;
  device_num: number;
}

/**
 * Opens built screens: each must settle without an uncaught error, a 5xx or a serious axe finding. The gate walks half of
 * the pages per language, in one theme; test:system half of all screens per language, in both; test:long all.
 */
export function axeWalk(language: Language, half: 0 | 1, gateTheme: Theme): void {
  const candidates = short ? pagesOf(screens) : screens;
  const walked = long ? candidates : candidates.filter((_screen, index) => index % 2 === half);
  const themes: readonly Theme[] = short ? [gateTheme] : ['light', 'dark'];
  beforeAll(async () => {
    [product, browser] = await Promise.all([startProduct(), startBrowser()]);
    const owner = await register(product, 'owner@example.org');
    const newPerson = await register(product, 'newcomer@example.org');
    const admin = await registerAdministrator(product, 'admin@example.org');
    people = { newPerson, owner, admin };
    await confirm();
    place = await furnish(owner);
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await keepPicture(page, `axe ${task.suite?.name} ${task.name}`);
    if (task.result?.state === 'fail') await page?.context().close();
    else if (page) await leave(page);
  });
  afterAll(async () => {
    for (const fleet of fleets ?? []) fleet.stop();
    await browser?.close();
    await product?.stop();
  });

  describe(`in ${language}`, () => {
    it.each(walked)('$name has nothing that axe calls serious', async (screen) => {
      if (Date.now() - confirmedAt > confirmEvery) await confirm();
      page = await pageOf(language, tokens[screen.as]);
      faults = [];
      await screen.open(page, { ...place, t: texts(language) });
      for (const [at, theme] of themes.entries()) {
        await showTheme(page, theme);
        await settled(page);
        expect(await seriousIssues(page, at === 0 ? 'all' : 'colour'), theme).toEqual([]);
      }
      expect(faults, 'exceptions and answers 5xx').toEqual([]);
    });
  });
}

async function pageOf(language: Language, token: string | undefined): Promise<Page> {
  const kept = pages.get(token);
  if (kept && !kept.isClosed()) return kept;
  const fresh = (await openPage(browser, product.url, language, 'system', { token })).page;
  fresh.on('pageerror', (error) => faults.push(error.stack ?? error.message));
  fresh.on('response', (response) => {
    if (response.status() >= 500) faults.push(`${response.status()} ${response.url()}`);
  });
  pages.set(token, fresh);
  return fresh;
}

const screenSize = { width: 1440, height: 900 };

async function leave(left: Page): Promise<void> {
  await left.setViewportSize(screenSize);
  await left.unrouteAll({ behavior: 'wait' });
  await left.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  await left.context().clearCookies({ name: /^(?!yunxun_token$)/ });
  await left.goto('about:blank');
}

async function confirm(): Promise<void> {
  confirmedAt = Date.now();
  const fresh = async ({ email, password }: Person) => (await signIn(product, email, password)).token;
  tokens = {
    visitor: undefined,
    newPerson: await fresh(people.newPerson),
    owner: await fresh(people.owner),
    admin: await fresh(people.admin),
  };
}

async function furnish(owner: Person): Promise<typeof place> {
  const list = async (path: string, more: object = {}) =>
    (await owner.call<{ list: Row[] }>(path, { page: 1, limit: 50, ...more })).list;
  const { gwid } = await owner.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Lobby' });
  const common = { consoleUrl: product.url, bindingCode: owner.bindingCode, speedUp: 20 };
  const lobby = await startFleet({ ...common, gwid, gateways: 1, aps: 2, switches: 1, seed: 'axe network' });
  fleets = [lobby];
  const gateways = async () => (await list('/api/v3/network/list')).filter((row) => row.has_gateway).length;
  await until('the gateway is one', async () => (await gateways()) === 1);
  await owner.call('/api/v3/network/wireless/save', {
    gwid,
    version: 0,
    radios: [],
    country: null,
    ssids: [
      {
        name: 'Lobby',
        enabled: true,
        security: 'psk2',
        key: 'welcome-2026',
        bands: ['2G', '5G'],
        vlan: 20,
        hidden: false,
        isolate: true,
        maximum_clients: null,
        down_mbps: null,
        up_mbps: null,
      },
    ],
  });
  await until('all four devices are in sync', async () =>
    (await list('/api/v3/network/list')).some((row) => row.device_num === 4 && row.sync_state === 'in_sync'),
  );
  const access = lobby.status().filter(({ role }) => role === 'access-point' || role === 'ap');
  const [kept, lost] = access.map(({ serial }) => serial);
  lobby.device(lost!).stop();
  await until('one is offline', async () =>
    (await list('/api/v3/ap/list', { gwid })).some((row) => row.serial === lost && row.status === 'offline'),
  );
  // two gateways at one address are ambiguous, so the next device waits
  const annexe = await owner.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Annexe' });
  fleets.push(await startFleet({ ...common, gwid: annexe.gwid, gateways: 1, seed: 'axe annexe' }));
  await until('both networks have their gateway', async () => (await gateways()) === 2);
  fleets.push(await startFleet({ ...common, aps: 1, seed: 'axe waiting' }));
  const waiting = async () => (await list('/api/v3/device/waiting/list')).length;
  if ((await waiting()) === 0) throw new Error('the device found a network by itself');
  return { url: product.url, gwid, remark: 'Lobby', serial: kept! };
}
