import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type FakeSmtp, startFakeSmtp } from '../../packages/server/test/fake-smtp.ts';
import { keepPicture, looks, openPage, seriousIssues, startBrowser, texts, type Visit } from './browser.ts';
import { ask, type Person, register } from './person.ts';
import { startProduct } from './product.ts';
import { settled } from './screens.ts';

let product: Awaited<ReturnType<typeof startProduct>>;
let browser: Browser;
let smtp: FakeSmtp;
let admin: Person;
let hotel: Person;
let visit: Visit;
let page: Page;
const t = texts('en');

beforeAll(async () => {
  [product, browser, smtp] = await Promise.all([startProduct(), startBrowser(), startFakeSmtp()]);
  admin = await register(product, 'admin@example.org');
  hotel = await register(product, 'hotel@example.org');
  visit = await openPage(browser, product.url, 'en', 'light', { token: admin.token });
  page = visit.page;
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await keepPicture(page, `install ${task.name}`);
});
afterAll(async () => {
  await browser?.close();
  await Promise.all([product?.stop(), smtp?.stop()]);
});

const inDialog = () => page.getByRole('dialog');
const open = (tab: string) => page.goto(`${product.url}/install?tab=${tab}`);
const setUpLink = () => /http\S+\/install\?token=[\w-]+/.exec(product.output())?.[0] ?? 'no link was printed';
async function asVisitor<T>(path: string, look: (stranger: Page) => Promise<T>): Promise<T> {
  const stranger = await openPage(browser, product.url, 'en', 'light');
  try {
    await stranger.page.goto(product.url + path);
    await stranger.page.locator('.gate-foot', { hasText: /\d/ }).waitFor();
    return await look(stranger.page);
  } finally {
    await stranger.context.close();
  }
}

describe('the set-up link', () => {
  it('asks a visitor for an account by e-mail first, and keeps the link', async () => {
    const path = new URL(setUpLink());
    await asVisitor(path.pathname + path.search, async (stranger) => {
      await stranger.getByText(t('install.account_first')).waitFor();
      expect(new URL(stranger.url()).pathname).toBe('/register');
      await stranger.getByLabel(t('login.email'), { exact: true }).waitFor();
      expect(new URL(stranger.url()).searchParams.get('next')).toContain('/install?token=');
    });
  });

  it('says without it how one becomes administrator', async () => {
    await page.goto(`${product.url}/install`);
    await page.getByRole('heading', { name: t('install.no_link_title') }).waitFor();
    await page.getByText('YUNXUN_ADMIN_EMAIL').waitFor();
  });

  it('makes the first visitor administrator, once', async () => {
    await page.goto(setUpLink());
    await page.getByRole('button', { name: t('install.claim') }).click();
    await page.getByRole('heading', { name: t('install.claimed') }).waitFor();
    await page.getByRole('button', { name: t('personal.install') }).click();
    await page.getByRole('heading', { name: t('install.registration'), exact: true }).waitFor();
    expect(page.url()).not.toContain('token=');
    const late = await register(product, 'late@example.org');
    const other = await openPage(browser, product.url, 'en', 'light', { token: late.token });
    await other.page.goto(setUpLink());
    await other.page.getByRole('button', { name: t('install.claim') }).click();
    await other.page.getByText('This link has been used already').waitFor();
    await other.page.goto(`${product.url}/install`);
    await other.page.getByRole('heading', { name: t('install.taken_title') }).waitFor();
    await other.context.close();
  });
});

describe('general settings', () => {
  it('say how this very visit came, and what devices are shown', async () => {
    await open('general');
    await page.getByText(t('install.tls_none'), { exact: true }).waitFor();
    await page.getByText(product.url, { exact: true }).waitFor();
    await page.getByText(`127.0.0.1:${product.devicePort}`, { exact: true }).waitFor();
    await page.getByText(t('install.device_local', { host: '127.0.0.1' })).waitFor();
    await page.getByRole('cell', { name: t('install.authority_ours') }).waitFor();
  });

  it('close registration, and the pages of visitors say so', async () => {
    await asVisitor('/register', async (stranger) => {
      await stranger.getByRole('button', { name: t('register.submit') }).waitFor();
    });
    await open('general');
    await page.getByRole('button', { name: t('install.close') }).click();
    await inDialog().getByText(t('install.close_strangers')).waitFor();
    await inDialog()
      .getByRole('button', { name: t('install.close') })
      .click();
    await page.getByText(t('install.registration_closed')).waitFor();
    await page.getByText(t('install.closed_body')).waitFor();
    await asVisitor('/register', async (stranger) => {
      await stranger.getByText(t('register.closed')).waitFor();
    });
    await page.getByRole('button', { name: t('install.open_act') }).click();
    await inDialog()
      .getByRole('button', { name: t('install.open_act') })
      .click();
    await page.getByText(t('install.open_body')).waitFor();
  });
});

