// Three access points that share an uplink are one alarm with one recovery.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type AlarmReceiver, startAlarmReceiver, subscriptionTo } from './alarm-receiver.ts';
import { keepPicture, openPage, texts } from './browser.ts';
import { type Fixture, startFixture } from './fixture.ts';
import { until } from './until.ts';

interface Outage {
  serial: string;
  ended_at: string | null;
}
interface Alarm {
  kind: string;
  state: string;
}

/** From the notice to the cause, milliseconds and clicks. */
const atMost = { ms: 60_000, clicks: 5 };
const minutes = { timeout: 200_000 };
const t = texts('en');

let fixture: Fixture;
let receiver: AlarmReceiver;
let page: Page;
let errors: string[];
let aps: string[];

const alarms = async (state?: string) =>
  (await fixture.owner.call<{ list: Alarm[] }>('/api/v3/alarm/list', { page: 1, limit: 50, ...(state && { state }) }))
    .list;

beforeAll(async () => {
  receiver = await startAlarmReceiver();
  fixture = await startFixture('j4', 3, 1);
  const { owner, gwid, fleet, browser, product } = fixture;
  aps = fleet.status().flatMap(({ role, serial }) => (role === 'access-point' ? [serial] : []));
  await owner.call('/api/v3/alarm_subscription/save', subscriptionTo(receiver));
  await until('the topology has the access points under one device', async () => {
    const { nodes } = await owner.call<{ nodes: { id: string; parent: string | null }[] }>('/api/v3/topology/get', {
      gwid,
    });
    const parents = new Set(nodes.filter(({ id }) => aps.includes(id)).map(({ parent }) => parent));
    return parents.size === 1 && !parents.has(null);
  });
  ({ page, errors } = await openPage(browser, product.url, 'en', 'light', { token: owner.token }));
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail' && page) await keepPicture(page, `j4 ${task.name}`);
});
afterAll(async () => {
  await fixture?.stop();
  receiver?.stop();
});

const rule = (kind: string, tolerance: number) =>
  fixture.owner.call('/api/v3/alarm_rule/save', {
    rule: {
      kind,
      enabled: true,
      level: 'MIDDLE',
      tolerance,
      threshold: null,
      scope: { type: 'all', ids: [] },
    },
  });

describe('a lost uplink', () => {
  it('a short loss is in the history and no alarm', async () => {
    const [blip] = aps;
    fixture.fleet.device(blip!).stop();
    const outages = async () =>
      (await fixture.owner.call<{ list: Outage[] }>('/api/v3/outage/list', { serial: blip, page: 1, limit: 10 })).list;
    await until('the loss is known', async () => (await outages()).length > 0);
    await fixture.fleet.device(blip!).start('socket');
    await until('it has ended', async () => (await outages())[0]?.ended_at !== null);
    expect(await alarms('all')).toEqual([]);
    expect(receiver.events()).toEqual([]);
  });

  it('three access points behind one uplink are one alarm and one notice', async () => {
    await rule('uplink_lost', 5);
    await rule('ap_offline', 5);
    for (const serial of aps) fixture.fleet.device(serial).stop();
    await expect.poll(() => receiver.events(), minutes).toEqual(['opened uplink_lost']);
    expect(receiver.bodies[0]!.alarms[0]).toMatchObject({ devices_hit: 3 });
  });

  it('the bell leads to the cause and to the access point in a minute and five clicks', async () => {
    const { product, gwid } = fixture;
    await page.goto(product.url);
    const bell = page.locator('header').getByRole('link', { name: t('header.alarms', { n: 1 }) });
    await bell.waitFor();
    expect(await bell.getAttribute('title')).toContain(t('alarm_level.MIDDLE'));
    const began = performance.now();
    let clicks = 0;
    const click = async (target: ReturnType<Page['locator']>) => {
      clicks += 1;
      await target.click();
    };
    await click(bell);
    await click(page.locator('tbody tr').getByText(t('alarm.kind_uplink_lost')));
    const drawer = page.getByRole('dialog');
    await drawer.getByText(t('alarm.children', { n: 3 })).waitFor();
    expect([performance.now() - began < atMost.ms, clicks <= atMost.clicks]).toEqual([true, true]);
    await click(drawer.getByRole('link', { name: new RegExp(t('alarm.kind_ap_offline')) }).first());
    await click(drawer.getByRole('link', { name: t('alarm.to_device') }));
    await page.waitForURL(`**/network/${gwid}?**device=**`);
    await page.getByRole('dialog').getByText(t('status.offline'), { exact: true }).first().waitFor();
    expect(clicks).toBeLessThanOrEqual(atMost.clicks);
  });

  it('the whole access point is found by half of its MAC address', async () => {
    await page.goto(fixture.product.url);
    await page.getByRole('button', { name: t('header.search') }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: t('search.title') }).fill(aps[0]!.slice(6));
    await page
      .getByRole('group', { name: t('search.kind_device') })
      .getByRole('option')
      .first()
      .waitFor();
    await page.keyboard.press('Escape');
  });

  it('it is acknowledged with a note and an assignee, and closes by itself with one notice', async () => {
    await page.goto(`${fixture.product.url}/alarm`);
    const row = page.locator('tbody tr').first();
    await row.getByRole('button', { name: t('alarm.acknowledge'), exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(t('alarm.note')).fill('power supply of the switch');
    await dialog.getByRole('button', { name: t('alarm.acknowledge'), exact: true }).click();
    await row.getByText(t('alarm.state_acknowledged')).waitFor();
    await row.getByText('power supply of the switch').waitFor();
    for (const serial of aps) await fixture.fleet.device(serial).start('coldboot');
    await expect.poll(() => receiver.events(), minutes).toEqual(['opened uplink_lost', 'recovered uplink_lost']);
    await page.getByText(t('alarm.never_body')).waitFor(minutes);
    const actions = await fixture.owner.call<{ list: { action: string }[] }>('/api/v3/log/action/list', {
      page: 1,
      limit: 10,
      action: 'alarm.acknowledge',
    });
    expect(actions.list).toHaveLength(1);
    expect(errors).toEqual([]);
  });

  it('the next one shows it among the earlier alarms, with how it ended', async () => {
    for (const serial of aps) fixture.fleet.device(serial).stop();
    await page.locator('tbody tr').getByText(t('alarm.kind_uplink_lost')).click(minutes);
    const drawer = page.getByRole('dialog');
    const reopened = drawer.getByText(t('alarm.event_reopened'));
    const similar = drawer.getByText(t('alarm.similar_recovered'));
    // within ten minutes of its recovery the same alarm returns
    await reopened.or(similar).first().waitFor();
    await drawer.getByText('power supply of the switch').first().waitFor();
  });

  it('one of them is restarted by the PoE of its switch port, from its page and from its row', async () => {
    const { product, gwid } = fixture;
    await page.goto(`${product.url}/network/aps/${gwid}`);
    const dialog = page.getByRole('dialog').last();
    const row = page.locator('tbody tr').first();
    await row.getByRole('button', { name: t('action.more') }).click();
    await page.getByRole('menuitem', { name: t('device.reboot_power') }).click();
    await dialog.getByText(t('ports.cycle_body')).waitFor();
    await page.goto(`${product.url}/network/${gwid}?tab=devices&device=${aps[0]}`);
    await dialog.getByRole('button', { name: t('ports.offer') }).click();
    await dialog.getByRole('button', { name: t('ports.cycle'), exact: true }).click();
    await page.getByRole('dialog').getByText(t('job_status.applied'), { exact: true }).first().waitFor();
  });
});
