// An operator makes alarms rarer, and loses none that counts.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type AlarmReceiver, startAlarmReceiver } from './alarm-receiver.ts';
import { keepPicture, openPage, seriousIssues, texts } from './browser.ts';
import { type Fixture, startFixture } from './fixture.ts';
import { until } from './until.ts';

const t = texts('en');
/** Of a backtest, milliseconds. */
const backtestMs = 3000;
const minutes = { timeout: 200_000 };

let fixture: Fixture;
let receiver: AlarmReceiver;
let page: Page;
let errors: string[];
let ap: string;

beforeAll(async () => {
  receiver = await startAlarmReceiver();
  fixture = await startFixture('j8', 2);
  const { fleet, browser, product, owner } = fixture;
  ap = fleet.status().find(({ role }) => role === 'access-point')!.serial;
  ({ page, errors } = await openPage(browser, product.url, 'en', 'light', { token: owner.token }));
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail' && page) await keepPicture(page, `j8 ${task.name}`);
});
afterAll(async () => {
  await fixture?.stop();
  receiver?.stop();
});

const dialog = () => page.getByRole('dialog');
const offline = (level: string) =>
  fixture.owner.call('/api/v3/alarm_rule/save', {
    rule: {
      kind: 'ap_offline',
      enabled: true,
      level,
      tolerance: 5,
      threshold: null,
      scope: { type: 'all', ids: [] },
    },
  });
const stopAndWait = async () => {
  fixture.fleet.device(ap).stop();
  await until('it is offline', async () => {
    const { list } = await fixture.owner.call<{ list: { status: string }[] }>('/api/v3/ap/list', { keyword: ap });
    return list[0]?.status === 'offline';
  });
};

