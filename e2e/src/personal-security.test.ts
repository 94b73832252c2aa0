import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { keepPicture, openPage, startBrowser, texts } from './browser.ts';
import { focused } from './focus.ts';
import { ask, type Person, register, signIn } from './person.ts';
import { type Product, startProduct } from './product.ts';
import { totp } from './totp.ts';

let product: Product;
let browser: Browser;
let page: Page;
const contexts: BrowserContext[] = [];
const t = texts('zh-CN');

beforeAll(async () => {
  // a passkey needs a host name
  [product, browser] = await Promise.all([startProduct('main', /is ready/, 'localhost'), startBrowser()]);
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await keepPicture(page, `security ${task.name}`);
  for (const context of contexts.splice(0)) await context.close();
});
afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

async function visit(token: string, path = '/security'): Promise<Page> {
  const opened = await openPage(browser, product.url, 'zh-CN', 'light', { token });
  contexts.push(opened.context);
  await opened.page.goto(product.url + path);
  await opened.page.locator('h1').waitFor();
  return opened.page;
}

const button = (name: string) => page.getByRole('button', { name, exact: true });
const dialog = () => page.getByRole('dialog').last();
const toast = (text: string) => page.locator('.toast', { hasText: text }).first().waitFor();
const overview = (person: Person) =>
  person.call<{
    score: number;
    totp_enabled_at: string | null;
    recovery_codes_left: number;
    passkeys: { name: string }[];
  }>('/api/v3/security/overview', {});
const alive = async (token: string) => (await ask(product, '/api/v3/user', undefined, { token })).code === 2000;

async function byQrCode(person: Person): Promise<string> {
  const made = await ask(product, '/api/v3/qrcode/create', {});
  const { qruuid, url } = made.data as { qruuid: string; url: string };
  const code = url.split('/').at(-1)!;
  await person.call('/api/v3/qrcode/answer', { code, accept: true });
  const { token } = await ask(product, '/api/v3/check_qrcode_id', { qruuid });
  if (!token) throw new Error('the QR code created no session');
  return token;
}

it('the password is changed; the other sessions end unless they are kept', async () => {
  const person = await register(product, 'password@example.org', 'first1234');
  page = await visit(person.token);
  const other = await signIn(product, person.email, person.password);
  await button(t('security.change_password')).click();
  const fill = async (old: string, password: string, again = password) => {
    await dialog().getByLabel(t('password_change.old'), { exact: true }).fill(old);
    await dialog().getByLabel(t('password_change.new'), { exact: true }).fill(password);
    await dialog().getByLabel(t('set_password.again'), { exact: true }).fill(again);
    await page.keyboard.press('Enter');
  };
  await fill('first1234', 'second1234', 'third1234');
  await dialog()
    .getByRole('alert')
    .filter({ hasText: t('validation.confirmed') })
    .waitFor();
  await expect.poll(() => focused(page)).toBe(t('set_password.again'));
  await fill('wrong1234', 'second1234');
  await dialog()
    .getByRole('alert')
    .filter({ hasText: t('code.wrongPassword') })
    .waitFor();
  await expect.poll(() => focused(page)).toBe(t('password_change.old'));
  await dialog().getByText(t('password_change.keep')).click();
  await fill('first1234', 'second1234');
  await toast(t('password_change.done'));
  expect(await alive(other.token)).toBe(true);
  await expect.poll(() => focused(page)).toBe(t('security.change_password'));

  await page.keyboard.press('Enter');
  await fill('second1234', 'third1234');
  await toast(t('password_change.done_ended'));
  expect(await alive(other.token)).toBe(false);
  expect(await alive(person.token)).toBe(true);
});

