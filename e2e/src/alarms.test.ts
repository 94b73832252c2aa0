// An alarm appears after its tolerance, is acknowledged with a note, and recovers by itself.
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { AccessPoint } from '../../packages/server/test/conformance/peer/access-point.ts';
import { makeKey, makeRequest } from '../../packages/server/test/conformance/peer/identity.ts';
import { keepPicture, openPage, seriousIssues, startBrowser, texts, type Visit } from './browser.ts';
import { type Person, register } from './person.ts';
import { type Product, startProduct } from './product.ts';

const t = texts('en');
const serial = '9c00000000a1';
const minutes = { timeout: 150_000 };
let product: Product;
let browser: Browser;
let person: Person;
let visit: Visit;
let page: Page;
let device: AccessPoint;

beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), startBrowser()]);
  person = await register(product, 'alarms@example.org');
  const { gwid } = await person.call<{ gwid: string }>('/api/v3/network/create', { remark: 'West-Lake' });
  const key = makeKey();
  const { certificate, ca, server, port } = await person.call<{
    certificate: string;
    ca: string;
    server: string;
    port: number;
  }>('/api/v3/device/enroll', {
    binding_code: person.bindingCode,
    serial,
    gwid,
    csr: makeRequest(serial, key),
  });
  const address = { address: '127.0.0.1', validateHostname: true };
  device = new AccessPoint({ serial, key: key.keyPem, cert: certificate, ca, server, port, ...address });
  const scope = { type: 'all', ids: [] };
  await person.call('/api/v3/alarm_rule/save', {
    rule: { kind: 'ap_offline', enabled: true, level: 'FATAL', tolerance: 1, threshold: null, scope },
  });
  visit = await openPage(browser, product.url, 'en', 'light', { token: person.token });
  page = visit.page;
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail' && page) await keepPicture(page, `alarms ${task.name}`);
});
afterAll(async () => {
  await device?.cut();
  await browser?.close();
  await product?.stop();
});

const statusOf = async () => {
  const { list } = await person.call<{ list: { serial: string; status: string }[] }>('/api/v3/ap/list', {});
  return list.find((row) => row.serial === serial)?.status;
};
const bell = (n: number) => page.locator('header').getByRole('link', { name: t('header.alarms', { n }) });
const row = () => page.locator('tbody tr');

it('shows an offline access point, takes an acknowledgement, and recovers with it', async () => {
  await device.connect();
  await expect.poll(statusOf).toBe('online');
  await page.goto(`${product.url}/alarm`);
  await page.getByText(t('alarm.never_body')).waitFor();
  await bell(0).waitFor();
  await device.cut();
  await row().getByText(t('alarm.kind_ap_offline')).waitFor(minutes);
  await bell(1).waitFor();
  await row().getByText(t('alarm_level.FATAL')).waitFor();

  await row().click();
  const drawer = page.getByRole('dialog');
  await drawer.getByText(t('alarm.event_opened')).waitFor();
  expect(await seriousIssues(page)).toEqual([]);
  await drawer.getByRole('button', { name: t('alarm.acknowledge'), exact: true }).click();
  await page.getByLabel(t('alarm.note')).fill('cable is out');
  await page
    .getByRole('dialog')
    .last()
    .getByRole('button', { name: t('alarm.acknowledge'), exact: true })
    .click();
  // the state has the same word
  await drawer.getByText(t('alarm.event_acknowledged')).first().waitFor();
  await drawer.getByText('cable is out').first().waitFor();
  await drawer.getByRole('button', { name: t('action.close') }).click();
  await drawer.waitFor({ state: 'detached' });
  await row().getByText(t('alarm.state_acknowledged')).waitFor();

  await device.connect();
  await page.getByText(t('alarm.never_body')).waitFor(minutes);
  await bell(0).waitFor();
  await page.getByRole('link', { name: t('alarm.show_recovered') }).click();
  await row().getByText('cable is out').waitFor();
  expect(visit.errors).toEqual([]);
});

