import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { keepPicture, looks, openPage, seriousIssues, startBrowser, texts } from './browser.ts';
import { type Person, register } from './person.ts';
import { type Product, startProduct } from './product.ts';

let product: Product;
let browser: Browser;
let owner: Person;
let page: Page;

beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), startBrowser()]);
  owner = await register(product, 'owner@example.org');
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await keepPicture(page, `account-roles ${task.name}`);
  await page?.context().close();
});
afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

it.each([looks[0]!, looks.at(-1)!])(
  'makes a role, gives it with an invitation and keeps it while in use: %s, %s',
  async (language, theme) => {
    const t = texts(language);
    const name = `Front desk ${language}`;
    const login = `desk-${language}@example.org`.toLowerCase();
    const visit = await openPage(browser, product.url, language, theme, { token: owner.token });
    page = visit.page;
    const press = (label: string) => page.getByRole('button', { name: label, exact: true }).first().click();
    await page.goto(`${product.url}/account?tab=roles`);
    await press(t('role_own.create'));
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(t('role_own.name')).fill(name);
    await dialog.getByLabel(t('permission.network.reboot')).check();
    await dialog.getByText(t('permission_hint.network.reboot')).waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    await press(t('action.save'));
    const row = page.getByRole('row', { name });
    await row.waitFor();
    const builtIn = page
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: t('role.reception') }) });
    await builtIn.getByText(t('permission.guest.reception').slice(1)).waitFor();
    await page.getByRole('tab', { name: t('account.tab_members') }).click();
    await press(t('invitation.invite'));
    await dialog.getByLabel(t('invitation.login')).fill(login);
    await press(t('invitation.send'));
    await dialog.getByText(t('invitation.role_missing')).waitFor();
    await dialog.getByLabel(name).check();
    await dialog.getByLabel(t('pick.all')).check({ force: true });
    await press(t('invitation.send'));
    await dialog.getByText(t('invitation.unsent', { login })).waitFor();
    await press(t('action.close'));
    await page.getByRole('tab', { name: t('account.tab_invitations') }).click();
    await page.getByRole('row', { name: login }).getByText(name).waitFor();
    await page.getByRole('tab', { name: t('account.tab_roles') }).click();
    await press(t('role_own.delete_named', { name }));
    await press(t('action.delete'));
    await page.getByText(login).waitFor();
    const guest = await register(product, login);
    const url = await invitation(login);
    await guest.call('/api/v3/account/invitation/accept', { token: url });
    const places = await guest.call<{ list: { role_name: string | null }[] }>('/api/v3/account/list', {});
    expect(places.list.map((place) => place.role_name)).toContain(name);
    expect(visit.errors.filter((text) => !text.includes('4109'))).toEqual([]);
  },
);

async function invitation(login: string): Promise<string> {
  const { list } = await owner.call<{ list: { role_id: string; login: string }[] }>(
    '/api/v3/account/invitation/list',
    {},
  );
  const open = list.find((each) => each.login === login)!;
  const input = { login, role: 'custom', role_id: open.role_id, gwids: null };
  const { url } = await owner.call<{ url: string }>('/api/v3/account/member/invite', input);
  return new URL(url).pathname.split('/').at(-1)!;
}
