import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { keepPicture, looks, openPage, seriousIssues, startBrowser, texts } from './browser.ts';
import { type Person, register } from './person.ts';
import { decode } from './png.ts';
import { type Product, startProduct } from './product.ts';
import { colourOf, startTileServer, type TileServer } from './tile-server.ts';

const place = { lat: 30.2741, lng: 120.1551 };

let tiles: TileServer;
let product: Product;
let browser: Browser;
let owner: Person;
let page: Page;

beforeAll(async () => {
  tiles = await startTileServer();
  const settings = {
    YUNXUN_MAP_TILES: `http://127.0.0.1:${tiles.port}/{z}/{x}/{y}.svg`,
    YUNXUN_MAP_ATTRIBUTION: '© The Survey',
  };
  [product, browser] = await Promise.all([startProduct('main', /is ready/, '127.0.0.1', settings), startBrowser()]);
  owner = await register(product, 'owner@example.org');
  const { gwid } = await owner.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Lakeside' });
  await owner.call('/api/v3/map/place', { gwid, ...place });
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail' && page) await keepPicture(page, `map-tiles ${task.name}`);
  await page?.context().close();
});
afterAll(async () => {
  await browser?.close();
  await product?.stop();
  await tiles?.stop();
});

/** Uses the usual tile formula, independent of the product's. */
function inTiles({ lat, lng }: { lat: number; lng: number }, z: number): { x: number; y: number } {
  const mercator = Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI;
  return { x: ((lng + 180) / 360) * 2 ** z, y: ((1 - mercator) / 2) * 2 ** z };
}

const box = () => page.locator('.map-frame').evaluate((frame) => frame.getBoundingClientRect().toJSON() as DOMRect);

async function viewed(): Promise<{ lat: number; lng: number; z: number }> {
  const [lat, lng, z] = new URL(page.url()).searchParams.get('at')!.split(',').map(Number);
  return { lat: lat!, lng: lng!, z: z! };
}

async function inView({ z, ...middle }: { lat: number; lng: number; z: number }): Promise<string[]> {
  const { width, height } = await box();
  const { x, y } = inTiles(middle, z);
  const numbers = (at: number, pixels: number) => {
    const [first, end] = [Math.floor(at - pixels / 512), Math.ceil(at + pixels / 512)];
    return Array.from({ length: end - first }, (_, n) => first + n).filter((n) => n >= 0 && n < 2 ** z);
  };
  return numbers(x, width).flatMap((column) => numbers(y, height).map((row) => `${z}/${column}/${row}`));
}

function tileAt(at: { lat: number; lng: number }, z: number): string {
  const { x, y } = inTiles(at, z);
  return `${z}/${Math.floor(x)}/${Math.floor(y)}`;
}

const asked = () => tiles.asked.map(({ tile }) => tile);
const drawn = () =>
  page.locator('.map-tiles img').evaluateAll((pictures) =>
    (pictures as HTMLImageElement[])
      .filter(({ complete, naturalWidth }) => complete && naturalWidth > 0)
      .map(({ src }) => /(\d+\/\d+\/\d+)\.svg$/.exec(src)![1]!)
      .toSorted(),
  );
const settled = (wanted: readonly string[]) => expect.poll(drawn).toEqual(wanted.toSorted());

async function colourBesideMiddle(): Promise<number> {
  const { x, y, width, height } = await box();
  const clip = { x: Math.round(x + width / 2) - 20, y: Math.round(y + height / 2) - 20, width: 1, height: 1 };
  return decode(await page.screenshot({ clip })).pixels[0]!;
}

