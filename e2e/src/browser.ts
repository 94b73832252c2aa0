import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { format } from '@yunxun/contract/messages';
import { codeTexts as codesEn } from '@yunxun/contract/messages/en';
import { codeTexts as codesZh } from '@yunxun/contract/messages/zh-CN';
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core';
import { en as ofScreensEn, zh as ofScreensZh } from '../../packages/web/src/messages/all.ts';

export type Language = 'zh-CN' | 'en';
export type Theme = 'light' | 'dark';
/** Of screens, and of the server's answers. */
const zh = { ...ofScreensZh, ...codesZh };
const en: Record<keyof typeof zh, string> = { ...ofScreensEn, ...codesEn };
export type Text = (key: keyof typeof zh, params?: Record<string, string | number>) => string;

export const looks = [
  ['zh-CN', 'light'],
  ['zh-CN', 'dark'],
  ['en', 'light'],
  ['en', 'dark'],
] as const satisfies readonly (readonly [Language, Theme])[];

/** Each language and theme once, where four looks show nothing else. */
export const twoLooks = [looks[0], looks[3]] as const;

export function texts(language: Language): Text {
  const catalogue = language === 'en' ? en : zh;
  return (key, params = {}) => format(language, catalogue[key], params);
}

/** Fills day and time of a field; `at`: `2030-01-02T03:04`. */
export async function fillMoment(within: Locator, t: Text, label: string, at: string): Promise<void> {
  const [day = '', time = ''] = at.split('T');
  await within.getByLabel(t('field.date_of', { label }), { exact: true }).fill(day);
  await within.getByLabel(t('field.time_of', { label }), { exact: true }).fill(time);
}

const chromiumPath = '/usr/bin/chromium-headless-shell';
/** This machine, but not trusted without TLS. */
export const plainHost = 'console.test';

/** Chromium that can show notifications: the one without a user interface denies them. */
const wholeChromiumPath = '/usr/bin/chromium';

/** Starts headless Chromium. @throws with a hint at what is missing */
export async function startBrowser(
  options: { ignoreDefaultArgs?: string[]; notifications?: true; names?: Readonly<Record<string, string>> } = {},
): Promise<Browser> {
  const { notifications, names = {}, ...rest } = options;
  const rules = Object.entries({ [plainHost]: '127.0.0.1', ...names }).map(
    ([name, address]) => `MAP ${name} ${address}`,
  );
  const executablePath = notifications ? wholeChromiumPath : chromiumPath;
  if (!existsSync(executablePath))
    throw new Error(`The browser journeys need ${executablePath}: apt-get install chromium chromium-headless-shell`);
  return chromium.launch({
    ...rest,
    executablePath,
    args: [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      `--host-resolver-rules=${rules.join(',')}`,
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  });
}

export interface Visit {
  context: BrowserContext;
  page: Page;
  /** Policy violations and exceptions. */
  errors: string[];
}

const phone = { viewport: { width: 360, height: 720 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 };

/** Opens a new profile, signed in by `token`. Theme `system` follows `showTheme`. */
export async function openPage(
  browser: Browser,
  url: string,
  language: Language,
  theme: Theme | 'system',
  options: { token?: string | undefined; width?: number; phone?: boolean } = {},
): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1440, height: 900 },
    ...(options.phone ? phone : {}),
    locale: language,
    reducedMotion: 'reduce',
  });
  // test machines are small and busy
  context.setDefaultTimeout(60_000);
  await context.addInitScript(
    ([chosen, look]) => {
      // a sandboxed frame has no storage
      if (window !== top) return;
      if (localStorage.getItem('yunxun.language') === null) localStorage.setItem('yunxun.language', chosen!);
      if (sessionStorage.getItem('yunxun.theme') === null) sessionStorage.setItem('yunxun.theme', look!);
      // Chromium does not log every violation
      addEventListener('securitypolicyviolation', (event) =>
        console.error(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`),
      );
    },
    [language, theme],
  );
  if (options.token) await signInWith(context, url, options.token);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('console', (message) => {
    // logged by Chromium on every page over plain HTTP
    if (message.text().startsWith('The Cross-Origin-Opener-Policy header has been ignored')) return;
    if (message.type() === 'error') errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(error.message));
  return { context, page, errors };
}

export async function signInWith(context: BrowserContext, url: string, token: string): Promise<void> {
  await context.addCookies([{ name: 'yunxun_token', value: token, url, sameSite: 'Strict' }]);
}

export async function keepPicture(page: Page | undefined, name: string): Promise<void> {
  if (!page || page.isClosed()) return;
  const folder = join(tmpdir(), 'yunxun-e2e-failures');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name.replace(/[^\w一-鿿]+/g, '-')}.png`);
  await page.screenshot({ path: file }).catch(() => undefined);
  const text = await page.evaluate(() => document.body.innerText).catch(String);
  console.error(`the page at the failure (${page.url()}): ${file}\n${text.slice(0, 1500)}`);
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export async function showTheme(page: Page, theme: Theme): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await page.waitForFunction((wanted) => document.documentElement.dataset.theme === wanted, theme);
  // until colour transitions end; with reduced motion at once
  const moving = await page.evaluate(
    () => document.getAnimations().filter((one) => one instanceof CSSTransition).length,
  );
  if (moving > 0) throw new Error(`${moving} transitions are under way although motion is reduced`);
}

/**
 * Returns serious and critical issues, one line each. `colour` rules suffice for the second theme, all others (`text`)
 * for the second language.
 */
export async function seriousIssues(page: Page, rules: 'all' | 'colour' = 'all'): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource);
  return page.evaluate(async (asked) => {
    interface Violation {
      id: string;
      impact: string;
      nodes: { target: string[]; failureSummary: string }[];
    }
    interface Axe {
      getRules(tags: string[]): { ruleId: string; tags: string[] }[];
      run(options: object): Promise<{ violations: Violation[] }>;
    }
    const { axe } = globalThis as unknown as { axe: Axe };
    // AAA contrast is off by default
    const ofColour = axe.getRules(['cat.color']).filter(({ tags }) => !tags.includes('wcag2aaa'));
    const { violations } = await axe.run({
      resultTypes: ['violations'],
      ...(asked === 'colour' ? { runOnly: ofColour.map(({ ruleId }) => ruleId) } : {}),
    });
    return violations
      .filter((violation) => violation.impact === 'serious' || violation.impact === 'critical')
      .map(({ id, nodes }) => {
        const first = nodes[0]?.failureSummary.split('\n')[1]?.trim() ?? '';
        return `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')} (${first})`;
      });
  }, rules);
}
