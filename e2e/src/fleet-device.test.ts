import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { keepPicture, looks, openPage, seriousIssues, texts } from './browser.ts';
import { type Fixture, startFixture } from './fixture.ts';
import { until } from './until.ts';

interface Ap {
  serial: string;
  remark: string;
  status: string;
  radios: { channel: number | null }[];
}

let fixture: Fixture;
let page: Page;

beforeAll(async () => {
  fixture = await startFixture('device', 3);
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail' && page) await keepPicture(page, `fleet device ${task.name}`);
});
afterAll(() => fixture?.stop());

const aps = async () =>
  (await fixture.owner.call<{ list: Ap[] }>('/api/v3/ap/list', { gwid: fixture.gwid, kind: 'ap' })).list;

// one look: the screen walk covers the others
describe.each(looks.slice(0, 1))('in %s and %s', (language, theme) => {
  const t = texts(language);
  let errors: string[];
  let ap: Ap;
  const drawer = () => page.getByRole('dialog');
  const countOf = (path: string) => {
    let sent = 0;
    page.on('request', (request) => {
      if (request.url().endsWith(path)) sent += 1;
    });
    return () => sent;
  };
  const pressThrice = (button: Locator) =>
    button.evaluate((element: HTMLElement) => {
      for (let press = 0; press < 3; press++) element.click();
    });
  const tab = (name: string) => drawer().getByRole('tab', { name, exact: true });

  beforeAll(async () => {
    const { browser, product, owner } = fixture;
    ({ page, errors } = await openPage(browser, product.url, language, theme, { token: owner.token }));
    await until('radios have told', async () => {
      const found = (await aps()).find(({ radios }) => radios.some(({ channel }) => channel !== null));
      if (found) ap = found;
      return found !== undefined;
    });
  });
  afterAll(() => page?.context().close());

  it('shows radios in the list, and where each value in force comes from', async () => {
    await page.goto(`${fixture.product.url}/network/aps/${fixture.gwid}`);
    await page.getByRole('columnheader', { name: t('wireless.band_5G') }).waitFor();
    await page.locator('tbody').getByText(/ MHz$/).first().waitFor();
    await page.locator('tbody tr').first().click();
    await tab(t('device.tab_values')).click();
    await drawer().getByText(t('values.layer_default')).first().waitFor();
  });

  it('pings, and gives out what it captured', async () => {
    await page.goto(`${fixture.product.url}/network/aps/${fixture.gwid}?device=${ap.serial}`);
    await tab(t('device.tab_tools')).click();
    await drawer().getByLabel(t('tools.target')).fill('1.1.1.1');
    await drawer()
      .getByRole('button', { name: t('tools.run') })
      .click();
    await drawer()
      .getByText(t('tools.answered_of', { n: 5, total: 5 }))
      .waitFor();
    await drawer()
      .getByRole('combobox', { name: t('tools.tool'), exact: true })
      .selectOption('trace');
    await drawer()
      .getByRole('button', { name: t('tools.run') })
      .click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      drawer()
        .getByRole('button', { name: t('tools.download', { size: '' }).slice(0, 2) })
        .click(),
    ]);
    expect(download.suggestedFilename()).toMatch(new RegExp(`^${ap.serial}-\\d{8}-\\d{4}\\.pcapng$`));
  });

  it('shows its neighbours', async () => {
    await tab(t('device.tab_neighbours')).click();
    await drawer()
      .getByRole('button', { name: t('neighbours.scan') })
      .click();
    await drawer().getByText('CMCC-7F2A').waitFor();
  });

  it('asks for the waves of an upgrade only once a device is chosen', async () => {
    const path = '/api/v3/firmware/upgrade/preview';
    const image = {
      id: ap.serial,
      version: 'openwrt-v9',
      models: ['AX3000'],
      other: 1,
      devices: 1,
      ready: true,
    };
    await page.route('**/api/v3/firmware/image/list', (route) =>
      route.fulfill({ json: { code: 2000, message: '', data: { list: [image], total: 1 } } }),
    );
    const asked: (string[] | undefined)[] = [];
    await page.route(`**${path}`, (route) => {
      const { first, serials } = route.request().postDataJSON() as { first: number; serials?: string[] };
      if (first > 0) asked.push(serials);
      const device = {
        serial: ap.serial,
        name: ap.remark,
        gwid: fixture.gwid,
        network: 'Harbour',
        model: 'AX3000',
        from: 'openwrt-v8',
        online: true,
        wave: 0,
      };
      const data = { devices: [device], left_out: [], beyond: 0 };
      return route.fulfill({ json: { code: 2000, message: '', data } });
    });
    await page.goto(`${fixture.product.url}/network/aps/${fixture.gwid}`);
    const row = page.locator('tbody tr').filter({ hasText: ap.remark });
    await row.getByRole('button', { name: t('action.more') }).click();
    await page.getByRole('menuitem', { name: t('device.firmware') }).click();
    await expect.poll(() => asked.length).toBeGreaterThan(0);
    expect(asked).toEqual(asked.map(() => [ap.serial]));
    await drawer().getByLabel(t('firmware.first'), { exact: true }).fill('0');
    await drawer().getByText(t('firmware.first_none')).waitFor();
    await page.unrouteAll();
  });

  it('sends the settings of a device once, however often the button is pressed', async () => {
    const path = '/api/v3/ap/override/save';
    const sent = countOf(path);
    await page.goto(`${fixture.product.url}/network/aps/${fixture.gwid}?device=${ap.serial}`);
    await page.getByRole('button', { name: t('override.open') }).click();
    const form = page.getByRole('dialog', { name: t('override.title') });
    await form.getByRole('switch').first().uncheck();
    const save = form.getByRole('button', { name: t('override.push') });
    await pressThrice(save);
    await form.waitFor({ state: 'detached' });
    expect(sent()).toBe(1);
    expect(await page.locator('.toast').count()).toBe(0);
  });

  it('plans channels from what was heard, applies the plan and takes it back', async () => {
    const { job_id: id } = await fixture.owner.call<{ job_id: string }>('/api/v3/ap/plan/scan', { gwid: fixture.gwid });
    await until('everybody has scanned', async () => {
      const { status } = await fixture.owner.call<{ status: string }>('/api/v3/job/detail', { job_id: id });
      return status === 'succeeded';
    });
    await page.goto(`${fixture.product.url}/network/aps/${fixture.gwid}`);
    await page.getByRole('button', { name: t('plan.title') }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: t('plan.propose'), exact: true }).click();
    await dialog.getByRole('button', { name: t('plan.all'), exact: true }).waitFor();
    const { list } = await fixture.owner.call<{ list: { id: string; changes: number; scanned: number }[] }>(
      '/api/v3/ap/plan/history',
      { gwid: fixture.gwid },
    );
    const [plan] = list;
    expect(plan?.scanned).toBeGreaterThan(0);
    if (plan!.changes === 0) return dialog.getByText(t('plan.nothing')).waitFor();
    const sent = countOf('/api/v3/ap/plan/apply');
    const apply = dialog.getByRole('button', { name: t('plan.apply', { n: 0 }).split('0')[0]!.trim() });
    await pressThrice(apply);
    await page.getByRole('dialog', { name: t('plan.title') }).waitFor({ state: 'detached' });
    expect(sent()).toBe(1);
    expect(await page.locator('.toast').count()).toBe(0);
    const state = async () =>
      (await fixture.owner.call<{ state: string }>('/api/v3/ap/plan/result', { id: plan!.id })).state;
    await expect.poll(state).toBe('applied');
    await fixture.owner.call('/api/v3/ap/plan/apply', { id: plan!.id, back: true });
    expect(await state()).toBe('reverted');
  });

  it('is accessible, and has no console errors', async () => {
    expect(await seriousIssues(page)).toEqual([]);
    expect(errors).toEqual([]);
  });
});