it('a withdrawal password raises the score, whose missing items lead to their acts', async () => {
  const person = await register(product, 'score@example.org');
  page = await visit(person.token);
  const before = (await overview(person)).score;
  await page.locator('.score-figure', { hasText: String(before) }).waitFor();
  await button(t('score.raise', { what: t('score.withdrawal') })).click();
  await dialog().getByLabel(t('withdrawal.new'), { exact: true }).fill('12345');
  await page.keyboard.press('Enter');
  await dialog()
    .getByRole('alert')
    .filter({ hasText: t('validation.withdrawalPassword') })
    .waitFor();
  await dialog().getByLabel(t('withdrawal.new'), { exact: true }).fill('135790');
  await dialog().getByLabel(t('withdrawal.again'), { exact: true }).fill('135790');
  await page.keyboard.press('Enter');
  await toast(t('withdrawal.done'));
  const after = (await overview(person)).score;
  expect(after).toBeGreaterThan(before);
  await page.locator('.score-figure', { hasText: String(after) }).waitFor();
  await expect.poll(() => focused(page)).toBe(t('score.title'));
  for (const [item, title] of [
    ['second_factor', 'totp.enable_title'],
    ['two_logins', 'mobile_change.bind'],
  ] as const) {
    await button(t('score.raise', { what: t(`score.${item}`) })).click();
    await dialog()
      .getByRole('heading', { name: t(title) })
      .waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => focused(page)).toBe(t('score.raise', { what: t(`score.${item}`) }));
  }
});

it('an authenticator app is put into use, its recovery codes are kept, and it is put out of use', async () => {
  const person = await register(product, 'totp@example.org');
  page = await visit(person.token);
  await button(t('totp.enable')).click();
  await dialog()
    .getByRole('img', { name: t('totp.qr') })
    .waitFor();
  const secret = await dialog().locator('.copy-code').textContent();
  await dialog().getByLabel(t('totp.code')).fill(totp(secret!, 40));
  await page.keyboard.press('Enter');
  await dialog()
    .getByRole('alert')
    .filter({ hasText: t('code.wrongSecondFactor') })
    .waitFor();
  await dialog().getByLabel(t('totp.code')).fill(totp(secret!));
  await page.keyboard.press('Enter');
  await dialog().getByText(t('totp.enabled')).waitFor();
  const codes = await dialog().locator('.codes li').allTextContents();
  expect(new Set(codes).size).toBe(10);
  // only the confirmation of saving closes it
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await dialog()
    .getByRole('button', { name: t('steps.finish') })
    .click({ force: true });
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    dialog()
      .getByRole('button', { name: t('recovery.download') })
      .click(),
  ]);
  expect(file.suggestedFilename()).toBe('yunxun-recovery-codes.txt');
  await page.emulateMedia({ media: 'print' });
  await expect.poll(() => page.locator('h1').isVisible()).toBe(false);
  expect(await dialog().locator('.codes').isVisible()).toBe(true);
  await page.emulateMedia({ media: 'screen' });
  await dialog().getByLabel(t('recovery.saved')).check();
  await dialog()
    .getByRole('button', { name: t('steps.finish') })
    .click();
  await page.getByText(t('recovery.left', { n: 10, all: 10 })).waitFor();
  const signedIn = await ask(product, '/api/v3/login', { email: person.email, password: person.password });
  expect(signedIn.code).toBe(2006);

  await button(t('recovery.renew')).click();
  await dialog()
    .getByRole('button', { name: t('recovery.renew') })
    .click();
  await dialog().getByText(t('recovery.once')).waitFor();
  const renewed = await dialog().locator('.codes li').allTextContents();
  expect(renewed).not.toEqual(codes);
  await dialog().getByLabel(t('recovery.saved')).check();
  await dialog()
    .getByRole('button', { name: t('steps.finish') })
    .click();
  await expect.poll(() => focused(page)).toBe(t('recovery.renew'));

  await button(t('totp.disable')).click();
  await dialog()
    .getByRole('button', { name: t('totp.disable') })
    .click();
  await toast(t('totp.disabled'));
  await page.getByText(t('totp.off')).waitFor();
  expect(await overview(person)).toMatchObject({ totp_enabled_at: null, recovery_codes_left: 0 });
});