describe.each([looks[0], looks[3]])('in %s and %s', (language, theme) => {
  const t = texts(language);
  let errors: string[];
  let wanted: string[];

  // a page for each test: empty cache
  beforeEach(async () => {
    ({ page, errors } = await openPage(browser, product.url, language, theme, { token: owner.token }));
    tiles.missing.clear();
    tiles.asked.length = 0;
    wanted = [];
  });

  const open = (z: number) => page.goto(`${product.url}/map?at=${place.lat},${place.lng},${z}`);

  /** Waits for the view's tiles; no other is requested, none twice. */
  async function shows(view: { lat: number; lng: number; z: number }): Promise<void> {
    const now = await inView(view);
    await settled(now);
    wanted.push(...now.filter((tile) => !wanted.includes(tile)));
    expect(asked().toSorted()).toEqual(wanted.toSorted());
  }

  it('draws the tiles that are in view under the points, and says whose they are', async () => {
    await open(6);
    await shows({ ...place, z: 6 });
    const colour = colourOf(tileAt(place, 6));
    const bright = (of: number) => (of >> 16) + ((of >> 8) & 255) + (of & 255);
    if (theme === 'light') expect(await colourBesideMiddle()).toBe(colour);
    else expect(bright(await colourBesideMiddle()) / bright(colour)).toBeLessThan(0.7);
    await page.getByText('© The Survey').waitFor();
    await page.getByText(t('map.based')).waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    // the origin, not the path
    expect(new Set(tiles.asked.map(({ referer }) => referer))).toEqual(new Set([`${product.url}/`]));
  });

  it('loads only the tiles that come into view when it moves', async () => {
    await open(6);
    await shows({ ...place, z: 6 });
    const { x, y } = await box();
    await page.mouse.move(x + 400, y + 200);
    await page.mouse.down();
    await page.mouse.move(x + 100, y + 120);
    await page.mouse.up();
    await expect.poll(async () => (await viewed()).lng).toBeGreaterThan(place.lng + 1);
    await shows(await viewed());
  });

  it('stretches loaded tiles during a zoom, and loads the final zoom level', async () => {
    await page.clock.install();
    await open(6);
    await shows({ ...place, z: 6 });
    // the debounce never ends
    await page.clock.pauseAt(Date.now() + 60_000);
    const before = await colourBesideMiddle();
    for (const z of [7, 8]) {
      await page.getByRole('button', { name: t('map.zoom_in') }).click();
      await expect.poll(async () => (await viewed()).z).toBe(z);
    }
    const holding = page.locator(`.map-tiles img[src$="/${tileAt(place, 6)}.svg"]`);
    await expect.poll(() => holding.evaluate((tile) => tile.clientWidth)).toBe(1024);
    expect(await colourBesideMiddle()).toBe(before);
    expect(asked().filter((tile) => !tile.startsWith('6/'))).toEqual([]);
    await page.clock.resume();
    await shows({ ...place, z: 8 });
  });

  it('leaves the grid where a tile is missing', async () => {
    const hole = tileAt(place, 10);
    tiles.missing.add(hole);
    await open(10);
    await settled((await inView({ ...place, z: 10 })).filter((tile) => tile !== hole));
    await expect.poll(() => errors.length).toBe(1);
    expect(errors).toEqual([expect.stringContaining('404')]);
    const { x, y, width, height } = await box();
    const at = inTiles(place, 10);
    // the hole, less one pixel of rounding
    const left = x + width / 2 - (at.x % 1) * 256;
    const top = y + height / 2 - (at.y % 1) * 256;
    const clip = { x: Math.ceil(left) + 1, y: Math.ceil(top) + 1, width: 253, height: 253 };
    const withHole = await page.screenshot({ clip });
    await page.locator('.map-tiles').evaluate((layer) => layer.setAttribute('hidden', ''));
    expect(withHole.equals(await page.screenshot({ clip }))).toBe(true);
  });

  it('lets the page show pictures of that origin and of no other', async () => {
    await open(6);
    await shows({ ...place, z: 6 });
    expect(errors).toEqual([]);
    tiles.asked.length = 0;
    const loads = (url: string) =>
      page.evaluate(
        (src) =>
          new Promise<boolean>((known) => {
            const picture = new Image();
            picture.onload = () => known(true);
            picture.onerror = () => known(false);
            picture.src = src;
          }),
        url,
      );
    expect(await loads(`http://127.0.0.1:${tiles.port}/1/0/0.svg`)).toBe(true);
    expect(await loads(`http://localhost:${tiles.port}/1/1/0.svg`)).toBe(false);
    expect(asked()).toEqual(['1/0/0']);
    await expect.poll(() => errors.some((each) => each.startsWith('policy: img-src'))).toBe(true);
  });
});
