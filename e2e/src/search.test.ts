// Global search by keyboard.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { keepPicture, openPage, seriousIssues, texts } from './browser.ts';
import { type Fixture, startFixture } from './fixture.ts';

let fixture: Fixture;
let page: Page;
let serial: string;

beforeAll(async () => {
  fixture = await startFixture('search', 2);
  const { list } = await fixture.owner.call<{ list: { serial: string }[] }>('/api/v3/ap/list', {
    gwid: fixture.gwid,
    kind: 'ap',
    page: 1,
    limit: 10,
  });
  serial = list[0]!.serial;
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail' && page) await keepPicture(page, `search ${task.name}`);
});
afterAll(() => fixture?.stop());

describe.each(['zh-CN', 'en'] as const)('in %s', (language) => {
  const t = texts(language);
  let errors: string[];
  const box = () => page.getByRole('combobox', { name: t('search.title') });
  const option = (name: string | RegExp) => page.getByRole('option', { name });
  const chosen = () => page.locator('[role=option][aria-selected=true]');
  const closed = () => expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  const label = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));

  beforeAll(async () => {
    const { browser, product, owner } = fixture;
    ({ page, errors } = await openPage(browser, product.url, language, 'light', { token: owner.token }));
    await page.goto(`${product.url}/`);
    await page.getByRole('button', { name: t('header.search') }).waitFor();
  });
  afterAll(() => page?.context().close());

  it('opens by Ctrl-K and gives the focus back after Esc', async () => {
    await page.getByRole('button', { name: t('header.user_menu') }).focus();
    const before = await label();
    await page.keyboard.press('Control+k');
    await box().waitFor();
    expect(await box().evaluate((element) => element === document.activeElement)).toBe(true);
    await option(t('home.networks')).waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await closed();
    expect(await label()).toBe(before);
  });

  it('finds a device by part of its MAC address, and Enter opens it', async () => {
    await page.keyboard.press('Control+k');
    const part = serial.slice(5).toUpperCase().match(/..?/g)!.join('-');
    await box().fill(part);
    await option(new RegExp(serial.match(/../g)!.join(':')))
      .first()
      .waitFor();
    expect(await page.locator('[role=option] mark').count()).toBeGreaterThan(0);
    expect(await seriousIssues(page)).toEqual([]);
    const found = page
      .getByRole('group', { name: t('search.kind_device') })
      .getByRole('option')
      .first();
    while ((await found.getAttribute('aria-selected')) !== 'true') await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/network/aps/${fixture.gwid}?device=${serial}`);
    await page
      .getByRole('dialog')
      .getByRole('tab', { name: t('device.tab_values') })
      .waitFor();
    await page.keyboard.press('Escape');
    await closed();
  });

  it('offers to restart what is found, in the dialog that asks first', async () => {
    await page.keyboard.press('Control+k');
    await box().fill(language === 'en' ? 'restart harbour' : '重启Harbour');
    await option(t('search.restart', { name: 'Harbour' })).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByText(t('networks.reboot_body')).waitFor();
    await page.keyboard.press('Escape');
    await closed();
  });

  it('finds a screen by its name, by initials, and keeps it among what was opened last', async () => {
    for (const word of [t('messages.log_action'), ...(language === 'zh-CN' ? ['pzczrz'] : [])]) {
      await page.goto(`${fixture.product.url}/map`);
      await page.getByRole('button', { name: t('header.search') }).click();
      await box().fill(word);
      await expect.poll(() => chosen().first().textContent()).toContain(t('messages.log_action'));
      await page.keyboard.press('Enter');
      await page.waitForURL('**/logs/action');
    }
    await page.keyboard.press('Control+k');
    const recent = page.getByRole('group', { name: t('search.recent') });
    await expect.poll(() => recent.getByRole('option').first().textContent()).toContain(t('messages.log_action'));
    await page.keyboard.press('Escape');
    await closed();
  });

  it('finds a setting by another word for it, of the network on the screen too', async () => {
    await page.goto(`${fixture.product.url}/map`);
    await page.getByRole('button', { name: t('header.search') }).click();
    await box().fill('totp');
    await option(new RegExp(t('search.setting_second_factor'))).click();
    await page.waitForURL('**/security');
    await page.goto(`${fixture.product.url}/network/${fixture.gwid}`);
    await page.getByRole('button', { name: t('header.search') }).click();
    await box().fill('qos');
    await option(new RegExp(`${t('search.setting_limits')}.*${t('search.setting_this_network')}`)).click();
    await page.waitForURL(`**/network/${fixture.gwid}?tab=gateway`);
  });

  it.each([
    ['国家', 'wireless.country', /tab=wireless/],
    ['外网', 'gateway.lines', /tab=gateway/],
    ['country code', 'wireless.country', /tab=wireless/],
    ['信号阈值', 'template.minimum_rssi', /template_wireless/],
  ] as const)('finds %s by the label of its field, whatever the language', async (word, label, address) => {
    await page.goto(`${fixture.product.url}/network/${fixture.gwid}`);
    await page.getByRole('button', { name: t('header.search') }).click();
    await box().fill(word);
    const found = page.getByRole('group', { name: t('search.settings') });
    await found
      .getByRole('option', { name: new RegExp(t(label)) })
      .first()
      .click();
    await page.waitForURL(address);
  });

  it('finds alarms by pinyin of another word for them, and a network by whole pinyin', async () => {
    await page.goto(`${fixture.product.url}/map`);
    if (language === 'zh-CN')
      for (const word of ['baojing', 'bj']) {
        await page.getByRole('button', { name: t('header.search') }).click();
        await box().fill(word);
        await page
          .getByRole('group', { name: t('search.screens') })
          .getByRole('option', { name: new RegExp(t('messages.alarm')) })
          .first()
          .waitFor();
        await page.keyboard.press('Escape');
        await closed();
      }
    const remark = language === 'zh-CN' ? '西湖一店' : '西湖二店';
    const { gwid } = await fixture.owner.call<{ gwid: string }>('/api/v3/network/create', { remark });
    const query = { keyword: language === 'zh-CN' ? 'xihuyi' : 'xihuer' };
    const found = () => fixture.owner.call<{ list: { id: string }[] }>('/api/v3/search/query', query);
    // the pinyin of a new name follows within a minute
    await expect.poll(async () => (await found()).list.map(({ id }) => id), { timeout: 90_000 }).toEqual([gwid]);
  });

  it('creates a network, and silences the one on the screen, without leaving it', async () => {
    await page.goto(`${fixture.product.url}/map`);
    await page.getByRole('button', { name: t('header.search') }).click();
    await box().fill(t('search.act_new_network').slice(0, -1));
    await option(t('search.act_new_network')).click();
    await page.getByRole('dialog').getByLabel(t('networks.create_name')).waitFor();
    await page.keyboard.press('Escape');
    await closed();
    await page.goto(`${fixture.product.url}/network/${fixture.gwid}`);
    await page.getByRole('heading', { name: 'Harbour' }).waitFor();
    await page.getByRole('button', { name: t('header.search') }).click();
    await box().fill('静默');
    await option(t('search.silence', { name: 'Harbour' })).click();
    await page
      .getByRole('dialog')
      .getByText(t('site_silence.title', { name: 'Harbour' }))
      .waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await closed();
  });

  it('finds an entry of the operation log by its action and opens it', async () => {
    await page.goto(`${fixture.product.url}/map`);
    await page.getByRole('button', { name: t('header.search') }).click();
    await box().fill(t('log_action.network.create'));
    await page
      .getByRole('group', { name: t('search.kind_log') })
      .getByRole('option')
      .first()
      .click();
    await page.waitForURL(/\/logs\/action\?entry=\d+/);
    await page
      .getByRole('dialog')
      .getByText(/Harbour|西湖/)
      .first()
      .waitFor();
    await page.keyboard.press('Escape');
    await closed();
  });

  it('opens by / only where no list has a search of its own, and ? lists the keys', async () => {
    await page.goto(`${fixture.product.url}/networks`);
    await page.getByRole('link', { name: 'Harbour' }).first().waitFor();
    await page.keyboard.press('/');
    await expect.poll(label).toBe(t('table.search'));
    await page.keyboard.press('?');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.goto(`${fixture.product.url}/personalization`);
    await page
      .getByRole('heading', { name: t('personal.personalization') })
      .first()
      .waitFor();
    await page.keyboard.press('/');
    await box().waitFor();
    await page.keyboard.press('Escape');
    await closed();
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByText(t('keys.list_search')).waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await closed();
    expect(errors).toEqual([]);
  });

  it('says that a search failed, and tries again', async () => {
    await page.route('**/api/v3/search/query', (route) =>
      route.fulfill({ status: 500, json: { code: 5000, message: '', data: null } }),
    );
    await page.keyboard.press('Control+k');
    await box().fill('xyzzy');
    await page.getByRole('status').getByText(t('search.failed')).waitFor();
    await page.unroute('**/api/v3/search/query');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('action.retry') })
      .click();
    await page.getByText(t('search.none', { word: 'xyzzy' })).waitFor();
    await page.keyboard.press('Escape');
    await closed();
  });
});
