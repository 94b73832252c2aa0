import { readFile } from 'node:fs/promises';
import type { Download, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { keepPicture, looks, openPage, seriousIssues, texts } from './browser.ts';
import { answerCampus, campus } from './campus.ts';
import { type Fixture, startFixture } from './fixture.ts';
import { until } from './until.ts';

interface Node {
  link: { source: string } | null;
  id: string;
  kind: string;
  name: string | null;
  parent: string | null;
}

let fixture: Fixture;
let page: Page;

beforeAll(async () => {
  fixture = await startFixture('place', 2);
  await until('the devices have reported their uplinks, and a client is online', async () => {
    const { nodes } = await fixture.owner.call<{ nodes: Node[] }>('/api/v3/topology/get', { gwid: fixture.gwid });
    const placed = nodes.filter(
      ({ kind, parent, link }) => kind === 'ap' && parent !== null && link?.source === 'lldp_up',
    );
    return placed.length === 2 && nodes.some(({ kind }) => kind === 'station');
  });
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail' && page) await keepPicture(page, `place ${task.name}`);
});
afterAll(() => fixture?.stop());

describe.each([looks[0], looks[3]])('in %s and %s', (language, theme) => {
  const t = texts(language);
  let errors: string[];
  const drawer = () => page.getByRole('dialog');
  const open = (path: string) => page.goto(`${fixture.product.url}${path}`);
  const saved = async (act: () => Promise<unknown>): Promise<Buffer> => {
    const [file] = await Promise.all([page.waitForEvent('download') as Promise<Download>, act()]);
    return readFile(await file.path());
  };

  const accessPoint = async () => {
    const { nodes } = await fixture.owner.call<{ nodes: Node[] }>('/api/v3/topology/get', { gwid: fixture.gwid });
    return nodes.find(({ kind }) => kind === 'ap')!.id;
  };

  beforeAll(async () => {
    const { browser, product, owner } = fixture;
    ({ page, errors } = await openPage(browser, product.url, language, theme, { token: owner.token }));
  });
  afterAll(() => page?.context().close());

  it('the topology folds, is searched, names the source of a link, and is saved as a drawing', async () => {
    await open(`/topology/${fixture.gwid}`);
    const boxes = page.locator('.topo-ap');
    await expect.poll(() => boxes.count()).toBe(2);
    expect(await seriousIssues(page)).toEqual([]);
    await page.locator('.topo-fold[aria-expanded=true]').first().click();
    await expect.poll(() => boxes.count()).toBe(0);
    const search = page.getByLabel(t('topology.search'));
    await search.fill(await accessPoint());
    await page.locator('.topo-ap.topo-found').waitFor();
    await search.fill('');
    await page.locator('.topo-fold[aria-expanded=false]').first().click();
    // the name is whole on focus; port and speed are in the box, not on the line
    const box = boxes.first().getByRole('button').first();
    await box.focus();
    const name = await boxes.first().locator('.short-name').textContent();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Shift+Tab');
    await page.locator('.hint').getByText(name!, { exact: true }).waitFor();
    expect(await page.locator('.topo > text, .topo-node > text').count()).toBe(0);
    await boxes.first().getByRole('button').first().click();
    await drawer().getByText(t('topology.source_lldp_up')).waitFor();
    await page.keyboard.press('Escape');
    const svg = await saved(async () => {
      await page.getByRole('button', { name: t('topology.save') }).click();
      await page.getByRole('menuitem', { name: t('topology.save_svg') }).click();
    });
    expect(svg.toString()).toMatch(/^<svg xmlns[\s\S]*Simulated-Gateway[\s\S]*<\/svg>\n$/);
    const png = await saved(async () => {
      await page.getByRole('button', { name: t('topology.save') }).click();
      await page.getByRole('menuitem', { name: t('topology.save_png') }).click();
    });
    expect(png.subarray(1, 4).toString()).toBe('PNG');
  });

  it('a campus of five hundred devices begins folded, and what is out of sight is not in the page', async () => {
    await answerCampus(page);
    await open(`/topology/${fixture.gwid}`);
    const nodes = page.locator('.topo-node');
    const elements = () => page.locator('.topo-frame *').count();
    const inView = (id: string) =>
      page.locator(`[data-id="${id}"]`).evaluate((node) => {
        const [own, frame] = [node, node.closest('.topo-frame')!].map((each) => each.getBoundingClientRect());
        return own!.top >= frame!.top && own!.bottom <= frame!.bottom && own!.left >= frame!.left;
      });
    await expect.poll(() => nodes.count()).toBe(23);
    expect(await page.locator('.topo-lost').count()).toBe(1);
    const name = 'Hall-8';
    await page.getByRole('button', { name: t('topology.unfold_lost', { name, n: 24, lost: 1 }) }).click();
    await page.locator('.topo-ap.topo-bad').waitFor();
    expect(await page.locator('.topo-lost').count()).toBe(0);
    expect(await inView('02a100000007')).toBe(true);
    await page.getByRole('button', { name: t('topology.open_all') }).click();
    await page.getByRole('button', { name: t('topology.show_all', { n: '1,500' }) }).click();
    await page.getByRole('button', { name: t('topology.hide_all') }).waitFor();
    const larger = page.getByRole('button', { name: t('topology.zoom_in') });
    await larger.click();
    await larger.click();
    await page.getByText('100%', { exact: true }).waitFor();
    const frame = page.locator('.topo-frame');
    const height = await frame.evaluate((element) => element.scrollHeight);
    expect(height).toBeGreaterThan(40_000);
    for (const share of [0, 0.3, 0.7, 1]) {
      await frame.evaluate((element, top) => element.scrollTo(element.scrollWidth, top), share * height);
      await expect.poll(() => page.locator('.topo-station').count()).toBeGreaterThan(5);
      expect(await nodes.count()).toBeLessThan(150);
      expect(await elements()).toBeLessThan(2000);
    }
    await page.getByLabel(t('topology.search')).fill('Phone-777');
    await page.locator('.topo-station.topo-found').waitFor();
    await expect.poll(() => inView('sta:3c22fb000308')).toBe(true);
    await page.getByLabel(t('topology.search')).fill('');
    const svg = await saved(async () => {
      await page.getByRole('button', { name: t('topology.save') }).click();
      await page.getByRole('menuitem', { name: t('topology.save_svg') }).click();
    });
    const text = svg.toString();
    const missing = campus().nodes.filter(({ apart, name: each }) => apart === null && !text.includes(`>${each}<`));
    expect(missing.map((node) => node.name)).toEqual([]);
    expect(text).toMatch(/>[^<]+ · \d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}</);
    const png = await saved(async () => {
      await page.getByRole('button', { name: t('topology.save') }).click();
      await page.getByRole('menuitem', { name: t('topology.save_png') }).click();
    });
    expect(png.readUInt32BE(20)).toBe(16_384);
    expect(await seriousIssues(page)).toEqual([]);
    await page.unroute('**/api/v3/topology/get');
  });

  it('an asset is found by a part of its name, noted, known, and goes into a workbook', async () => {
    await open(`/asset/${fixture.gwid}`);
    const rows = page.locator('tbody tr');
    await rows.first().waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    const [fresh] = (
      await fixture.owner.call<{ list: { id: string }[] }>('/api/v3/asset/list', {
        gwid: fixture.gwid,
        fresh: 'true',
        page: 1,
        limit: 10,
      })
    ).list;
    const details = rows.first().getByRole('button', { name: t('assets.open') });
    // one action: a refetch may lose the focus
    await details.press('Enter');
    await page.waitForURL(/asset=/);
    await drawer().waitFor();
    await page.keyboard.press('Escape');
    await drawer().waitFor({ state: 'detached' });
    await open(`/asset/${fixture.gwid}?asset=${fresh!.id}`);
    await drawer()
      .getByRole('button', { name: t('assets.know') })
      .click();
    await expect.poll(() => drawer().getByText(t('assets.new'), { exact: true }).count()).toBe(0);
    await drawer()
      .getByRole('button', { name: t('action.edit') })
      .click();
    await page.getByLabel(t('assets.note')).fill(`Shelf-${language}`);
    await page.getByRole('button', { name: t('action.save') }).click();
    await drawer().getByText(`Shelf-${language}`).waitFor();
    // the focus may not be back from the form
    await expect
      .poll(async () => {
        await page.keyboard.press('Escape');
        return drawer().count();
      })
      .toBe(0);
    const book = await saved(async () => {
      await page.getByRole('button', { name: t('table.export') }).click();
      await page.getByRole('menuitem', { name: 'Excel (xlsx)' }).click();
    });
    expect(book.subarray(0, 2).toString()).toBe('PK');
  });

  it('a network is placed on the map by typing where it is, and opened from there', async () => {
    await fixture.owner.call('/api/v3/map/unplace', { gwid: fixture.gwid });
    await open('/map');
    await page.getByRole('button', { name: t('map.place') }).click();
    await page.getByRole('button', { name: t('map.type') }).click();
    await page.getByLabel(t('map.lat')).fill('95');
    await page.getByRole('button', { name: t('action.save') }).click();
    await page.getByText(t('map.wrong_lat')).waitFor();
    await page.getByLabel(t('map.lat')).fill('30.2741');
    await page.getByLabel(t('map.lng')).fill('120.1551');
    await page.getByRole('button', { name: t('action.save') }).click();
    const mark = page.locator('.map-mark');
    await mark.waitFor();
    expect(await page.locator('.map-tiles, .map-attribution').count()).toBe(0);
    // one place opens near, where coasts are too coarse
    await page.getByText(t('map.near')).waitFor();
    expect(await page.locator('.map-land').count()).toBe(0);
    const out = page.getByRole('button', { name: t('map.zoom_out') });
    for (let step = 0; step < 5; step += 1) await out.click();
    await page.getByText(t('map.plain')).waitFor();
    await page.locator('.map-land').waitFor({ state: 'attached' });
    expect(await seriousIssues(page)).toEqual([]);
    await mark.click();
    await drawer().getByText('30.27410, 120.15510').waitFor();
    await drawer()
      .getByRole('link', { name: t('map.open') })
      .click();
    await page.waitForURL(`**/network/${fixture.gwid}`);
    await open(`/map?network=${fixture.gwid}`);
    await drawer()
      .getByRole('button', { name: t('map.remove') })
      .click();
    await page.getByRole('button', { name: t('map.place'), exact: true }).waitFor();
    expect(await mark.count()).toBe(0);
    expect(await page.locator('.map-notice').count()).toBe(0);
  });

  it('a list that the page reads itself goes into both files too', async () => {
    await open('/networks');
    await page.getByRole('row', { name: /Harbour/ }).waitFor();
    const file = (format: string) =>
      saved(async () => {
        await page.getByRole('button', { name: t('table.export') }).click();
        await page.getByRole('menuitem', { name: format }).click();
      });
    expect((await file('CSV')).toString()).toMatch(new RegExp(`^\uFEFF.*${t('networks.name')}[\\s\\S]*Harbour`));
    expect((await file('Excel (xlsx)')).subarray(0, 2).toString()).toBe('PK');
  });

  it('a file names devices: it is tried first, and each row says what became of it', async () => {
    await open('/waiting_devices');
    await page.getByRole('button', { name: t('imports.open') }).click();
    const serial = await accessPoint();
    const csv = `serial,name\n${serial},Desk-${language}\nnonsense,Other\n`;
    await page.getByLabel(t('imports.file'), { exact: true }).setInputFiles({
      name: 'devices.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(csv),
    });
    await drawer().getByText(t('imports.result_would'), { exact: true }).waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    await page.getByRole('button', { name: t('imports.run', { n: 1 }) }).click();
    await drawer()
      .getByText(t('imports.sum', { done: 1, same: 0, failed: 1 }))
      .waitFor();
    const failed = await saved(() => page.getByRole('button', { name: t('imports.failed_rows', { n: 1 }) }).click());
    expect(failed.toString()).toContain('nonsense');
    const { remark } = await fixture.owner.call<{ remark: string }>('/api/v3/ap/detail', { serial });
    expect(remark).toBe(`Desk-${language}`);
  });

  it('nothing of it was refused by the page’s policy', () => {
    expect(errors).toEqual([]);
  });
});
