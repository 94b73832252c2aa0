import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { keepPicture, openPage, signInWith, startBrowser, texts } from './browser.ts';
import { type Person, register } from './person.ts';
import { type Product, startProduct } from './product.ts';

let product: Product;
let browser: Browser;
let page: Page;
const contexts: BrowserContext[] = [];
const t = texts('zh-CN');
const english = texts('en');

beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), startBrowser()]);
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await keepPicture(page, `personalization ${task.name}`);
  for (const context of contexts.splice(0)) await context.close();
});
afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

interface Personal {
  theme: string;
  density: string;
  language: string;
  page_size: number;
  home_section: string;
  time_zone: string | null;
}
const saved = async (person: Person) =>
  (await person.call<{ personalization: Personal }>('/api/v3/user')).personalization;
const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
const choose = (name: string) => page.getByRole('radio', { name, exact: true }).click({ force: true });

async function open(email: string): Promise<Person> {
  const person = await register(product, email);
  const visit = await openPage(browser, product.url, 'zh-CN', 'light', { token: person.token });
  contexts.push(visit.context);
  page = visit.page;
  await page.goto(`${product.url}/personalization`);
  await page.getByText(t('personalization.theme'), { exact: true }).waitFor();
  return person;
}

it('a theme is in force and saved at once, and can be taken back; the system is followed while the page is open', async () => {
  const person = await open('theme@example.org');
  await choose(t('personalization.theme_dark'));
  await expect.poll(theme).toBe('dark');
  await page.locator('.toast', { hasText: t('personalization.saved', { what: t('personalization.theme') }) }).waitFor();
  expect((await saved(person)).theme).toBe('dark');
  await page.getByRole('button', { name: t('action.undo') }).click();
  await expect.poll(theme).toBe('light');
  await expect.poll(async () => (await saved(person)).theme).toBe('light');

  for (const name of ['dark', 'light', 'system'] as const) await choose(t(`personalization.theme_${name}`));
  await expect.poll(async () => (await saved(person)).theme).toBe('system');
  expect(await page.getByRole('radio', { name: t('personalization.theme_system') }).isChecked()).toBe(true);
  await choose(t('personalization.theme_system'));
  await expect.poll(async () => (await saved(person)).theme).toBe('system');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(theme).toBe('dark');
  await page.reload();
  await page.locator('h1').waitFor();
  expect(await theme()).toBe('dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await expect.poll(theme).toBe('light');
});

it('a choice that the server does not take is taken back', async () => {
  const person = await open('refused@example.org');
  await page.route('**/api/v3/personalization/save', (route) => route.abort());
  await choose(t('personalization.theme_dark'));
  await page.locator('.toast', { hasText: t('error.unreachable') }).waitFor();
  await expect.poll(theme).toBe('light');
  expect(await page.getByRole('radio', { name: t('personalization.theme_light') }).isChecked()).toBe(true);
  expect((await saved(person)).theme).toBe('light');
});

it('density, page size and time zone are in force on the other pages', async () => {
  const person = await open('zone@example.org');
  await person.call('/api/v3/network/create', { remark: 'Lobby' });
  await choose(t('personalization.density_compact'));
  await expect.poll(async () => (await saved(person)).density).toBe('compact');
  await choose(t('table.rows', { n: 50 }));
  await expect.poll(async () => (await saved(person)).page_size).toBe(50);
  await page.getByLabel(t('personalization.zone'), { exact: true }).selectOption('America/New_York');
  await expect.poll(async () => (await saved(person)).time_zone).toBe('America/New_York');

  const [asked] = await Promise.all([
    page.waitForRequest('**/api/v3/network/list'),
    page.goto(`${product.url}/networks`),
  ]);
  expect(asked.postDataJSON()).toMatchObject({ limit: 50 });
  const row = page.getByRole('row').filter({ hasText: 'Lobby' });
  await row.waitFor();
  expect((await row.boundingBox())!.height).toBeLessThan(40);
  expect(await page.getByLabel(t('table.page_size')).inputValue()).toBe('50');

  const { created_at } = await person.call<{ created_at: string }>('/api/v3/user');
  await page.goto(`${product.url}/profile`);
  const shown = new Date(created_at).toLocaleString('sv-SE', { timeZone: 'America/New_York' });
  await page.getByText(shown, { exact: true }).waitFor();
});

it('the overview begins with what the person chose', async () => {
  const person = await open('home@example.org');
  await person.call('/api/v3/network/create', { remark: 'Lobby' });
  const first = async () => {
    await page.goto(product.url);
    await page.locator('main h2').first().waitFor();
    return page.locator('main .board-item').first().getAttribute('data-card');
  };
  // the default, income, has no source here
  expect(await first()).toBe('problems');
  for (const [section, card] of [
    ['network', 'networks'],
    ['users', 'online'],
    ['alarms', 'problems'],
  ] as const) {
    await page.goto(`${product.url}/personalization`);
    await choose(t(`personalization.home_${section}`));
    await expect.poll(async () => (await saved(person)).home_section).toBe(section);
    expect(await first()).toBe(card);
  }
});

it('a language is saved, reloads the page and can be taken back', async () => {
  const person = await open('language@example.org');
  expect((await saved(person)).language).toBe('en');
  await page.getByText(t('personalization.language_differs', { language: 'English' })).waitFor();
  await page.getByRole('button', { name: t('personalization.language_save', { language: '简体中文' }) }).click();
  await expect.poll(async () => (await saved(person)).language).toBe('zh-CN');
  await choose('English');
  await page.getByRole('heading', { name: english('personal.personalization') }).waitFor();
  expect((await saved(person)).language).toBe('en');
  await page
    .locator('.toast', { hasText: english('personalization.saved', { what: english('personalization.language') }) })
    .waitFor();
  await page.getByRole('button', { name: english('action.undo') }).click();
  await page.getByRole('heading', { name: t('personal.personalization') }).waitFor();
  expect((await saved(person)).language).toBe('zh-CN');
});

it('at sign-in the language of the server applies only where none was chosen', async () => {
  const person = await register(product, 'reads-english@example.org', 'first1234');
  await person.call('/api/v3/personalization/save', { language: 'en', theme: 'dark' });
  for (const chosen of [null, 'zh-CN'] as const) {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    contexts.push(context);
    if (chosen) await context.addInitScript((language) => localStorage.setItem('yunxun.language', language), chosen);
    page = await context.newPage();
    await page.goto(`${product.url}/networks`);
    await page.getByLabel(t('login.email')).fill(person.email);
    await page.getByLabel(t('login.password'), { exact: true }).fill(person.password);
    await page.keyboard.press('Enter');
    const words = chosen ? t : english;
    await page.getByRole('heading', { name: words('home.networks'), exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/networks');
    expect(await page.evaluate(() => document.documentElement.lang)).toBe(chosen ?? 'en');
    expect(await theme()).toBe('dark');
    await context.close();
  }
});

it('a new tab of a signed-in person takes the theme of the server, a session keeps its own', async () => {
  const person = await register(product, 'tab@example.org');
  await person.call('/api/v3/personalization/save', { theme: 'dark' });
  const context = await browser.newContext();
  contexts.push(context);
  await signInWith(context, product.url, person.token);
  page = await context.newPage();
  await page.goto(`${product.url}/profile`);
  await expect.poll(theme).toBe('dark');
  await page.getByRole('button', { name: t('header.theme_light') }).click();
  await expect.poll(theme).toBe('light');
  await page.reload();
  await page.locator('h1').waitFor();
  expect(await theme()).toBe('light');
});