describe('fewer alarms', () => {
  it('a rule is tested against the past in three seconds, with other tolerances beside it', async () => {
    await page.goto(`${fixture.product.url}/alarm?tab=rules`);
    const name = t('alarm.kind_ap_offline');
    await page.getByRole('button', { name: t('alarm.rule_edit', { name }) }).click();
    await dialog().getByLabel(t('alarm.tolerance_field')).fill('300');
    const answered = page.waitForResponse('**/api/v3/alarm_rule/simulate');
    const began = performance.now();
    await dialog()
      .getByRole('button', { name: t('alarm.backtest'), exact: true })
      .click();
    await answered;
    await dialog().getByText(t('alarm.backtest_variants')).waitFor();
    expect(performance.now() - began).toBeLessThan(backtestMs);
    await dialog()
      .getByRole('button', { name: t('action.save') })
      .click();
    await dialog().waitFor({ state: 'detached' });
  });

  it('a threshold is moved as a line of the past, and the result follows', async () => {
    const curve = {
      from: '2026-11-20T00:00:00.000Z',
      step: 3600,
      values: Array.from({ length: 72 }, (_, n) => 40 + (n % 50)),
    };
    await page.route('**/api/v3/alarm_rule/levels', (route) =>
      route.fulfill({ json: { code: 2000, message: '', data: { curve } } }),
    );
    const tested: number[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/alarm_rule/simulate'))
        tested.push((request.postDataJSON() as { rule: { threshold: number } }).rule.threshold);
    });
    const name = t('alarm.kind_memory_high');
    await page.getByRole('button', { name: t('alarm.backtest_rule', { name }) }).click();
    const line = dialog().getByRole('slider', { name: t('alarm.threshold') });
    expect(await line.getAttribute('aria-valuenow')).toBe('95');
    await line.press('ArrowDown');
    await line.press('PageDown');
    expect(await line.getAttribute('aria-valuetext')).toBe('84%');
    await expect.poll(() => tested.at(-1)).toBe(84);
    const { x, y, width, height } = (await line.locator('.threshold-handle').boundingBox())!;
    const middle = { x: x + width / 2, y: y + height / 2 };
    await page.mouse.move(middle.x, middle.y);
    await page.mouse.down();
    await page.mouse.move(middle.x, middle.y + 40, { steps: 3 });
    await page.mouse.up();
    await expect.poll(() => tested.at(-1)).toBeLessThan(84);
    await dialog()
      .getByText(t('alarm.backtest_tried', { tried: `${tested.at(-1)}%`, saved: '95%' }))
      .waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    await page.unroute('**/api/v3/alarm_rule/levels');
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
  });

  it('a subscription takes the quiet preset, with quiet hours that critical alarms pass', async () => {
    await page.goto(`${fixture.product.url}/alarm_subscribe`);
    await page
      .getByRole('button', { name: t('subscription.create') })
      .first()
      .click();
    await dialog().getByLabel(t('subscription.name')).fill('Night');
    await dialog()
      .getByRole('radio', { name: t('subscription.preset_quiet') })
      .check({ force: true });
    expect(await dialog().getByLabel(t('subscription.digest'), { exact: true }).inputValue()).toBe('15');
    // at once, and quiet at this hour: only a critical alarm arrives
    await dialog().getByLabel(t('subscription.digest'), { exact: true }).fill('0');
    await dialog().getByText(t('subscription.preset_about_own')).waitFor();
    const quiet = t('subscription.quiet');
    await dialog().getByLabel(quiet, { exact: true }).fill('0');
    await dialog()
      .getByLabel(t('field.time_until', { label: quiet }))
      .fill('2359');
    await dialog()
      .getByRole('checkbox', { name: t('alarm_level.MIDDLE') })
      .check();
    await dialog()
      .getByRole('button', { name: t('subscription.endpoint_add') })
      .click();
    await dialog()
      .getByLabel(t('subscription.endpoint_url', { n: 1 }), { exact: true })
      .fill(receiver.url);
    await dialog()
      .getByRole('button', { name: t('action.save') })
      .click();
    await dialog().getByText(t('subscription.secrets_title')).waitFor();
    await dialog()
      .getByRole('button', { name: t('action.close') })
      .click();
    await page.getByRole('button', { name: t('subscription.acts', { name: 'Night' }) }).click();
    await page.getByRole('menuitem', { name: t('subscription.test') }).click();
    await dialog()
      .getByRole('button', { name: t('subscription.test') })
      .click();
    await expect.poll(() => receiver.bodies.map(({ type }) => type), minutes).toEqual(['alarm.test']);
    await page.keyboard.press('Escape');
  });

  it('in quiet hours a critical alarm arrives, and a major one does not', async () => {
    await offline('MIDDLE');
    await stopAndWait();
    await until('the alarm is open', async () => {
      const { active } = await fixture.owner.call<{ active: number }>('/api/v3/alarm/stat', {});
      return active === 1;
    });
    await fixture.fleet.device(ap).start('socket');
    await until('it has recovered', async () => {
      const { active } = await fixture.owner.call<{ active: number }>('/api/v3/alarm/stat', {});
      return active === 0;
    });
    expect(receiver.events()).toEqual([]);
    await offline('FATAL');
    const other = fixture.fleet.status().findLast(({ role }) => role === 'access-point')!.serial;
    fixture.fleet.device(other).stop();
    await expect.poll(() => receiver.events(), minutes).toEqual(['opened ap_offline']);
    expect(receiver.bodies.at(-1)!.alarms[0]!.level).toBe('FATAL');
  });

  it('a silence of the network ends by itself and says so', async () => {
    const { owner, gwid } = fixture;
    await owner.call('/api/v3/alarm_silence/save', { gwid, minutes: 1, note: 'works' });
    await page.goto(`${fixture.product.url}/alarm?state=all`);
    await page.locator('tbody tr').getByText(t('alarm.state_silenced')).waitFor();
    await expect.poll(() => receiver.events(), minutes).toContain('silence_ended ap_offline');
    await page.locator('tbody tr').getByText(t('alarm.state_firing')).first().click(minutes);
    await dialog().getByText(t('alarm.event_silence_ended')).waitFor();
    expect(errors).toEqual([]);
  });
});
