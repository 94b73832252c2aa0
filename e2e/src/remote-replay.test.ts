import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { keepPicture, openPage, startBrowser, texts, type Visit } from './browser.ts';
import { type Person, register } from './person.ts';
import { type Product, startProduct } from './product.ts';
import { remoteSession, withRecording } from './screens-remote.ts';

let product: Product;
let browser: Browser;
let owner: Person;
let visit: Visit | undefined;

beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), startBrowser()]);
  owner = await register(product, 'owner@example.org');
}, 60_000);
afterEach(async ({ task }) => {
  if (visit && task.result?.state === 'fail') await keepPicture(visit.page, `replay ${task.name}`);
  await visit?.context.close();
  visit = undefined;
});
afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

for (const language of ['zh-CN', 'en'] as const)
  it(`plays a recording, seeks and saves it (${language})`, async () => {
    const t = texts(language);
    visit = await openPage(browser, product.url, language, language === 'zh-CN' ? 'dark' : 'light', {
      token: owner.token,
    });
    const { page, errors } = visit;
    await page.setViewportSize({ width: 390, height: 844 });
    await withRecording(page);
    await page.goto(`${product.url}/remote/replay/${remoteSession.id}`);
    await page.getByText(t('remote.recording_cut_why'), { exact: true }).waitFor();
    const rows = page.locator('.xterm-rows');
    await expect.poll(() => rows.textContent()).toContain('login: root');
    // the pause of a minute takes two seconds
    await expect.poll(() => rows.textContent()).toContain('root@rack:~#');
    const play = page.getByRole('button', { name: t('remote.replay_play'), exact: true });
    await play.waitFor();
    const position = page.getByRole('slider', { name: t('remote.replay_position'), exact: true });
    await position.fill('500');
    await expect.poll(() => rows.textContent()).not.toContain('root@rack:~#');
    await expect.poll(() => rows.textContent()).toContain('login: root');
    await page.getByRole('switch', { name: t('remote.replay_shorten'), exact: true }).click();
    expect(await position.getAttribute('aria-valuetext')).toContain('1:00');
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: t('remote.replay_save'), exact: true }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/^Rack-Server-.*\.cast$/);
    const [head, ...events] = (await readFile(await file.path(), 'utf8')).trimEnd().split('\n');
    expect(JSON.parse(head!)).toMatchObject({ version: 2, width: 100, height: 30 });
    expect(JSON.parse(events.at(-1)!)).toEqual([60, 'o', 'root@rack:~# ']);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    expect(errors).toEqual([]);
  });
