import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { texts } from './browser.ts';
import { pageEach, textUnder } from './page-each.ts';
import { ask, register } from './person.ts';
import type { Product } from './product.ts';

const stage = pageEach('forgotten');
const t = texts('en');
let product: Product;
let page: Page;

beforeEach(() => {
  ({ product, page } = stage);
});

const under = (label: string) => textUnder(page, label);
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const field = (label: string) => page.getByLabel(label, { exact: true });
const focused = () =>
  page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.labels?.[0]?.textContent);

async function askLink(email: string): Promise<string> {
  await page.goto(`${product.url}/forgot_password`);
  await field(t('login.email')).fill(email);
  await press(t('forgot.send_link'));
  return (await page.locator('.notice-ok').textContent()) ?? '';
}

/** Polls: mail follows the answer. */
async function linkTo(email: string): Promise<string> {
  await expect.poll(() => product.link(email)).toContain('/password_reset/');
  return product.link(email);
}

async function fillPasswords(password: string, again = password): Promise<void> {
  await field(t('set_password.password')).fill(password);
  await field(t('set_password.again')).fill(again);
  await press(t('reset.submit'));
}

describe('by e-mail', () => {
  it('the answer is the same for an unused address', async () => {
    await register(product, 'known@example.org');
    const known = await askLink('known@example.org');
    const unknown = await askLink('unknown@example.org');
    expect(unknown.replace('unknown@', 'known@')).toBe(known);
    expect(known).toContain('30 minutes');
    expect(() => product.link('unknown@example.org')).toThrow();
  });

  it('the link sets a password by the rules, once; other sessions end and the account is filled in at /login', async () => {
    const person = await register(product, 'forgot@example.org');
    await askLink(person.email);
    const link = await linkTo(person.email);
    await page.goto(link);
    await page.getByText('@example.org').waitFor();
    expect(await page.getByText(person.email).count()).toBe(0);
    const met = page.locator('.rules li[data-met=true]');
    expect(await met.count()).toBe(0);
    await field(t('set_password.password')).fill('second');
    await expect.poll(() => met.count()).toBe(1);
    await field(t('set_password.password')).fill('second12');
    await expect.poll(() => met.count()).toBe(3);
    await page.getByText(t('password.strength_1'), { exact: true }).waitFor();
    await fillPasswords('second12', 'other');
    await under(t('set_password.again')).getByText(t('validation.confirmed')).waitFor();
    await expect.poll(focused).toBe(t('set_password.again'));
    await fillPasswords('second12');
    await page.waitForURL('**/login');
    await page.getByText(t('login.reset_done')).waitFor();
    expect(await field(t('login.email')).inputValue()).toBe(person.email);
    await expect.poll(focused).toBe(t('login.password'));
    expect(await ask(product, '/api/v3/user', undefined, { token: person.token })).toMatchObject({ code: 4003 });
    await page.reload();
    expect(await field(t('login.email')).inputValue()).toBe(person.email);
    await field(t('login.password')).fill('second12');
    await press(t('login.submit'));
    await page.waitForURL(`${product.url}/`);
    await page.goto(link);
    await page.getByRole('heading', { name: t('reset.used') }).waitFor();
    await page.getByRole('link', { name: t('reset.again') }).click();
    await page.waitForURL('**/forgot_password');
  });

  it('a new password ends the session of this browser too', async () => {
    const person = await register(product, 'here@example.org');
    await askLink(person.email);
    await page.context().addCookies([{ name: 'yunxun_token', value: person.token, url: product.url }]);
    await page.goto(await linkTo(person.email));
    await fillPasswords('second12');
    await page.waitForURL('**/login');
    expect(await field(t('login.email')).inputValue()).toBe(person.email);
    expect(await page.context().cookies()).toEqual([]);
  });

  it.each(['x'.repeat(43), 'short'])('a link that is none (%s) says so', async (token) => {
    await page.goto(`${product.url}/password_reset/${token}`);
    await page.getByRole('heading', { name: t('reset.expired') }).waitFor();
  });

  it('the wait for another link survives a reload', async () => {
    await askLink('patient@example.org');
    const waits = page.getByRole('button', { name: /Again in \d+ s/ });
    await waits.waitFor();
    await page.reload();
    await waits.waitFor();
    expect(await waits.isDisabled()).toBe(true);
  });
});