describe('how long data is kept', () => {
  const card = () =>
    page.locator('.card', { has: page.getByRole('heading', { name: t('install.retention'), exact: true }) });
  const field = (kind: 'reports' | 'sessions') => card().getByLabel(t(`install.keep_${kind}`), { exact: true });
  const save = () =>
    card()
      .getByRole('button', { name: t('action.save') })
      .click();
  const saved = () => page.getByText(t('install.retention_saved')).last().waitFor();

  it('is set kind by kind; what is lost by it is said first', async () => {
    await open('general');
    await field('reports').fill('1');
    await save();
    await card().getByRole('alert').getByText('between 2 and 30').waitFor();
    await field('reports').fill('5');
    await save();
    await saved();
    await field('sessions').fill('30');
    await save();
    await inDialog().getByText('everything older than 30 days').waitFor();
    await inDialog()
      .getByRole('button', { name: t('action.save') })
      .click();
    await inDialog().waitFor({ state: 'hidden' });
    await page.reload();
    await expect.poll(() => field('sessions').inputValue()).toBe('30');
    expect(await field('reports').inputValue()).toBe('5');
    expect(await seriousIssues(page)).toEqual([]);
  });
});

describe('mail and SMS', () => {
  const mail = () =>
    page.locator('.card', { has: page.getByRole('heading', { name: t('install.mail'), exact: true }) });
  const sms = () => page.locator('.card', { has: page.getByRole('heading', { name: t('install.sms'), exact: true }) });

  it('leave by the server that is set, which is tried out at once in its own words', async () => {
    await asVisitor('/login', (stranger) => stranger.getByText(t('gate.outbox')).waitFor());
    await open('delivery');
    await mail().getByLabel(t('install.provider')).selectOption('smtp');
    await mail()
      .getByRole('button', { name: t('action.save') })
      .click();
    await mail().getByRole('alert').first().waitFor();
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('placeholder')))
      .toBe('smtp.example.com');
    await mail().getByLabel(t('install.smtp_host')).fill('127.0.0.1');
    await mail().getByLabel(t('install.smtp_security')).selectOption('none');
    expect(await mail().getByLabel(t('install.smtp_port')).inputValue()).toBe('25');
    await mail().getByLabel(t('install.smtp_port')).fill(String(smtp.port));
    await mail().getByLabel(t('install.smtp_user')).fill('console');
    await mail().getByLabel(t('install.smtp_password'), { exact: true }).fill('p@ss wörd');
    await mail().getByLabel(t('install.mail_from')).fill('console@example.org');
    expect(
      await mail()
        .getByRole('button', { name: t('install.test_send') })
        .getAttribute('aria-disabled'),
    ).toBe('true');
    await page.keyboard.press('Enter');
    await page.getByText(t('install.mail_saved')).waitFor();
    expect(await mail().getByLabel(t('install.smtp_password'), { exact: true }).inputValue()).toBe('');
    expect(await mail().getByLabel(t('install.smtp_password'), { exact: true }).getAttribute('placeholder')).toBe(
      t('install.secret_kept'),
    );

    await mail().getByLabel(t('install.test_mail_to')).fill('friend@example.com');
    await page.keyboard.press('Enter');
    await mail().getByText('250 2.0.0 OK: queued as 4XyZ').waitFor();
    expect(smtp.mails).toMatchObject([{ to: 'friend@example.com', user: 'console', password: 'p@ss wörd' }]);
    smtp.refusals.set('RCPT TO', '550 5.1.1 no such user');
    await mail()
      .getByRole('button', { name: t('install.test_send') })
      .click();
    await mail().getByText('550 5.1.1 no such user').waitFor();
    smtp.refusals.clear();

    await asVisitor('/login', (stranger) => stranger.getByText(t('gate.outbox_sms')).waitFor());
    const sent = await ask(product, '/api/v3/register/get_email_code', { email: 'new@example.org' });
    expect(sent.code).toBe(2000);
    await expect.poll(() => smtp.mails.map(({ to }) => to)).toContain('new@example.org');
  });

  it('show the fields of the provider only, and keep a secret without showing it', async () => {
    await open('delivery');
    await sms().getByLabel(t('install.provider')).selectOption('twilio');
    await sms().getByLabel('Auth Token', { exact: true }).waitFor();
    expect(await sms().getByLabel(t('install.region')).count()).toBe(0);
    await sms().getByLabel(t('install.provider')).selectOption('tencent');
    await sms().getByLabel(t('install.sms_app_id')).waitFor();
    await sms().getByLabel(t('install.provider')).selectOption('aliyun');
    expect(await sms().getByLabel(t('install.sms_app_id')).count()).toBe(0);
    await sms().getByLabel('AccessKey ID').fill('LTAI5tExample');
    await sms().getByLabel('AccessKey Secret', { exact: true }).fill('very secret');
    await sms().getByLabel(t('install.sender'), { exact: true }).fill('云巡');
    await sms().getByLabel(t('install.template_signInCode'), { exact: true }).fill('SMS_154950909');
    await sms()
      .getByRole('button', { name: t('action.save') })
      .click();
    await page.getByText(t('install.sms_saved')).waitFor();
    await page.reload();
    expect(await sms().getByLabel(t('install.template_signInCode'), { exact: true }).inputValue()).toBe(
      'SMS_154950909',
    );
    expect(await page.content()).not.toContain('very secret');
    await sms().getByLabel(t('install.test_sms_to')).fill('13900001111');
    await page.keyboard.press('Enter');
    await sms().getByText('No template code is set for this kind of SMS').waitFor();
    await sms().getByLabel(t('install.provider')).selectOption('outbox');
    await sms()
      .getByRole('button', { name: t('action.save') })
      .click();
    await page.getByText(t('install.sms_saved')).first().waitFor();
  });
});

