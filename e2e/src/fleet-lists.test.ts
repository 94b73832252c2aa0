import { enrol } from '@yunxun/edge';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { keepPicture, openPage, seriousIssues, texts, twoLooks } from './browser.ts';
import { type Fixture, startFixture } from './fixture.ts';

const shops = 14;

let fixture: Fixture;
let page: Page;

beforeAll(async () => {
  fixture = await startFixture('lists', 3);
  const general = { leds: null, fast_roaming: null, neighbour_reports: null, minimum_rssi: -78 };
  const template = { kind: 'ac', name: 'House', ssids: [], radios: [], general };
  await fixture.owner.call('/api/v3/wireless_template/create', template);
  for (let n = 1; n <= shops; n += 1) await fixture.owner.call('/api/v3/network/create', { remark: `Shop-${n}` });
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail' && page) await keepPicture(page, `fleet lists ${task.name}`);
});
afterAll(() => fixture?.stop());

const tagged = async (tag: string) => {
  const { total } = await fixture.owner.call<{ total: number }>('/api/v3/network/list', { tag, page: 1, limit: 10 });
  return total;
};

describe.each(twoLooks)('in %s and %s', (language, theme) => {
  const t = texts(language);
  // per look, so that the second run changes something
  const look = `${language.slice(0, 2)}-${theme}`;
  const tag = `Spring-${look}`;
  let errors: string[];

  beforeAll(async () => {
    const { browser, product, owner } = fixture;
    ({ page, errors } = await openPage(browser, product.url, language, theme, { token: owner.token }));
  });
  afterAll(() => page?.context().close());

  const act = (name: string) => page.locator('.toolbar').getByRole('button', { name, exact: true });

  it('tags every result of a list that has more pages than one', async () => {
    await page.goto(`${fixture.product.url}/networks?keyword=Shop`);
    await page.getByRole('link', { name: 'Shop-1', exact: true }).waitFor();
    await page.getByLabel(t('table.select_page')).check();
    await page.getByRole('button', { name: t('table.select_all', { n: shops }) }).click();
    await act(t('batch.set_up')).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(t('batch.tags_add')).fill(tag);
    await dialog.getByRole('button', { name: t('action.save') }).click();
    await page.getByText(t('batch.changed', { n: shops })).waitFor();
    expect(await tagged(tag)).toBe(shops);
  });

  it('plans maintenance, silences and restarts access points of several networks in one dialog', async () => {
    const keyword = `Depot-${look}`;
    for (const n of [1, 2, 3]) await fixture.owner.call('/api/v3/network/create', { remark: `${keyword}-${n}` });
    await page.goto(`${fixture.product.url}/networks?keyword=${keyword}`);
    await page.getByRole('link', { name: `${keyword}-1`, exact: true }).waitFor();
    await page.getByLabel(t('table.select_page')).check();
    const dialog = page.getByRole('dialog');
    const choose = async (kind: 'maintenance' | 'silence' | 'restart') => {
      await act(t('batch.set_up')).click();
      await dialog.getByText(t(`batch.act_${kind}`), { exact: true }).click();
    };
    await choose('restart');
    await dialog.getByText(t('restart.scope_all'), { exact: true }).click();
    await dialog.getByRole('button', { name: t('action.save') }).click();
    await dialog.getByText(t('restart.no_device')).waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    await dialog.getByRole('button', { name: t('action.cancel') }).click();
    await choose('maintenance');
    await dialog.getByText(t('maintenance.now'), { exact: true }).click();
    expect(await seriousIssues(page)).toEqual([]);
    await dialog.getByRole('button', { name: t('maintenance.plan') }).click();
    await dialog.waitFor({ state: 'detached' });
    const { list } = await fixture.owner.call<{ list: { gwid: string }[] }>('/api/v3/network/list', {
      keyword,
      limit: 50,
    });
    const open = async () => {
      const states = list.map(({ gwid }) =>
        fixture.owner.call<{ list: { open: boolean }[] }>('/api/v3/network/maintenance/list', { gwid }),
      );
      return (await Promise.all(states)).filter((one) => one.list.some((row) => row.open)).length;
    };
    expect(await open()).toBe(3);
    await page.getByLabel(t('table.select_page')).check();
    await choose('silence');
    expect(await seriousIssues(page)).toEqual([]);
    await dialog.getByRole('button', { name: t('site_silence.silence') }).click();
    await dialog.waitFor({ state: 'detached' });
    const of = { gwid: list[0]!.gwid };
    expect(await fixture.owner.call('/api/v3/alarm_silence/detail', of)).toMatchObject({ silence: of });
    await page.goto(`${fixture.product.url}/network/${list[0]!.gwid}`);
    await page
      .getByRole('button', { name: t('maintenance.end') })
      .first()
      .click();
    await page.getByText(t('maintenance.ended')).first().waitFor();
  });

  it('acts on a row that was ticked and has moved to another page since', async () => {
    const name = (end: string) => `Quarter-${look}-${end}`;
    const create = (end: string) => fixture.owner.call('/api/v3/network/create', { remark: name(end) });
    await create('z');
    await page.goto(`${fixture.product.url}/networks?keyword=Quarter-${look}`);
    await page.getByRole('link', { name: name('z'), exact: true }).waitFor();
    await page.getByLabel(t('table.select_row')).check();
    for (let n = 0; n < 10; n += 1) await create(`a${n}`);
    await page.getByRole('link', { name: name('z'), exact: true }).waitFor({ state: 'detached' });
    await act(t('networks.back_up')).click();
    await page.getByText(t('backup.empty_left', { n: 1 })).waitFor();
  });

  it('saves a view, and comes back to it', async () => {
    await page.goto(`${fixture.product.url}/networks`);
    await page.getByLabel(t('networks.tags')).selectOption(tag);
    await page.waitForURL(/tag=/);
    await act(t('views.title')).click();
    await page.getByRole('button', { name: t('views.save') }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(t('views.name')).fill(`Shops-${look}`);
    await dialog.getByRole('button', { name: t('action.save') }).click();
    await page.getByText(t('views.saved', { name: `Shops-${look}` })).waitFor();
    await page.goto(`${fixture.product.url}/networks`);
    await act(t('views.title')).click();
    await page.getByRole('button', { name: `Shops-${look}`, exact: true }).click();
    await page.waitForURL(new RegExp(`tag=${tag}`));
    await page.getByText(t('table.range', { from: 1, to: 10, total: shops })).waitFor();
  });

  it('shows cards, whose look is in the address', async () => {
    await page.goto(`${fixture.product.url}/networks?keyword=Harbour`);
    await page.getByRole('button', { name: t('table.as_cards') }).click();
    await page.waitForURL(/look=cards/);
    await page.locator('.list-card').getByRole('link', { name: 'Harbour' }).click();
    await page.waitForURL(/\/network\//);
  });

  it('puts access points into a new group and names them one after another', async () => {
    const group = `Pier-${look}`;
    await page.goto(`${fixture.product.url}/network/aps/${fixture.gwid}`);
    await page.locator('tbody input[type=checkbox]').first().waitFor();
    await page.getByLabel(t('table.select_page')).check();
    await act(t('groups.group')).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(t('groups.group'), { exact: true }).selectOption({ label: t('groups.new') });
    await dialog.getByLabel(t('groups.name')).fill(group);
    await dialog.getByRole('button', { name: t('action.save') }).click();
    await page.locator('tbody').getByText(group).first().waitFor();
    const { list: made } = await fixture.owner.call<{ list: { id: string; name: string }[] }>(
      '/api/v3/ap/group/list',
      {},
    );
    const { id } = made.find(({ name }) => name === group)!;
    const long = '客房'.repeat(32);
    await fixture.owner.call('/api/v3/ap/group/update', { id, name: long });
    await page.reload();
    await page.locator('tbody').getByText(long).first().waitFor();
    const heights = await page.locator('tbody tr').evaluateAll((rows) => rows.map((row) => row.clientHeight));
    expect(Math.max(...heights)).toBeLessThan(60);
    await fixture.owner.call('/api/v3/ap/group/update', { id, name: group });
    await page.reload();
    await page.locator('tbody').getByText(group).first().waitFor();
    await page.getByLabel(t('table.select_page')).check();
    await act(t('batch.rename')).click();
    await page.getByRole('dialog').getByLabel(t('batch.rename_prefix')).fill(`Quay-${look}-`);
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('batch.rename') })
      .click();
    await page.locator('tbody').getByText(`Quay-${look}-1`).first().waitFor();
    const { list } = await fixture.owner.call<{ list: { name: string }[] }>('/api/v3/ap/group/list', {});
    expect(list.map(({ name }) => name)).toContain(group);
  });

  it('says nothing of a new group while another one is renamed', async () => {
    await act(t('groups.manage')).click();
    const dialog = page.getByRole('dialog');
    const row = dialog.locator('tbody tr').filter({ hasText: `Pier-${look}` });
    const edit = `${t('action.edit')} · ${t('groups.name')}`;
    for (const name of [`Renamed-${look}`, `Pier-${look}`]) {
      await dialog.locator('tbody tr').filter({ hasText: look }).getByRole('button', { name: edit }).click();
      await dialog.getByLabel(t('groups.name'), { exact: true }).fill(name);
      await page.keyboard.press('Enter');
      await dialog.locator('tbody').getByText(name, { exact: true }).waitFor();
      expect(await dialog.getByText(t('validation.required')).count()).toBe(0);
    }
    await row.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('opens a device from its row by keyboard, and gives the focus back', async () => {
    await page.goto(`${fixture.product.url}/network/aps/${fixture.gwid}`);
    const more = page
      .locator('tbody tr')
      .first()
      .getByRole('button', { name: t('action.more') });
    await more.press('Enter');
    await page.getByRole('menuitem', { name: t('device.open') }).press('Enter');
    await page.waitForURL(/device=/);
    await page.getByRole('dialog').getByRole('tab').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => more.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it('says whether the configuration is in force within sight, however wide the columns are', async () => {
    await page.goto(`${fixture.product.url}/network/aps`);
    const head = page.getByRole('columnheader', { name: t('networks.config'), exact: true });
    await head.waitFor();
    const [own, acts] = [await head.boundingBox(), await page.locator('tbody .cell-acts').first().boundingBox()];
    expect(own!.x + own!.width).toBeLessThanOrEqual(acts!.x);
  });

  it('opens the settings of a group, and renames and deletes it', async () => {
    await act(t('groups.manage')).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: t('groups.settings', { name: `Pier-${look}` }) }).click();
    await dialog.getByText(t('group_settings.body')).waitFor();
    await dialog.getByRole('button', { name: t('action.cancel'), exact: true }).click();
    await act(t('groups.manage')).click();
    await dialog.getByRole('button', { name: t('groups.delete', { name: `Pier-${look}` }) }).click();
    await dialog.getByText(t('groups.delete_title', { name: `Pier-${look}` })).waitFor();
    await dialog.getByRole('button', { name: t('action.delete'), exact: true }).click();
    await page.getByText(t('table.deleted')).waitFor();
    const { list } = await fixture.owner.call<{ list: { name: string }[] }>('/api/v3/ap/group/list', {});
    expect(list.map(({ name }) => name)).not.toContain(`Pier-${look}`);
  });

  it('keeps what a row asks, and the choice of columns, within sight', async () => {
    await page.goto(`${fixture.product.url}/network/aps/${fixture.gwid}`);
    const row = page.locator('tbody tr').first();
    await row.getByRole('button', { name: t('action.more') }).click();
    await page.getByRole('menuitem', { name: t('replace.act') }).click();
    await page.getByText(t('replace.warn')).waitFor();
    const body = page.getByRole('dialog').locator('.dialog-body');
    expect(await body.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('action.cancel') })
      .click();
    await act(t('table.columns')).click();
    await page.getByRole('button', { name: t('table.columns_all') }).click();
    await page.getByRole('columnheader', { name: t('networks.bound') }).waitFor();
    await page.getByRole('button', { name: t('table.columns_default') }).click();
    await page.getByRole('columnheader', { name: t('networks.bound') }).waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
  });

  it.each(['', '/:gwid'])('shows the list of access points%s whole at 1440 pixels', async (place) => {
    const { owner, product, gwid } = fixture;
    const { list } = await owner.call<{ list: { serial: string }[] }>('/api/v3/ap/list', { gwid, kind: 'ap' });
    const serials = list.map(({ serial }) => serial);
    const groups = await owner.call<{ list: { id: string; name: string }[] }>('/api/v3/ap/group/list', {});
    const name = 'Ballrooms-and-conference-rooms';
    const group =
      groups.list.find((one) => one.name === name) ??
      (await owner.call<{ id: string }>('/api/v3/ap/group/create', { name }));
    await owner.call('/api/v3/ap/group/assign', { serials, id: group.id });
    await owner.call('/api/v3/ap/batch_rename', {
      serials,
      prefix: 'Access-point-of-the-east-wing-',
      start: 1,
      digits: 3,
    });
    await page.goto(`${product.url}/network/aps${place.replace(':gwid', gwid)}`);
    await page.locator('tbody tr').filter({ hasText: '5 GHz' }).first().waitFor();
    const frame = page.locator('.table-scroll');
    await expect.poll(() => frame.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
  });

  it('shows what a template would do to the access points that are selected, and pushes it', async () => {
    await page.goto(`${fixture.product.url}/network/aps/${fixture.gwid}`);
    await page.locator('tbody input[type=checkbox]').first().waitFor();
    await page.getByLabel(t('table.select_page')).check();
    await act(t('batch.template')).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(t('choose_template.of_ac', { name: 'House' })).waitFor({ state: 'attached' });
    expect(await seriousIssues(page)).toEqual([]);
    await dialog.getByRole('button', { name: t('push.next_targets') }).click();
    await dialog.getByRole('button', { name: t('push.next_impact') }).click();
    await dialog.getByText(t('push.firmware_note')).waitFor();
    if (look !== 'zh-light') return;
    await dialog.getByRole('button', { name: /^\S*下发/ }).click();
    await page.waitForURL(/ac_edit\/.*tab=pushes/);
    const templates = async () => {
      const asked = { gwid: fixture.gwid, kind: 'ap', page: 1, limit: 50 };
      type Listed = { list: { settings: { templates: { name: string }[] } }[] };
      const { list } = await fixture.owner.call<Listed>('/api/v3/ap/list', asked);
      return list.map(({ settings }) => settings.templates.map(({ name }) => name).join());
    };
    await expect.poll(templates, { timeout: 60_000 }).toContain('House');
  });

  it('leads from a network to the terminal of its gateway', async () => {
    await page.goto(`${fixture.product.url}/networks`);
    const row = page.locator('tbody tr').filter({ hasText: 'Harbour' });
    await row.getByRole('button', { name: t('action.more') }).click();
    await page.getByRole('menuitem', { name: t('device.terminal'), exact: true }).click();
    const dialog = page.getByRole('dialog', { name: t('remote.open_title', { name: 'Harbour' }), exact: true });
    await dialog.getByText(t('remote.reason_off'), { exact: true }).waitFor();
    await dialog.getByRole('button', { name: t('action.cancel'), exact: true }).click();
  });

  it('says of one access point what goes with it, and nothing that stays with its network', async () => {
    await page.goto(`${fixture.product.url}/network/aps/${fixture.gwid}`);
    await page
      .locator('tbody tr')
      .first()
      .getByRole('button', { name: t('action.more') })
      .click();
    await page.getByRole('menuitem', { name: t('device.unbind') }).click();
    await page.getByText(t('device.unbind_body')).waitFor();
    const losses = (['marks', 'config', 'certificate'] as const).map((part) => t(`device.unbind_${part}`));
    expect(await page.getByRole('dialog').locator('.losses li').allTextContents()).toEqual(losses);
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('action.cancel') })
      .click();
  });

  it('assigns waiting devices together, and shows bulk actions only with a selection', async () => {
    const { owner, product } = fixture;
    const place = { consoleUrl: product.url, bindingCode: owner.bindingCode };
    const at = twoLooks.findIndex(([first, second]) => first === language && second === theme);
    for (const n of [1, 2]) await enrol({ ...place, serial: `0200000ee${at}0${n}`, platform: 'ap', model: 'Spare' });
    await page.goto(`${product.url}/waiting_devices`);
    const boxes = page.locator('tbody input[type=checkbox]');
    await boxes.nth(1).waitFor();
    expect(await act(t('waiting.adopt')).count()).toBe(0);
    await page.getByLabel(t('table.select_page')).check();
    await act(t('waiting.adopt')).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox').selectOption({ label: 'Shop-1' });
    expect(await seriousIssues(page)).toEqual([]);
    await dialog.getByRole('button', { name: t('waiting.adopt'), exact: true }).click();
    await page.getByText(t('waiting.adopted', { n: 2, serial: '', name: 'Shop-1' })).waitFor();
    expect(await owner.call('/api/v3/device/waiting/list', { page: 1, limit: 10 })).toMatchObject({ total: 0 });
  });

  it('unbinds several access points once their number is typed', async () => {
    const { owner, product, gwid } = fixture;
    const place = { consoleUrl: product.url, bindingCode: owner.bindingCode, gwid };
    const at = twoLooks.findIndex(([first, second]) => first === language && second === theme);
    for (const n of [1, 2]) await enrol({ ...place, serial: `0200000ed${at}0${n}`, platform: 'ap', model: 'Spare' });
    await page.goto(`${product.url}/network/aps/${gwid}?status=never_connected`);
    await page.locator('tbody input[type=checkbox]').nth(1).waitFor();
    await page.getByLabel(t('table.select_page')).check();
    await act(t('networks.unbind')).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(t('batch.unbind_title', { n: 2 })).waitFor();
    const send = dialog.getByRole('button', { name: t('networks.unbind'), exact: true });
    expect(await send.isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill('2');
    await send.click();
    await page.getByText(t('batch.unbound', { n: 2 })).waitFor();
    const asked = { gwid, status: 'never_connected', page: 1, limit: 10 };
    expect(await owner.call('/api/v3/ap/list', asked)).toMatchObject({ total: 0 });
  });

  it('is accessible, and has no console errors', async () => {
    expect(await seriousIssues(page)).toEqual([]);
    expect(errors).toEqual([]);
  });
});
