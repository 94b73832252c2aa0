import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { keepPicture, openPage, startBrowser, texts, type Visit } from './browser.ts';
import { textUnder } from './page-each.ts';
import { ask, type Person, register } from './person.ts';
import { type Product, startProduct } from './product.ts';
import { totp } from './totp.ts';

// a passkey needs a host name
const HOST = 'localhost';
const t = texts('en');
let product: Product;
let browser: Browser;
let visit: Visit;
let page: Page;

beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct('main', /is ready/, HOST), startBrowser()]);
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await keepPicture(page, `sign-in ${task.name}`);
  await visit?.context.close();
});
afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

async function open(path: string, token?: string): Promise<void> {
  visit = await openPage(browser, product.url, 'en', 'light', { token });
  page = visit.page;
  await page.goto(product.url + path);
}
const under = (label: string) => textUnder(page, label);
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const focused = () =>
  page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.labels?.[0]?.textContent);

async function enter({ email }: Pick<Person, 'email'>, password: string): Promise<void> {
  await page.getByLabel(t('login.email')).fill(email);
  await page.getByLabel(t('login.password'), { exact: true }).fill(password);
  await press(t('login.submit'));
}

describe('the language', () => {
  const visitor = async (locale: string, path: string) => {
    const context = await browser.newContext({ locale });
    page = await context.newPage();
    await page.goto(product.url + path);
    return context;
  };
  const title = (language: 'zh-CN' | 'en') =>
    page.getByRole('heading', { name: texts(language)('login.title'), exact: true });

  it('of a link holds for later visits, and leaves the address', async () => {
    const context = await visitor('zh-CN', '/login?lang=en&way=mobile');
    await title('en').waitFor();
    expect(new URL(page.url()).search).toBe('?way=mobile');
    await page.goto(`${product.url}/login`);
    await title('en').waitFor();
    await context.close();
  });

  it('is Chinese, and English is offered beside the title where the browser reads another', async () => {
    const german = await visitor('de-DE', '/login');
    await title('zh-CN').waitFor();
    await page.locator('.gate-title').getByRole('button', { name: 'English' }).click();
    await title('en').waitFor();
    await german.close();
    const chinese = await visitor('zh-CN', '/login');
    await title('zh-CN').waitFor();
    expect(await page.locator('.gate-title').getByRole('button').count()).toBe(0);
    await page.locator('.gate-bar').getByRole('button', { name: 'English' }).waitFor();
    await chinese.close();
  });
});

describe('a password', () => {
  it('that is missing or wrong has the focus, and caps lock is said beside the error', async () => {
    const person = await register(product, 'wrong@example.org');
    await open('/login');
    await press(t('login.submit'));
    await expect.poll(focused).toBe(t('login.email'));
    await page.getByLabel(t('login.email')).fill(person.email);
    await press(t('login.submit'));
    await expect.poll(focused).toBe(t('login.password'));
    const field = page.getByLabel(t('login.password'), { exact: true });
    await field.fill('NOT-IT-1');
    await page.keyboard.press('Enter');
    await under(t('login.password')).waitFor();
    await expect.poll(focused).toBe(t('login.password'));
    await field.dispatchEvent('keyup', { key: 'A', modifierCapsLock: true, bubbles: true });
    await page.getByText(t('field.caps_lock')).waitFor();
    await under(t('login.password')).waitFor();
    await field.dispatchEvent('keyup', { key: 'a', modifierCapsLock: false, bubbles: true });
    await page.getByText(t('field.caps_lock')).waitFor({ state: 'detached' });
  });

  it('that is wrong five times locks the account for fifteen minutes, which is said under the e-mail', async () => {
    const person = await register(product, 'locked@example.org');
    await open('/login');
    for (let wrong = 1; wrong <= 4; wrong++) {
      await Promise.all([page.waitForResponse('**/api/v3/login'), enter(person, `not-it-${wrong}`)]);
      await under(t('login.password')).waitFor();
    }
    await enter(person, 'not-it-5');
    await under(t('login.email')).getByText('Try again in 15 minutes').waitFor();
    await enter(person, person.password);
    await under(t('login.email')).getByText('minutes').waitFor();
    expect(await visit.context.cookies()).toEqual([]);
  });
});