it('a passkey is made by the browser, named, and deleted', async () => {
  const person = await register(product, 'passkey@example.org');
  page = await visit(person.token);
  const device = await page.context().newCDPSession(page);
  await device.send('WebAuthn.enable');
  await device.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      automaticPresenceSimulation: true,
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  });
  const make = async (name: string) => {
    await button(t('passkey.add')).click();
    await dialog().getByLabel(t('passkey.name'), { exact: true }).fill(name);
    await page.keyboard.press('Enter');
  };
  await make('My-laptop');
  await toast(t('passkey.added', { name: 'My-laptop' }));
  await page.getByRole('heading', { name: 'My-laptop' }).waitFor();
  // an authenticator holds one passkey per person
  await make('Again');
  await dialog()
    .getByRole('alert')
    .filter({ hasText: t('passkey.refused_exists') })
    .waitFor();
  await page.keyboard.press('Escape');
  expect((await overview(person)).passkeys).toMatchObject([{ name: 'My-laptop' }]);
  await button(t('passkey.delete_named', { name: 'My-laptop' })).click();
  await dialog()
    .getByRole('button', { name: t('action.delete') })
    .click();
  await toast(t('passkey.deleted'));
  await page.getByText(t('passkey.none')).waitFor();
  expect((await overview(person)).passkeys).toEqual([]);
});

it('where a passkey cannot be made, the page says why', async () => {
  const person = await register(product, 'address@example.org');
  const opened = await openPage(browser, product.url, 'zh-CN', 'light');
  contexts.push(opened.context);
  ({ page } = opened);
  const address = product.url.replace('localhost', '127.0.0.1');
  await opened.context.addCookies([{ name: 'yunxun_token', value: person.token, url: address, sameSite: 'Strict' }]);
  await page.goto(`${address}/security`);
  await page.locator('.passkey-notice', { hasText: t('passkey.cannot_address') }).waitFor();
  expect(await button(t('passkey.add')).getAttribute('aria-disabled')).toBe('true');
});

it('one session is ended, then all others; their pages leave by themselves', async () => {
  const person = await register(product, 'sessions@example.org');
  const third = await signIn(product, person.email, person.password);
  const opened = await openPage(browser, product.url, 'zh-CN', 'light');
  contexts.push(opened.context);
  const left = opened.page;
  await left.goto(`${product.url}/networks`);
  await left.getByLabel(t('login.email')).fill(person.email);
  await left.getByLabel(t('login.password'), { exact: true }).fill(person.password);
  await left.keyboard.press('Enter');
  await left.getByRole('heading', { name: t('home.networks') }).waitFor();
  page = await visit(person.token, '/security?tab=sessions');
  const rows = page.getByRole('row').filter({ hasText: '127.0.0.1' });
  await expect.poll(() => rows.count()).toBe(3);
  expect(await rows.filter({ hasText: t('session.current') }).count()).toBe(1);
  const open = rows.filter({ hasText: 'Chrome' });
  await open.getByRole('button').click();
  await page.getByText(t('session.end_question')).waitFor();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('session.end'), exact: true })
    .click();
  await toast(t('session.ended'));
  await left.waitForURL('**/login*');
  expect(await alive(third.token)).toBe(true);
  await button(t('session.end_others')).click();
  await dialog()
    .getByRole('button', { name: t('session.end_others') })
    .click();
  await toast(t('session.others_ended', { n: 1 }));
  await expect.poll(() => rows.count()).toBe(1);
  expect(await alive(third.token)).toBe(false);
  expect(await alive(person.token)).toBe(true);
});

