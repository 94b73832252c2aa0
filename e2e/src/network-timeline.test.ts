import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { keepPicture, looks, openPage, seriousIssues, texts } from './browser.ts';
import { type Fixture, startFixture } from './fixture.ts';
import { says, tableOf } from './home-page.ts';
import { until } from './until.ts';

interface Mark {
  kind: string;
}

/** With a gap in their third place: real ones take too long. */
function drawn(places: number) {
  const line = (base: number) => Array.from({ length: places }, (_, at) => (at === 2 ? null : base + (at % 7)));
  const none = Array.from({ length: places }, () => null);
  return {
    traffic_source: 'wan',
    down: line(8e6),
    up: line(1e6),
    clients: line(20),
    utilization: { '2.4G': line(40), '5G': none, '6G': none },
    score: line(70),
    latency: line(12),
    loss: none,
  };
}

let fixture: Fixture;
let lost: string;

beforeAll(async () => {
  fixture = await startFixture('timeline', 2);
  const { fleet, owner, gwid } = fixture;
  lost = fleet.status().find(({ role }) => role === 'access-point')!.serial;
  fleet.device(lost).stop();
  await until('the timeline has the failure, and the push of the first settings', async () => {
    const { marks } = await owner.call<{ marks: Mark[] }>('/api/v3/network/timeline', { gwid, hours: 24 });
    return ['outage', 'push'].every((kind) => marks.some((mark) => mark.kind === kind));
  });
});
afterAll(() => fixture?.stop());

describe.each([looks[0], looks[3]])('in %s and %s', (language, theme) => {
  const t = texts(language);
  let page: Page;
  let errors: string[];

  beforeAll(async () => {
    const { browser, product, owner } = fixture;
    ({ page, errors } = await openPage(browser, product.url, language, theme, { token: owner.token }));
    await page.route('**/api/v3/network/timeline', async (route) => {
      const response = await route.fetch();
      const answer = await response.json();
      await route.fulfill({
        response,
        json: { ...answer, data: { ...answer.data, ...drawn(answer.data.down.length) } },
      });
    });
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await keepPicture(page, `timeline ${language} ${task.name}`);
  });
  afterAll(async () => {
    await page?.unrouteAll({ behavior: 'ignoreErrors' });
    await page?.context().close();
  });

  const card = () =>
    page.locator('.card').filter({ has: page.getByRole('heading', { level: 2, name: t('timeline.title') }) });
  const events = () => card().locator('.timeline-list tbody tr');
  const buckets = async () => (await tableOf(card().locator('.chart'))).length;
  const open = () => page.goto(`${fixture.product.url}/network/${fixture.gwid}`);

  it('a span is chosen, kept in the address, and has its availability beside it', async () => {
    await open();
    await expect.poll(buckets).toBe(288);
    await says(card(), t('outages.availability'), t('timeline.source_wan'), t('timeline.kind_outage'));
    const [, ...gap] = (await tableOf(card().locator('.chart')))[2]!;
    expect(gap).toEqual(Array.from({ length: 6 }, () => t('chart.gap')));
    await expect.poll(() => card().locator('.chart-line').count()).toBe(6);
    await expect.poll(() => card().locator('.timeline-availability strong').textContent()).toMatch(/^[\d.]+%$/);
    await card()
      .getByText(t('outages.window', { hours: 168 }), { exact: true })
      .click();
    await page.waitForURL('**span=168**');
    await expect.poll(buckets).toBe(168);
    await page.reload();
    await expect.poll(buckets).toBe(168);
    expect(await seriousIssues(page)).toEqual([]);
  });

  it('a part is dragged over to enlarge it, kept in the address, and left again by key', async () => {
    await open();
    await expect.poll(buckets).toBe(288);
    const chart = card().getByRole('slider', { name: t('timeline.label') });
    const { x, y, width } = (await chart.boundingBox())!;
    await page.mouse.move(x + width * 0.5, y + 120);
    await page.mouse.down();
    await page.mouse.move(x + width * 0.75, y + 120, { steps: 4 });
    expect(await card().locator('.chart-brush').count()).toBe(1);
    await page.mouse.up();
    await page.waitForURL('**zoom=**');
    await expect.poll(buckets).toBeLessThan(90);
    // a drag chooses no point
    expect(await card().locator('.timeline-back').count()).toBe(0);
    const part = await buckets();
    await page.reload();
    await expect.poll(buckets).toBe(part);
    await chart.press('+');
    await expect.poll(buckets).toBeLessThan(part);
    await chart.press('-');
    await expect.poll(buckets).toBe(288);
    expect(new URL(page.url()).searchParams.has('zoom')).toBe(false);
  });

  it('a mark opens its job, and one of an outage its device', async () => {
    await open();
    await events()
      .getByRole('button', { name: t('timeline.kind_push') })
      .first()
      .click();
    const drawer = page.getByRole('dialog');
    await drawer.getByText(t('job_type.configuration')).first().waitFor();
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    await card().locator('.chart .timeline-mark[data-kind=outage]').first().click();
    await page.waitForURL(`**/network/${fixture.gwid}?**device=${lost}**`);
    await page.getByRole('dialog').getByText(t('status.offline'), { exact: true }).first().waitFor();
  });

  it('a point chosen by keyboard lists what happened in the two hours before it', async () => {
    await open();
    const chart = card().getByRole('slider', { name: t('timeline.label') });
    // the first key only shows the cursor
    await chart.press('Home');
    await chart.press('Home');
    await chart.press('Enter');
    await says(card(), t('timeline.none_before'));
    expect(await events().count()).toBe(0);
    await chart.press('End');
    await chart.press('Enter');
    await events()
      .getByRole('button', { name: t('timeline.kind_push') })
      .first()
      .waitFor();
    expect(await card().locator('.timeline-back').count()).toBe(1);
    await card()
      .getByRole('button', { name: t('timeline.show_all') })
      .click();
    await card()
      .getByRole('heading', { name: t('timeline.events'), exact: true })
      .waitFor();
    expect(errors).toEqual([]);
  });
});