describe('by mobile', () => {
  it('a code leads to the page of the new password, and on to /login with the mobile filled in', async () => {
    const mobile = '13911112222';
    await signUp(mobile);
    await page.goto(`${product.url}/forgot_password?way=mobile`);
    await field(t('login.mobile')).fill(mobile);
    await press(t('code.send'));
    await page.locator('.toast', { hasText: t('code.sent_neutral') }).waitFor();
    // one of five was used for the registration
    await page.getByText('3 more codes today').waitFor();
    await page.getByRole('button', { name: /Again in \d+ s/ }).waitFor();
    const code = product.code(mobile);
    await field(t('login.sms_code')).fill(code === '000000' ? '000001' : '000000');
    await press(t('forgot.next'));
    await under(t('login.sms_code')).getByText(t('code.wrongCode')).waitFor();
    await field(t('login.sms_code')).fill(code);
    await press(t('forgot.next'));
    await page.waitForURL('**/password_reset/*');
    await fillPasswords('second12');
    await page.waitForURL('**/login?way=mobile');
    expect(await field(t('login.mobile')).inputValue()).toBe(mobile);
  });
});

describe('registering', () => {
  it('takes five fields and four clicks from the sign-in page to the wanted page', async () => {
    const mobile = '13911113333';
    await page.goto(`${product.url}/networks?keyword=Lobby`);
    await page.waitForURL('**/login?next=*');
    let clicks = 0;
    let fields = 0;
    const click = async (what: { click(): Promise<void> }) => {
      clicks++;
      await what.click();
    };
    const type = async (label: string, text: string) => {
      fields++;
      await field(label).focus();
      await page.keyboard.insertText(text);
    };
    await click(page.getByRole('link', { name: t('login.register') }));
    await type(t('login.mobile'), mobile);
    await click(page.getByRole('button', { name: t('code.send') }));
    await page.locator('.toast', { hasText: t('code.sent_outbox') }).waitFor();
    await type(t('login.sms_code'), product.code(mobile));
    await type(t('set_password.password'), 'first1234');
    await type(t('set_password.again'), 'first1234');
    fields++;
    await click(page.getByRole('checkbox'));
    expect(await page.locator('form input').count()).toBe(fields);
    await click(page.getByRole('button', { name: t('register.submit'), exact: true }));
    await page.waitForURL('**/networks?keyword=Lobby');
    expect(fields).toBeLessThanOrEqual(5);
    expect(clicks).toBeLessThanOrEqual(4);
  });

  it('says beside each field what is wrong, and begins with the first', async () => {
    await page.goto(`${product.url}/register?way=email`);
    await press(t('register.submit'));
    await under(t('login.email')).getByText(t('validation.required')).waitFor();
    await under(t('register.email_code')).getByText(t('code.required')).waitFor();
    await under(t('set_password.password')).waitFor();
    const box = page.getByRole('checkbox');
    expect(await box.getAttribute('aria-invalid')).toBe('true');
    const note = await box.getAttribute('aria-describedby');
    expect(await page.locator(`[id="${note}"]`).textContent()).toBe(t('register.must_agree'));
    await expect.poll(focused).toBe(t('login.email'));
  });

  it('is closed to strangers when the installation is, but not to an invited person', async () => {
    await page.route('**/api/v3/open/installation', async (route) => {
      const answer = await route.fetch();
      const body = (await answer.json()) as { data: object };
      await route.fulfill({ json: { ...body, data: { ...body.data, registration_open: false } } });
    });
    await page.goto(`${product.url}/register`);
    await page.getByText(t('register.closed')).waitFor();
    await page.goto(`${product.url}/register?next=%2Finvitation%2Fabc`);
    await field(t('login.mobile')).waitFor();
    await page.goto(`${product.url}/login?next=%2Finvitation%2Fabc`);
    await page.getByRole('link', { name: t('login.register') }).click();
    await page.waitForURL('**/register?next=*');
    // pending answers cannot be read after the close
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('shows terms with their version and date, which can be printed', async () => {
    await page.goto(`${product.url}/register_protocol`);
    await page.getByText(/Version \d+\.\d+/).waitFor();
    expect(await page.locator('time').getAttribute('datetime')).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    await page.getByText(t('protocol.default')).waitFor();
    await page.evaluate(() => Object.assign(globalThis, { print: () => Object.assign(globalThis, { printed: true }) }));
    await press(t('protocol.print'));
    expect(await page.evaluate(() => 'printed' in globalThis)).toBe(true);
  });
});

async function signUp(mobile: string): Promise<void> {
  await ask(product, '/api/v3/mobile_login/get_sms_code', { mobile });
  const secret = { password: 'first1234', confirm_password: 'first1234' };
  const { code } = await ask(product, '/api/v3/register_for_sms_code', {
    mobile,
    sms_code: product.code(mobile),
    ...secret,
  });
  expect(code).toBe(2000);
}