it('an API token is made for what it needs, shown once, used, and revoked', async () => {
  const person = await register(product, 'tokens@example.org');
  const { gwid } = await person.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Lobby' });
  await person.call('/api/v3/network/create', { remark: 'Attic' });
  page = await visit(person.token, '/security?tab=tokens');
  await button(t('token.create')).click();
  await page.keyboard.press('Enter');
  await dialog()
    .getByRole('alert')
    .filter({ hasText: t('validation.required') })
    .waitFor();
  await dialog().getByLabel(t('token.name'), { exact: true }).fill('Backup');
  await dialog().getByText(t('pick.some'), { exact: true }).click();
  await dialog().getByLabel(t('pick.find')).fill('lob');
  await expect.poll(() => dialog().getByText('Attic').count()).toBe(0);
  await dialog().getByLabel('Lobby').check();
  await dialog().getByLabel(t('token.days')).selectOption('30');
  await dialog()
    .getByRole('button', { name: t('token.create_submit'), exact: true })
    .click();
  await dialog().getByText(t('token.once')).waitFor();
  const token = (await dialog().locator('.copy-code').textContent())!;
  await page.keyboard.press('Escape');
  await dialog().getByLabel(t('token.saved')).check();
  await page.keyboard.press('Enter');
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);

  const seen = await ask(product, '/api/v3/network/list', { page: 1, limit: 10 }, { token });
  expect((seen.data as { list: { gwid: string }[] }).list.map((row) => row.gwid)).toEqual([gwid]);
  expect((await ask(product, '/api/v3/network/create', { remark: 'Cellar' }, { token })).code).toBe(4101);
  await page.reload();
  const row = page.getByRole('row').filter({ hasText: 'Backup' });
  await row.getByText(t('token.scope_read')).waitFor();
  await row.getByText('127.0.0.1').waitFor();
  await row.getByRole('button', { name: t('token.revoke_named', { name: 'Backup' }) }).click();
  await dialog()
    .getByRole('button', { name: t('token.revoke') })
    .click();
  await toast(t('token.revoked'));
  await page.getByText(t('token.never')).waitFor();
  expect((await ask(product, '/api/v3/network/list', { page: 1 }, { token })).status).toBe(401);
});

it('what has to be confirmed is asked for in one dialog and goes on; a cancelled one leaves the form as it was', async () => {
  const person = await register(product, 'confirm@example.org', 'first1234');
  page = await visit(await byQrCode(person));
  await button(t('withdrawal.set_title')).click();
  await dialog().getByLabel(t('withdrawal.new'), { exact: true }).fill('135790');
  await dialog().getByLabel(t('withdrawal.again'), { exact: true }).fill('135790');
  await page.keyboard.press('Enter');
  await dialog()
    .getByRole('heading', { name: t('confirm_first.title') })
    .waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => page.getByRole('dialog').count()).toBe(1);
  expect(await dialog().getByLabel(t('withdrawal.new'), { exact: true }).inputValue()).toBe('135790');
  await expect.poll(() => focused(page)).toBe(t('withdrawal.again'));
  expect(await page.locator('.toast').count()).toBe(0);

  await page.keyboard.press('Enter');
  await dialog().getByLabel(t('confirm_first.password'), { exact: true }).fill('wrong1234');
  await page.keyboard.press('Enter');
  await dialog()
    .getByRole('alert')
    .filter({ hasText: t('code.wrongPassword') })
    .waitFor();
  await expect.poll(() => focused(page)).toBe(t('confirm_first.password'));
  await dialog().getByLabel(t('confirm_first.password'), { exact: true }).fill('first1234');
  await page.keyboard.press('Enter');
  await toast(t('withdrawal.done'));
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  await expect.poll(() => focused(page)).toBe(t('withdrawal.change_title'));
  await button(t('totp.enable')).click();
  await dialog()
    .getByRole('img', { name: t('totp.qr') })
    .waitFor();
});

it('a code of the second factor confirms as well as the password', async () => {
  const person = await register(product, 'code@example.org');
  const { secret } = await person.call<{ secret: string }>('/api/v3/security/totp/begin', {});
  const { recovery_codes: codes } = await person.call<{ recovery_codes: string[] }>('/api/v3/security/totp/enable', {
    code: totp(secret),
  });
  page = await visit(await byQrCode(person));
  await button(t('totp.disable')).click();
  await dialog()
    .getByRole('button', { name: t('totp.disable') })
    .click();
  await dialog()
    .getByRole('button', { name: t('confirm_first.use_code') })
    .click();
  await dialog().getByLabel(t('confirm_first.code')).fill('AAAAA-AAAAA');
  await page.keyboard.press('Enter');
  await dialog()
    .getByRole('alert')
    .filter({ hasText: t('code.wrongSecondFactor') })
    .waitFor();
  await dialog().getByLabel(t('confirm_first.code')).fill(codes[0]!);
  await page.keyboard.press('Enter');
  await toast(t('totp.disabled'));
  expect((await overview(person)).totp_enabled_at).toBeNull();
});