describe('a second factor', () => {
  let person: Person;
  let secret: string;
  let recovery: string[];

  beforeAll(async () => {
    person = await register(product, 'second@example.org');
    ({ secret } = await person.call<{ secret: string }>('/api/v3/security/totp/begin', {}));
    const made = await person.call<{ recovery_codes: string[] }>('/api/v3/security/totp/enable', {
      code: totp(secret),
    });
    recovery = made.recovery_codes;
  });

  const second = async () => {
    await open('/login?next=%2Fjobs');
    await enter(person, person.password);
    await page.getByRole('heading', { name: t('second.title') }).waitFor();
    await expect.poll(focused).toBe(t('second.app_code'));
    expect(await visit.context.cookies()).toEqual([]);
  };

  it('is asked for after the password; a wrong code is said beside it, the right one leads to the wanted page', async () => {
    await second();
    await press(t('second.submit'));
    await under(t('second.app_code')).getByText(t('code.required')).waitFor();
    await page.getByLabel(t('second.app_code')).fill(totp(secret, 40));
    await press(t('second.submit'));
    await under(t('second.app_code')).getByText(t('code.wrongSecondFactor')).waitFor();
    await expect.poll(focused).toBe(t('second.app_code'));
    // with a space, as apps show it
    const code = totp(secret, 1);
    await page.getByLabel(t('second.app_code')).fill(`${code.slice(0, 3)} ${code.slice(3)}`);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/jobs');
  });

  it('may be a recovery code, which works once', async () => {
    for (const [attempt, works] of [
      [0, true],
      [1, false],
    ] as const) {
      await second();
      await press(t('second.use_recovery'));
      await expect.poll(focused).toBe(t('second.recovery_code'));
      await page.getByLabel(t('second.recovery_code')).fill(recovery[0]!.toLowerCase());
      await press(t('second.submit'));
      if (works) await page.waitForURL('**/jobs');
      else await under(t('second.recovery_code')).getByText(t('code.wrongSecondFactor')).waitFor();
      if (attempt === 0) await visit.context.close();
    }
  });

  it('whose time is over leads back to the start, and says why', async () => {
    await second();
    await page.route('**/api/v3/login/second_factor', (route) =>
      route.fulfill({ json: { code: 4014, message: 'over', data: null } }),
    );
    await page.getByLabel(t('second.app_code')).fill('123456');
    await press(t('second.submit'));
    await page.getByRole('alert').getByText(t('second.expired')).waitFor();
    await page.getByLabel(t('login.email')).waitFor();
  });

  it('can be left for another way in', async () => {
    await second();
    await press(t('login.back'));
    await page.getByRole('tab', { name: t('login.by_account') }).waitFor();
  });
});

describe('a passkey', () => {
  it('signs in at once, remembered if chosen; closing its window shows a message', async () => {
    const person = await register(product, 'passkey@example.org');
    await open('/security', person.token);
    const devtools = await visit.context.newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await makePasskey(page, person);
    await visit.context.clearCookies();
    await page.goto(`${product.url}/login?next=%2Fjobs`);
    await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    await press(t('login.passkey'));
    await page.locator('.toast', { hasText: t('passkey.cancelled') }).waitFor();
    expect(await visit.context.cookies()).toEqual([]);
    await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });
    await page.getByLabel(t('login.remember')).check();
    await press(t('login.passkey'));
    await page.waitForURL('**/jobs');
    const [cookie] = await visit.context.cookies();
    expect((cookie!.expires - Date.now() / 1000) / 86_400).toBeCloseTo(7, 1);
    const { data } = await ask(product, '/api/v3/user', undefined, { token: cookie!.value });
    expect(data).toMatchObject({ email: person.email });
  });

  it('is not offered where the browser has none', async () => {
    visit = await openPage(browser, product.url, 'en', 'light');
    page = visit.page;
    await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'PublicKeyCredential'));
    await page.goto(`${product.url}/login`);
    await page.getByLabel(t('login.email')).waitFor();
    expect(await page.getByRole('button', { name: t('login.passkey') }).count()).toBe(0);
  });
});

async function makePasskey(where: Page, person: Person): Promise<void> {
  const begun = await person.call<{ ticket: string; options: object }>('/api/v3/security/passkey/begin', {});
  const response = await where.evaluate(async (options) => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as never);
    const made = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential;
    return made.toJSON() as unknown;
  }, begun.options);
  await person.call('/api/v3/security/passkey/create', { ticket: begun.ticket, name: 'Laptop', response });
}
