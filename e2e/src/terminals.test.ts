// User management on a simulated fleet: a list that lives in its address, a kick and a block that end by the device's word.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { keepPicture, looks, openPage, seriousIssues, texts } from './browser.ts';
import { type Harbour, startHarbour, type Terminal } from './harbour.ts';
import { until } from './until.ts';

let harbour: Harbour;
let page: Page;

const written = (mac: string) => mac.replace(/(..)(?=.)/g, '$1:');

beforeAll(async () => {
  harbour = await startHarbour('terminals', 2);
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail' && page) await keepPicture(page, `terminals ${task.name}`);
});
afterAll(() => harbour?.stop());

// one look: after a push the guests of a simulated night may stay away for long
describe.each(looks.slice(0, 1))('in %s and %s', (language, theme) => {
  const t = texts(language);
  let complaints: string[];
  const rows = () => page.locator('tbody tr');
  const drawer = () => page.getByRole('dialog');

  beforeAll(async () => {
    const { browser, product, owner } = harbour;
    ({ page, complaints } = await openPage(browser, product.url, language, theme, { token: owner.token }));
  });
  afterAll(() => page?.context().close());

  /** Somebody on the air now; a push of the configuration drops everybody for a while. */
  const somebody = async () => {
    let found: Terminal | undefined;
    await until('somebody is on the air', async () => {
      found = (await harbour.terminals()).find((row) => row.rssi !== null);
      return found !== undefined;
    });
    return found!;
  };

  it('tabs, filters and the search live in the address', async () => {
    const who = await somebody();
    await page.goto(`${harbour.product.url}/networks/online_users`);
    await rows().getByText(written(who.mac)).waitFor();
    await page.getByLabel(t('table.search')).fill(written(who.mac).slice(-8));
    await expect.poll(() => rows().count()).toBe(1);
    await page.getByRole('tab', { name: t('users.tab_today') }).click();
    await page.waitForURL(/tab=today/);
    await rows().getByText(written(who.mac)).waitFor();
    await page.reload();
    await rows().getByText(written(who.mac)).waitFor();
    expect(await page.getByRole('tab', { name: t('users.tab_today') }).getAttribute('aria-selected')).toBe('true');
    await page.goBack();
    await page.waitForURL((url) => !url.searchParams.has('tab'));
    await page.goto(
      `${harbour.product.url}/networks/online_users/${harbour.gwid}?band=${who.band}&serial=${who.serial}`,
    );
    await rows().getByText(written(who.mac)).waitFor();
  });

  it('a terminal opens with its place, its day and its stays; a remark is written and found', async () => {
    const who = await somebody();
    await page.goto(`${harbour.product.url}/networks/online_users?keyword=${who.mac}`);
    await rows().getByText(written(who.mac)).click();
    await page.waitForURL(`**user=${who.mac}**`);
    await drawer().getByText(written(who.mac)).first().waitFor();
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
    await page.goto(`${harbour.product.url}/networks/online_users?keyword=Desk-${language}-${theme}`);
    await rows().getByText(`Desk-${language}-${theme}`).waitFor();
    expect(await rows().count()).toBe(1);
  });

  it('a kick is confirmed by what the access point then reports', async () => {
    const who = await somebody();
    await page.goto(`${harbour.product.url}/networks/online_users?keyword=${who.mac}`);
    await rows().getByRole('button').first().click();
    await page.getByRole('menuitem', { name: t('users.kick') }).click();
    await drawer()
      .getByRole('button', { name: t('users.kick') })
      .click();
    await drawer().getByText(t('job_type.user_kick')).first().waitFor();
    await drawer().getByText(t('job_status.succeeded'), { exact: true }).first().waitFor({ timeout: 60_000 });
    await page.keyboard.press('Escape');
  });

  it('a block is pushed to the access points, who say that it is in force, and taken back', async () => {
    const who = await somebody();
    await page.goto(`${harbour.product.url}/networks/online_users?keyword=${who.mac}`);
    await rows().getByRole('button').first().click();
    await page.getByRole('menuitem', { name: t('users.block') }).click();
    await drawer()
      .getByText(t('users.block_managed', { n: 3 }))
      .waitFor();
    await drawer()
      .getByRole('button', { name: t('users.block') })
      .click();
    await drawer().getByText(t('job_status.applied'), { exact: true }).first().waitFor({ timeout: 60_000 });
    await page.keyboard.press('Escape');
    await page.goto(`${harbour.product.url}/networks/online_users?tab=blocked`);
    await rows().getByText(written(who.mac)).waitFor();
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

  it('complained of nothing on the way', () => {
    expect(complaints).toEqual([]);
  });
});