it('leads from an alarm to its rule, with the tolerance that would not have raised it', async () => {
  await row().getByText('cable is out').click();
  const drawer = page.getByRole('dialog');
  await drawer.getByText(t('alarm.similar_none')).waitFor();
  await drawer.getByRole('link', { name: t('alarm.to_rule') }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(t('alarm.rule_from_hint')).waitFor();
  expect(await seriousIssues(page)).toEqual([]);
  await dialog.getByRole('button', { name: new RegExp(`^${t('alarm.rule_from_tolerance', { time: '' })}`) }).click();
  const tolerance = await dialog.getByLabel(t('alarm.tolerance_field')).inputValue();
  expect(Number(tolerance) % 60).toBe(0);
  expect(Number(tolerance)).toBeGreaterThan(0);
  await dialog.getByRole('button', { name: t('action.cancel') }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(new URL(page.url()).searchParams.has('from_alarm')).toBe(false);
});

it('changes a rule with its level and tolerance', async () => {
  await page.getByRole('tab', { name: t('alarm.tab_rules') }).click();
  const name = t('alarm.kind_memory_high');
  await page.getByRole('button', { name: t('alarm.rule_edit', { name }) }).click();
  await page.getByLabel(t('alarm.threshold_field', { unit: '%' })).fill('20');
  await page.getByRole('button', { name: t('action.save') }).click();
  await page.getByRole('alert').waitFor();
  await page.getByLabel(t('alarm.threshold_field', { unit: '%' })).fill('80');
  await page.getByRole('button', { name: t('action.save') }).click();
  await page.getByRole('row', { name }).getByText('80%').waitFor();
  await page.getByRole('row', { name }).getByText(t('alarm.rule_by_hand')).waitFor();
  expect(visit.errors).toEqual([]);
});

it('switches a rule, and changes its values, where they stand', async () => {
  const name = t('alarm.kind_memory_high');
  const rules = async () =>
    (await person.call<{ list: { rule: Record<string, unknown> }[] }>('/api/v3/alarm_rule/list', {})).list;
  const rule = async () => (await rules()).find((one) => one.rule.kind === 'memory_high')?.rule;
  const before = await rule();
  await page.getByRole('switch', { name: t('alarm.rule_enable', { name }) }).click();
  await expect.poll(async () => (await rule())?.enabled).toBe(!before?.enabled);
  await page.getByRole('switch', { name: t('alarm.rule_enable', { name }) }).click();
  await expect.poll(async () => (await rule())?.enabled).toBe(before?.enabled);
  await page.getByLabel(t('alarm.level_of', { name })).selectOption('FATAL');
  await expect.poll(async () => (await rule())?.level).toBe('FATAL');
  await page.getByRole('button', { name: `${t('action.edit')} · ${t('alarm.tolerance_of', { name })}` }).click();
  const field = page.getByRole('textbox', { name: t('alarm.tolerance_of', { name }) });
  await field.fill('99999');
  await field.press('Enter');
  await page.getByText(t('validation.between', { min: 0, max: 1440 })).waitFor();
  await field.fill('7');
  await field.press('Enter');
  await expect.poll(rule).toMatchObject({ tolerance: 420, threshold: before?.threshold });
  expect(await seriousIssues(page)).toEqual([]);
});

it('tries a rule against the past before it is saved, and applies a preset that says what it overwrites', async () => {
  const name = t('alarm.kind_ap_offline');
  const edit = page.getByRole('button', { name: t('alarm.rule_edit', { name }) });
  await edit.click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: t('alarm.backtest'), exact: true }).click();
  const result = dialog.getByRole('region', { name: t('alarm.backtest') });
  // the first test's outage
  await result.getByText(t('alarm.backtest_alarms', { n: 1 }), { exact: true }).waitFor();
  await result.getByText(t('alarm.backtest_notices', { n: 2 }), { exact: true }).waitFor();
  await result.getByRole('link', { name: 'West-Lake' }).waitFor();
  expect(await seriousIssues(page)).toEqual([]);
  await dialog.getByLabel(t('alarm.tolerance_field')).fill('3600');
  await result.waitFor({ state: 'detached' });
  await dialog.getByRole('button', { name: t('alarm.backtest'), exact: true }).click();
  await result.getByText(t('alarm.backtest_quiet')).waitFor();
  await dialog.getByRole('button', { name: t('action.cancel') }).click();

  await page.getByRole('button', { name: t('alarm.presets') }).click();
  await dialog.getByText(t('alarm.preset_overwrites', { n: 2 })).waitFor();
  await dialog.getByRole('radio', { name: t('alarm.preset_quiet') }).click();
  await dialog
    .getByRole('row', { name })
    .getByText(t('time.minutes', { n: 30 }))
    .waitFor();
  expect(await seriousIssues(page)).toEqual([]);
  await dialog.getByRole('button', { name: t('alarm.preset_apply') }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('row', { name }).getByText(t('alarm.preset_quiet')).waitFor();
  await expect.poll(() => page.getByText(t('alarm.rule_by_hand'), { exact: true }).count()).toBe(0);
  expect(visit.errors).toEqual([]);
});
