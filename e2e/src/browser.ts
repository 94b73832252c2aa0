import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { format } from '@yunxun/contract/messages';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { messages as en } from '../../packages/web/src/messages/en.ts';
import { messages as zh } from '../../packages/web/src/messages/zh-cn.ts';

export type Language = 'zh-CN' | 'en';
export type Theme = 'light' | 'dark';
type Key = keyof typeof zh;

/** The console's own texts, so that a journey names what a person reads. */
export function texts(language: Language): (key: Key, params?: Record<string, string | number>) => string {
  const catalogue = language === 'en' ? en : zh;
  return (key, params = {}) => format(language, catalogue[key], params);
}

const chromiumPath = '/usr/bin/chromium';

/** Headless Chromium, or a sentence that says what is missing. */
export async function startBrowser(): Promise<Browser> {
  if (!existsSync(chromiumPath))
    throw new Error('The browser journeys need Chromium at /usr/bin/chromium: apt-get install chromium');
  return chromium.launch({
    executablePath: chromiumPath,
    args: [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ...[
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
      ],
    ],
  });
}

/** A page in a language and theme; what it says on the console is kept. */
export async function openPage(
  browser: Browser,
  url: string,
  language: Language,
  theme: Theme,
): Promise<{ context: BrowserContext; page: Page; complaints: string[] }> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: language,
    reducedMotion: 'reduce',
  });
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: url });
  await context.addInitScript(
    ([chosen, look]) => {
      if (localStorage.getItem('yunxun.language') === null) localStorage.setItem('yunxun.language', chosen!);
      if (sessionStorage.getItem('yunxun.theme') === null) sessionStorage.setItem('yunxun.theme', look!);
    },
    [language, theme],
  );
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  return { context, page, complaints };
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds serious or critical on the page, one line each. */
export async function seriousIssues(page: Page): Promise<string[]> {
  await page.evaluate(axeSource);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; impact: string; nodes: { target: string[] }[] }[] }> };
    };
    const { violations } = await axe.run();
    return violations
      .filter((violation) => violation.impact === 'serious' || violation.impact === 'critical')
      .map((violation) => `${violation.id}: ${violation.nodes.map((node) => node.target.join(' ')).join(', ')}`);
  });
}
