import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { keepPicture, openPage, seriousIssues, startBrowser, texts, twoLooks, type Visit } from './browser.ts';
import { type Person, register } from './person.ts';
import { type Product, startProduct } from './product.ts';

let product: Product;
let browser: Browser;
let person: Person;
let visit: Visit;
let page: Page;
let people = 0;
const t = texts('en');

beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), startBrowser()]);
});
beforeEach(async () => {
  people += 1;
  person = await register(product, `inbox${people}@example.org`);
  visit = await openPage(browser, product.url, 'en', 'light', { token: person.token });
  page = visit.page;
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await keepPicture(page, `inbox ${task.name}`);
  await visit?.context.close();
});
afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

const makeToken = (name: string) =>
  person.call('/api/v3/security/token/create', { name, scope: 'read', areas: null, gwids: null, days: 30 });
const titleOf = (name: string) => t('message.tokenCreated.title', { name });
const unreadBell = (n: number) => page.getByRole('button', { name: t('header.messages_unread', { n }) });
const inDialog = () => page.getByRole('dialog');

describe('the inbox', () => {
  it('announces a message at once, shows it under the bell, and marks it read when opened', async () => {
    await page.goto(`${product.url}/messages`);
    await page.getByText(t('inbox.never_body')).waitFor();
    await page.getByRole('button', { name: t('header.messages'), exact: true }).waitFor();
    await makeToken('Nightly');
    await page.getByRole('link', { name: titleOf('Nightly') }).waitFor();
    await unreadBell(1).click();
    await page
      .locator('.bell-list')
      .getByRole('link', { name: titleOf('Nightly') })
      .click();
    await page.getByRole('heading', { name: titleOf('Nightly') }).waitFor();
    await page.getByText(t('message.tokenCreated.body', { name: 'Nightly' })).waitFor();
    await page.getByRole('button', { name: t('header.messages'), exact: true }).waitFor();
    await page.getByRole('link', { name: t('inbox.open') }).click();
    await page.waitForURL('**/security');
    expect(visit.errors).toEqual([]);
  });

  it('moves to newer and older messages, and marks read ones', async () => {
    for (const name of ['One', 'Two', 'Three']) await makeToken(name);
    await page.goto(`${product.url}/messages?type=security`);
    await page.getByRole('link', { name: titleOf('Two') }).click();
    await page.getByRole('link', { name: t('inbox.older') }).click();
    await page.getByRole('heading', { name: titleOf('One') }).waitFor();
    await page.getByRole('link', { name: t('inbox.newer') }).click();
    await page.getByRole('heading', { name: titleOf('Two') }).waitFor();
    await unreadBell(1).waitFor();
    await page.locator('.crumb').click();
    await page.getByLabel(t('inbox.state')).selectOption('unread');
    await page.getByRole('link', { name: titleOf('Three') }).waitFor();
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
    await page.getByLabel(t('inbox.state')).selectOption('');
    await page.getByRole('button', { name: t('inbox.mark_all') }).click();
    await page.getByRole('button', { name: t('header.messages'), exact: true }).waitFor();
    // a text known only to the browser
    await page.getByPlaceholder(t('inbox.search')).fill('api token “tw');
    await page.getByText(t('empty.no_hits')).waitFor();
    await page.getByPlaceholder(t('inbox.search')).fill('API token');
    await expect.poll(() => page.locator('tbody tr').count()).toBe(3);
  });

  it('deletes what is selected after asking', async () => {
    for (const name of ['One', 'Two', 'Three']) await makeToken(name);
    await page.goto(`${product.url}/messages`);
    await page.getByRole('link', { name: titleOf('Three') }).waitFor();
    const remove = page.locator('.toolbar').getByRole('button', { name: t('action.delete') });
    expect(await remove.count()).toBe(0);
    for (const at of [0, 1]) await page.locator('tbody').getByRole('checkbox').nth(at).check();
    await remove.click();
    await inDialog()
      .getByRole('button', { name: t('action.delete') })
      .click();
    await page.getByText('Successfully deleted').waitFor();
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
    await page.getByRole('link', { name: titleOf('One') }).waitFor();
    await unreadBell(1).waitFor();
  });
});

