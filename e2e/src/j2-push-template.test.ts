// An operator pushes a wireless template. The third radio is 6 GHz, which two of three models lack: the schema has no
// "5 GHz-2".
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { fillMoment, keepPicture, openPage, seriousIssues, texts } from './browser.ts';
import { original, type Push, running, type Shops, startShops, tag } from './j2-fixture.ts';
import { until } from './until.ts';

const has = (device: { status: { ssids: readonly string[] } }) => device.status.ssids.join();

describe.each([
  ['zh-CN', 'light'],
  ['en', 'dark'],
] as const)('J2 in %s and %s', (language, theme) => {
  const t = texts(language);
  let shops: Shops;
  let page: Page;
  let errors: string[];
  let copy: string;
  let before: Map<string, string>;

  beforeAll(async () => {
    shops = await startShops(`j2 ${language}`);
    const { browser, product, owner } = shops;
    ({ page, errors } = await openPage(browser, product.url, language, theme, { token: owner.token }));
    before = new Map(shops.aps.map((device) => [device.serial, running(device)]));
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await keepPicture(page, `j2 ${language} ${task.name}`);
  });
  afterAll(async () => {
    await page?.context().close();
    await shops?.stop();
  });

  const dialog = () => page.getByRole('dialog');
  const button = (name: string) => dialog().getByRole('button', { name, exact: true });
  const sums = async () => Object.fromEntries(Object.entries((await shops.push(copy)).sums).filter(([, n]) => n > 0));
  const becomes = (wanted: object) => expect.poll(sums, { timeout: 120_000, interval: 200 }).toEqual(wanted);
  const reported = (key: Parameters<typeof t>[0], n: number) =>
    dialog()
      .getByRole('status')
      .filter({ hasText: t(key, { n }) });

  it('a template is copied, and the copy has another SSID and password', async () => {
    await page.goto(`${shops.product.url}/config/template_wireless/wireless`);
    await page.getByRole('button', { name: t('template.acts', { name: original }) }).click();
    await page.getByRole('menuitem', { name: t('template.copy') }).click();
    await dialog().getByLabel(t('template.name'), { exact: true }).fill('Shops-in-autumn');
    await button(t('template.copy')).click();
    await page.getByRole('heading', { name: 'Shops-in-autumn' }).waitFor();
    copy = /edit\/([^/?]+)/.exec(page.url())![1]!;
    await page.locator('.ssid-line').click();
    await page.getByLabel(t('wireless.name')).fill('Autumn');
    await page.getByLabel(t('wireless.key'), { exact: true }).fill('autumn-2026');
    await button(t('wireless.apply')).click();
    await page.getByRole('button', { name: t('template.save') }).click();
    await page.getByText(t('template.version_n', { n: 2 }), { exact: true }).waitFor();
    const bar = (await page.locator('.save-bar').boundingBox())!;
    const toast = (await page.locator('.toast').last().boundingBox())!;
    expect(toast.y + toast.height).toBeLessThanOrEqual(bar.y);
    for (const device of shops.aps) expect(running(device)).toBe(before.get(device.serial));
  });

  it('by a tag it is for 50 access points in six networks, and what it does to each is seen before', async () => {
    // clients roam at once; reports follow
    const preview = () =>
      shops.owner.call<{ totals: { terminals: number } }>('/api/v3/wireless_template/preview', {
        id: copy,
        tags: [tag],
      });
    await until('the reports show everybody', async () => (await preview()).totals.terminals === 84);
    await page.getByRole('button', { name: t('template.push'), exact: true }).click();
    await dialog().getByText(t('push.by_tag'), { exact: true }).click();
    await dialog().getByRole('checkbox', { name: tag }).check();
    await button(t('push.next_targets')).click();
    await dialog()
      .getByText(t('impact.sum', { changed: 50, devices: 50, networks: 6 }))
      .waitFor();
    await dialog()
      .getByText(t('impact.terminals_drop', { n: 84 }))
      .waitFor();
    await dialog()
      .getByText(t('impact.terminals_lost', { n: 84 }))
      .waitFor();
    await dialog()
      .getByText(t('impact.offline', { n: 3 }))
      .waitFor();
    const renamed = dialog().locator('.impact-lines li');
    expect(await renamed.count()).toBe(1);
    expect(await renamed.textContent()).toContain(t('impact.renamed', { before: 'Shop', name: 'Autumn' }));
    expect(await renamed.textContent()).toContain(t('impact.on_devices', { n: 50 }));
    const unsupported = await dialog().locator('.impact-findings li').allTextContents();
    expect(unsupported).toHaveLength(4);
    for (const model of ['AX3000', 'AX1800'])
      expect(unsupported.filter((line) => line.includes(model))).toHaveLength(2);
    await dialog().locator('.preview-device summary').first().click();
    const diff = dialog().locator('.preview-device .diff').first();
    await diff.getByText('Autumn').first().waitFor();
    expect(await diff.textContent()).not.toMatch(/autumn-2026|summer-2026/);
    expect(await seriousIssues(page)).toEqual([]);
    await button(t('push.next_impact')).click();
  });

  it('two go first, and the others when these are well; three wait for their devices, two fail', async () => {
    await dialog().getByLabel(t('push.share')).fill('100');
    await dialog().getByLabel(t('push.rest')).fill('20');
    expect(await dialog().getByLabel(t('push.canary'), { exact: true }).inputValue()).toBe('2');
    await dialog().getByLabel(t('push.canary'), { exact: true }).fill('0');
    await dialog().getByText(t('push.canary_none')).waitFor();
    await dialog().getByLabel(t('push.canary'), { exact: true }).fill('2');
    const waves = t('push.waves', { n: 2, sizes: '2 → 48' });
    await dialog().getByRole('status').filter({ hasText: waves }).waitFor();
    await button(t('push.push', { n: 50 })).click();
    await page.locator('tbody tr').first().waitFor();
    await expect.poll(sums).toEqual({ total: 50, applied: 2, queued: 48 });
    const { devices } = await shops.push(copy);
    const first = devices.filter(({ wave }) => wave === 0);
    expect(first.map(({ status }) => status)).toEqual(['applied', 'applied']);
    expect(new Set(first.map(({ model }) => model)).size).toBe(2);
    for (const device of shops.aps) {
      const isFirst = first.some(({ serial }) => serial === device.serial);
      if (!isFirst) expect(running(device)).toBe(before.get(device.serial));
    }
    for (const device of refusing(devices)) device.fault('reject-configuration', { times: 1 });
    await becomes({ total: 50, applied: 45, rejected: 2, waiting_offline: 3 });
  });

  it('what failed is tried again', async () => {
    await page.locator('tbody tr').first().click();
    await reported('change.sum_applied', 45).waitFor();
    await reported('change.sum_rejected', 2).waitFor();
    await reported('change.sum_waiting_offline', 3).waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    await button(t('change.retry')).click();
    await page
      .getByRole('dialog', { name: t('change.retry_title', { n: 2 }) })
      .getByRole('button', { name: t('change.retry'), exact: true })
      .click();
    await becomes({ total: 50, applied: 47, waiting_offline: 3 });
    await reported('change.sum_applied', 47).waitFor();
  });

  it('offline devices get it when they return', async () => {
    for (const device of shops.dark) device.fault('power-cut', { seconds: 1 });
    await becomes({ total: 50, applied: 50 });
    await reported('change.sum_applied', 50).waitFor();
    await expect.poll(() => new Set(shops.aps.map(has)), { timeout: 60_000 }).toEqual(new Set(['Autumn']));
  });

  it('one router is rolled back, and its access points run to the byte what they ran before', async () => {
    const [shop, ...others] = shops.shops;
    await button(t('change.reverse')).click();
    const asked = page.getByRole('dialog', { name: t('change.reverse_title') });
    await asked.getByText(t('change.reverse_part'), { exact: true }).first().click();
    await asked
      .getByRole('checkbox', { name: t('push.with_devices', { name: shop!.name, n: shop!.aps.length }) })
      .check();
    expect(await seriousIssues(page)).toEqual([]);
    await asked.getByRole('button', { name: t('change.reverse_n', { n: shop!.aps.length }) }).click();
    await becomes({ total: 50, applied: 41, taken_back: 9 });
    await reported('change.sum_taken_back', 9).waitFor();
    for (const device of shop!.aps) expect(running(device)).toBe(before.get(device.serial));
    for (const device of others.flatMap(({ aps }) => aps)) expect(has(device)).toBe('Autumn');
  });

  it('a push may be scheduled, and is taken off before its time', async () => {
    await page.goto(`${shops.product.url}/config/template_wireless/wireless_edit/${copy}`);
    await page.getByRole('button', { name: t('template.push'), exact: true }).click();
    await dialog().getByText(t('push.by_tag'), { exact: true }).click();
    await dialog().getByRole('checkbox', { name: tag }).check();
    await button(t('push.next_targets')).click();
    await button(t('push.next_impact')).click();
    await fillMoment(dialog(), t, t('push.start'), '2030-01-02T03:04');
    await button(t('push.push', { n: 9 })).click();
    await page.locator('tbody tr').first().getByText(t('change.scheduled'), { exact: true }).waitFor();
    expect(await sums()).toEqual({ total: 50, queued: 50 });
    await page.locator('tbody tr').first().click();
    await button(t('change.stop')).click();
    await page
      .getByRole('dialog', { name: t('change.stop_title') })
      .getByRole('button', { name: t('change.stop'), exact: true })
      .click();
    await becomes({ total: 50, cancelled: 50 });
    for (const device of shops.shops[0]!.aps) expect(running(device)).toBe(before.get(device.serial));
  });

  it('the log knows every step, and the console of the page is clean', async () => {
    const log = await shops.owner.call<{ list: { action: string; result?: string }[] }>('/api/v3/log/action/list', {
      page: 1,
      limit: 50,
    });
    const actions = log.list.map(({ action }) => action).filter((action) => /^template\.|^job\./.test(action));
    expect(actions.toReversed()).toEqual([
      'template.create',
      'template.apply',
      'template.copy',
      'template.update',
      'template.apply',
      'template.retry',
      'template.rollback',
      'template.apply',
      'template.stop',
    ]);
    expect(JSON.stringify(log.list)).not.toMatch(/autumn-2026|summer-2026/);
    expect(errors).toEqual([]);
  });

  function refusing(devices: Push['devices']) {
    const { gwid } = shops.shops[0]!;
    const dark = new Set(shops.dark.map(({ serial }) => serial));
    const waiting = devices.filter((one) => one.wave === 1 && one.gwid !== gwid && !dark.has(one.serial));
    const chosen = new Set(waiting.slice(-2).map(({ serial }) => serial));
    return shops.aps.filter(({ serial }) => chosen.has(serial));
  }
});