describe('accounts', () => {
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  const act = async (name: string, item: string) => {
    await page.getByRole('button', { name: t('install.account_acts', { name }) }).click();
    await page.locator(':popover-open').getByRole('menuitem', { name: item }).click();
  };

  it('are found, locked at once with their open pages, and unlocked', async () => {
    const guest = await openPage(browser, product.url, 'en', 'light', { token: hotel.token });
    await guest.page.goto(`${product.url}/networks`);
    await guest.page.getByRole('heading', { level: 1 }).waitFor();
    await open('accounts');
    await page.getByPlaceholder(t('install.accounts_search')).fill(hotel.bindingCode);
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
    await act(hotel.email, t('install.lock'));
    await inDialog().getByText(t('install.lock_devices')).waitFor();
    await inDialog()
      .getByRole('button', { name: t('install.lock') })
      .click();
    await row(hotel.email).getByText(t('install.locked'), { exact: true }).waitFor();
    await guest.page.waitForURL('**/login**');
    await guest.page.getByLabel(t('login.email')).fill(hotel.email);
    await guest.page.getByLabel(t('login.password'), { exact: true }).fill(hotel.password);
    await guest.page.keyboard.press('Enter');
    await guest.page.getByText('locked by the administrator').first().waitFor();
    await act(hotel.email, t('install.unlock'));
    await inDialog()
      .getByRole('button', { name: t('install.unlock') })
      .click();
    await row(hotel.email).getByText(t('install.locked'), { exact: true }).waitFor({ state: 'detached' });
    await guest.page.keyboard.press('Enter');
    await guest.page.waitForURL((url) => !url.pathname.startsWith('/login'));
    await guest.page.goto(`${product.url}/logs/action`);
    await guest.page.getByText(t('log_action.installation.lock_account')).first().waitFor();
    await guest.context.close();
  });

  it('are not locked by their own administrator', async () => {
    await open('accounts');
    await page.getByRole('button', { name: t('install.account_acts', { name: admin.email }) }).click();
    await page.locator(':popover-open').getByText(t('install.lock_own')).waitFor();
    await page.keyboard.press('Escape');
  });

  it('are helped when their owner cannot get in', async () => {
    await open('accounts');
    await act(hotel.email, t('install.reset_password'));
    await inDialog().getByText(t('install.reset_sessions')).waitFor();
    await inDialog()
      .getByRole('button', { name: t('install.reset_password_confirm') })
      .click();
    await page.getByText(t('install.reset_password_done', { to: 'h***@example.org' })).waitFor();
    await expect
      .poll(() => smtp.mails.some(({ to, text }) => to === hotel.email && text.includes('/password_reset/')))
      .toBe(true);
  });
});

it('is usable in every look', async () => {
  for (const [language, theme] of looks) {
    const look = await openPage(browser, product.url, language, theme, { token: admin.token });
    for (const tab of ['general', 'delivery', 'accounts']) {
      await look.page.goto(`${product.url}/install?tab=${tab}`);
      await settled(look.page);
      expect([language, theme, tab, await seriousIssues(look.page)]).toEqual([language, theme, tab, []]);
    }
    expect(look.errors).toEqual([]);
    await look.context.close();
  }
});
