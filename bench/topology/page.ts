import { chromium, type Page } from 'playwright-core';
import { flags } from '../pages/browser.ts';

/** Times in milliseconds. */
export interface Drawn {
  first: number;
  unfolded: number;
  elements: number;
  frames: number[];
  longest: number;
  heap: number;
}

const watch = `
window.longest = 0;
new PerformanceObserver((list) => { for (const entry of list.getEntries()) window.longest = Math.max(window.longest, entry.duration); })
  .observe({ type: 'longtask' });
`;

export async function drawTopology(url: string, path: string, token: string): Promise<Drawn> {
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: flags });
  try {
    const context = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      locale: 'en-US',
      bypassCSP: true,
    });
    await context.addCookies([{ name: 'yunxun_token', value: encodeURIComponent(token), url }]);
    await context.addInitScript("localStorage.setItem('yunxun.language', 'en')");
    const page = await context.newPage();
    await page.addInitScript(watch);
    const began = performance.now();
    await page.goto(url + path);
    await page.locator('.topo-node').first().waitFor();
    const first = performance.now() - began;
    await page.evaluate('window.longest = 0');
    await page.getByRole('button', { name: 'Unfold all devices' }).click();
    const unfolded = await page.evaluate<number>(`new Promise((done) => {
      const began = performance.now();
      [...document.querySelectorAll('.topo-bar button')].find((button) => /^Show all terminals/.test(button.textContent)).click();
      const look = () => document.querySelector('.topo-station') ? requestAnimationFrame(() => done(performance.now() - began)) : requestAnimationFrame(look);
      look();
    })`);
    const { elements, frames } = await scrollThrough(page);
    const longest = await page.evaluate<number>('window.longest');
    const session = await context.newCDPSession(page);
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize: heap } = (await session.send('Runtime.getHeapUsage')) as { usedSize: number };
    return { first, unfolded, elements, frames, longest, heap };
  } finally {
    await browser.close();
  }
}

function scrollThrough(page: Page): Promise<{ elements: number; frames: number[] }> {
  return page.evaluate(`new Promise((done) => {
    const frame = document.querySelector('.topo-frame');
    frame.scrollTop = 0;
    const frames = [];
    let last = performance.now(), elements = 0;
    const step = (now) => {
      frames.push(now - last);
      last = now;
      elements = Math.max(elements, frame.querySelectorAll('*').length);
      if (frame.scrollTop + frame.clientHeight >= frame.scrollHeight - 1) return done({ elements, frames: frames.slice(2) });
      frame.scrollTop += 120;
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  })`);
}
