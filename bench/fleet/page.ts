import { readFileSync } from 'node:fs';
import { type Browser, type CDPSession, chromium } from 'playwright-core';
import { flags } from '../pages/browser.ts';

/** The list of access points in a browser of its own, at 1440 × 900, fifty rows a page. All times are in milliseconds. */
export interface ListPage {
  /** From leaving another list of the console until the rows of this one are drawn; the page itself is in the browser's cache. */
  open(): Promise<number>;
  /** From the choice of a filter, by its name and the text of the choice, until the rows are drawn; then everything is shown again. */
  filter(name: string, to: string): Promise<number>;
  /** From the last letter until the rows are drawn, the wait for another letter included; then everything is shown again. */
  search(word: string): Promise<number>;
  /** From the press on a column's title, or on the button to the next page, until the rows are drawn. */
  press(what: { title: string } | 'next'): Promise<number>;
  /** Selects every result of the list. */
  selectAll(): Promise<void>;
  /** Rows of the table, and elements of the whole document. */
  nodes(): Promise<{ rows: number; all: number }>;
  /** After a collection, in bytes: the heap of the page's scripts, and the process of the page with its share of what it shares. */
  memory(): Promise<{ heap: number; process: number }>;
  stop(): Promise<void>;
}

/** A list that has not changed after this is given up. */
const patienceMs = 30_000;

/** Knows what lists are asked for, and when what was answered is drawn. */
const watch = `
(() => {
  const asked = { begun: 0, ended: 0 };
  const fetched = window.fetch;
  window.fetch = (input, init) => {
    const answer = fetched(input, init);
    if (!String(input.url ?? input).includes('/api/v3/ap/list')) return answer;
    asked.begun += 1;
    const end = () => { asked.ended += 1; };
    answer.then(end, end);
    return answer;
  };
  const still = () => {
    const scroll = document.querySelector('.table-scroll');
    return scroll !== null && !scroll.hasAttribute('data-busy') && document.querySelector('main [data-loading]') === null
      && document.querySelector('.table tbody tr, .table-card .empty') !== null;
  };
  const until = (begin, wanted) => new Promise((resolve, reject) => {
    const start = performance.now();
    const before = asked.begun;
    begin();
    const look = () => {
      const now = performance.now();
      if (asked.begun >= before + wanted && asked.begun === asked.ended && still()) requestAnimationFrame(() => resolve(performance.now() - start));
      else if (now - start > ${patienceMs}) reject(new Error('the list did not change'));
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  const set = (field, value) => {
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value').set.call(field, value);
    field.dispatchEvent(new Event(field.tagName === 'SELECT' ? 'change' : 'input', { bubbles: true }));
  };
  window.fleetBench = {
    rests: () => until(() => undefined, 0),
    goes: (to) => until(() => history.pushState(null, '', to), 1),
    chooses: (select, text) => until(() => set(select, [...select.options].find((one) => one.text === text).value), 1),
    types: (input, word) => until(() => set(input, word), 1),
    presses: (button) => until(() => button.click(), 1),
  };
})();
`;

/** What the watch offers in the page; each ends when the rows are drawn, with the milliseconds it took. */
interface Watch {
  rests(): Promise<number>;
  goes(to: string): Promise<number>;
  chooses(select: unknown, text: string): Promise<number>;
  types(input: unknown, word: string): Promise<number>;
  presses(button: unknown): Promise<number>;
}
// in the page; here there is none
declare const fleetBench: Watch;

/** Opens the console as somebody who has been in the list before. */
export async function openList(url: string, token: string): Promise<ListPage> {
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: flags });
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    // the page's policy forbids evaluated text, and that is how the figures are asked for
    bypassCSP: true,
  });
  await context.addCookies([{ name: 'yunxun_token', value: encodeURIComponent(token), url }]);
  // the console does not ask for the browser's language
  await context.addInitScript("localStorage.setItem('yunxun.language', 'en')");
  const page = await context.newPage();
  await page.addInitScript(watch);
  const session = await context.newCDPSession(page);
  const list = '/network/aps?limit=50';
  const rests = () => page.evaluate(() => fleetBench.rests());
  const field = (label: string) => page.locator('select').and(page.getByLabel(label, { exact: true }));
  const everything = async () => {
    await page.getByRole('button', { name: 'Clear filters', exact: true }).first().click();
    await rests();
  };
  await page.goto(url + list);
  await rests();
  return {
    async open() {
      await page.goto(`${url}/networks`);
      await rests();
      return page.evaluate((to) => fleetBench.goes(to), list);
    },
    async filter(name, to) {
      // those that the row has no room for are in a popup
      if ((await field(name).count()) === 0) await page.getByRole('button', { name: /^More filters/ }).click();
      const took = await field(name).evaluate((select, text) => fleetBench.chooses(select, text), to);
      await page.keyboard.press('Escape');
      await everything().catch((error: unknown) => {
        throw new Error(`after “${name}: ${to}” (${page.url()})`, { cause: error });
      });
      return took;
    },
    async search(word) {
      const took = await page
        .locator('.search-box input')
        .evaluate((input, text) => fleetBench.types(input, text), word);
      await everything();
      return took;
    },
    press: (what) =>
      (what === 'next'
        ? page.locator('.pager').getByRole('button', { name: 'Next page', exact: true })
        : page.locator('.table thead').getByRole('button', { name: what.title, exact: true })
      ).evaluate((button) => fleetBench.presses(button)),
    async selectAll() {
      await page.locator('.table thead input[type=checkbox]').check();
      await page.locator('.selection button').first().click();
    },
    nodes: () =>
      page.evaluate<{ rows: number; all: number }>(
        `({ rows: document.querySelectorAll('.table tbody tr').length, all: document.querySelectorAll('*').length })`,
      ),
    memory: () => memoryOf(browser, session),
    stop: () => browser.close(),
  };
}

async function memoryOf(browser: Browser, session: CDPSession): Promise<{ heap: number; process: number }> {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  const whole = await browser.newBrowserCDPSession();
  const { processInfo } = await whole.send('SystemInfo.getProcessInfo');
  await whole.detach();
  const sizes = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => proportional(id));
  // the browser keeps a spare process for the next page; the one that has shown the list is the largest
  return { heap: usedSize, process: Math.max(...sizes) };
}

/** Memory of a process, of what it shares with others its share; bytes. */
function proportional(pid: number): number {
  const line = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'));
  return Number(line?.[1]) * 1024;
}
