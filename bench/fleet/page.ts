import { readFileSync } from 'node:fs';
import { type Browser, type CDPSession, chromium } from 'playwright-core';
import { flags } from '../pages/browser.ts';

/** At 1440 × 900, fifty rows. Milliseconds until the rows are drawn. */
export interface ListPage {
  open(): Promise<number>;
  filter(name: string, to: string): Promise<number>;
  search(word: string): Promise<number>;
  press(what: { title: string } | 'next'): Promise<number>;
  selectAll(): Promise<void>;
  nodes(): Promise<{ rows: number; all: number }>;
  /** Bytes after garbage collection: heap, proportional memory of the process. */
  memory(): Promise<{ heap: number; process: number }>;
  stop(): Promise<void>;
}

const timeoutMs = 30_000;

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
      else if (now - start > ${timeoutMs}) reject(new Error('the list did not change'));
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

interface Watch {
  rests(): Promise<number>;
  goes(to: string): Promise<number>;
  chooses(select: unknown, text: string): Promise<number>;
  types(input: unknown, word: string): Promise<number>;
  presses(button: unknown): Promise<number>;
}
declare const fleetBench: Watch;

export async function openList(url: string, token: string): Promise<ListPage> {
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: flags });
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    // the policy forbids the evaluated script of the figures
    bypassCSP: true,
  });
  await context.addCookies([{ name: 'yunxun_token', value: encodeURIComponent(token), url }]);
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
  return { heap: usedSize, process: Math.max(...sizes) };
}

function proportional(pid: number): number {
  const line = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'));
  return Number(line?.[1]) * 1024;
}