describe('the operation log', () => {
  it('says what undoing does, does it, and can do it again', async () => {
    const { gwid } = await person.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Lobby' });
    await person.call('/api/v3/network/update', { gwid, remark: 'Hall' });
    await page.goto(`${product.url}/logs/action?object_type=network`);
    const undo = () => page.locator('tbody').getByRole('button', { name: t('action.undo') });
    await undo().click();
    await inDialog().getByText('Name: Hall → Lobby').waitFor();
    await inDialog()
      .getByRole('button', { name: t('action.undo') })
      .click();
    await page.getByText(t('undo.done'), { exact: true }).waitFor();
    expect((await person.call<{ remark: string }>('/api/v3/network/detail', { gwid })).remark).toBe('Lobby');
    const undone = page.locator('tbody tr').first();
    await undone.getByText(/^Undid operation \d+$/).waitFor();
    await undone.locator('td').nth(2).click();
    await inDialog()
      .getByRole('row', { name: /Name\s*Hall\s*Lobby/ })
      .waitFor();
    await inDialog()
      .getByRole('button', { name: t('action.undo') })
      .click();
    await inDialog().last().getByText('Name: Lobby → Hall').waitFor();
    await inDialog()
      .last()
      .getByRole('button', { name: t('action.undo') })
      .click();
    await expect
      .poll(async () => (await person.call<{ remark: string }>('/api/v3/network/detail', { gwid })).remark)
      .toBe('Hall');
    expect(visit.errors).toEqual([]);
  });

  it('closes a question about what is no longer so, and shows the row as it is', async () => {
    const { gwid } = await person.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Lobby' });
    await page.goto(`${product.url}/logs/action?object_type=network`);
    await page
      .locator('tbody')
      .getByRole('button', { name: t('action.undo') })
      .click();
    const sure = inDialog().getByRole('button', { name: t('action.undo') });
    await sure.waitFor();
    await person.call('/api/v3/network/update', { gwid, remark: 'Hall' });
    await sure.click();
    await page.locator('.toast-bad').waitFor();
    await inDialog().waitFor({ state: 'detached' });
    await expect.poll(() => page.locator('tbody tr').count()).toBe(2);
    const last = page.locator('tbody tr').nth(1);
    await expect.poll(() => last.getByRole('button', { name: t('action.undo') }).count()).toBe(0);
  });

  it('is an object’s own history too', async () => {
    const { gwid } = await person.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Lobby' });
    await person.call('/api/v3/network/create', { remark: 'Other' });
    await person.call('/api/v3/network/update', { gwid, remark: 'Hall' });
    await page.goto(`${product.url}/network/${gwid}`);
    await page.getByRole('tab', { name: t('network.tab_history') }).click();
    await page.locator('.history li').nth(1).waitFor();
    expect(await page.locator('.history li').count()).toBe(2);
    await page.locator('.history').getByText('Lobby').first().waitFor();
    await page
      .locator('.history li')
      .first()
      .getByRole('button', { name: t('action.undo') })
      .click();
    await inDialog()
      .getByRole('button', { name: t('action.undo') })
      .click();
    await page.getByRole('heading', { name: 'Lobby' }).waitFor();
  });

  it('comes as a file of what is filtered', async () => {
    await person.call('/api/v3/network/create', { remark: 'Lobby' });
    await page.goto(`${product.url}/logs/action?object_type=network&range=today`);
    await page.getByText(t('log_action.network.create')).waitFor();
    const file = async (label: string) => {
      await page.getByRole('button', { name: t('table.export') }).click();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: label }).click(),
      ]);
      return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
    };
    const csv = await file('CSV');
    expect(csv.name).toMatch(/^operations-\d{8}-\d{4}\.csv$/);
    expect(csv.text.trim().split('\r\n')).toHaveLength(2);
    expect(csv.text).toContain(',network.create,network,');
    const json = await file('JSON');
    expect(JSON.parse(json.text)).toMatchObject({ complete: true, rows: [{ action: 'network.create' }] });
    expect(visit.errors).toEqual([]);
  });
});

describe('the sign-in log', () => {
  it('names browser, method and reason in words', async () => {
    await fetch(`${product.url}/api/v3/login`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent':
          'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
      },
      body: JSON.stringify({ email: person.email, password: 'not-it-1' }),
    });
    await page.goto(`${product.url}/logs/auth`);
    const failed = page.locator('tbody tr').first();
    await failed.getByText('Chrome 126 on Windows').waitFor();
    await failed.getByText(t('auth_reason.wrong_password')).waitFor();
    await failed.getByText(t('auth_method.password'), { exact: true }).waitFor();
    await page.getByLabel(t('log.result')).selectOption('success');
    await page.getByRole('cell', { name: t('auth_method.register') }).waitFor();
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
  });
});

describe.each(twoLooks)('in %s and %s', (language, theme) => {
  it('has nothing that axe calls serious', async () => {
    const own = texts(language);
    await makeToken('Nightly');
    const { gwid } = await person.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Lobby' });
    await person.call('/api/v3/network/update', { gwid, remark: 'Hall' });
    const look = await openPage(browser, product.url, language, theme, { token: person.token });
    const { page: seen, errors } = look;
    const title = own('message.tokenCreated.title', { name: 'Nightly' });
    const clean = async () => expect(await seriousIssues(seen)).toEqual([]);
    await seen.goto(`${product.url}/messages`);
    await seen.getByRole('link', { name: title }).waitFor();
    await clean();
    await seen.getByRole('button', { name: own('header.messages_unread', { n: 1 }) }).click();
    await seen.locator('.bell-list').getByRole('link', { name: title }).waitFor();
    await clean();
    await seen.locator('.bell-list').getByRole('link', { name: title }).click();
    await seen.getByRole('heading', { name: title }).waitFor();
    await clean();
    await seen.goto(`${product.url}/logs/auth?range=custom`);
    await seen.getByRole('cell', { name: own('auth_method.register') }).waitFor();
    await clean();
    await seen.goto(`${product.url}/logs/action`);
    await seen
      .locator('tbody')
      .getByRole('button', { name: own('action.undo') })
      .first()
      .click();
    await seen.getByRole('dialog').waitFor();
    await clean();
    await seen.goto(`${product.url}/network/${gwid}?tab=history`);
    await seen.locator('.history li').nth(1).waitFor();
    await clean();
    expect(errors).toEqual([]);
    await look.context.close();
  });
});
