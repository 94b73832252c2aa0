import type { Page } from 'playwright-core';
import type { BuiltScreen, Stage } from './built-screen.ts';

export const gate = (path: string) => async (page: Page, stage: Stage) => {
  await page.goto(stage.url + path);
  await page.locator('.gate-foot', { hasText: /\d/ }).waitFor({ state: 'attached' });
};

export const answers = (page: Page, path: string, code: number, data: object = {}, message = '') =>
  page.route(`**/api/v3/${path}`, (route) => route.fulfill({ json: { code, message, data } }));

const submit = (page: Page, { t }: Stage) => page.getByRole('button', { name: t('login.submit'), exact: true }).click();

const TOKEN = 'x'.repeat(43);
const resetOf =
  (data: object, code = 2000) =>
  async (page: Page, stage: Stage) => {
    await answers(page, 'password/reset_check', code, data);
    await gate(`/password_reset/${TOKEN}`)(page, stage);
  };

async function freshCode({ url }: Stage): Promise<string> {
  const answer = await fetch(`${url}/api/v3/qrcode/create`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Chrome/142.0.0.0' },
    body: '{}',
  });
  const { data } = (await answer.json()) as { data: { url: string } };
  return new URL(data.url).pathname;
}

export const signInScreens: readonly BuiltScreen[] = [
  { name: 'login', as: 'visitor', open: gate('/login') },
  {
    name: 'login-mobile-errors',
    as: 'visitor',
    async open(page, stage) {
      const { t } = stage;
      await gate('/login?way=mobile')(page, stage);
      await page.getByLabel(t('login.mobile')).fill('12345');
      await submit(page, stage);
      await page.getByText(t('code.required')).waitFor();
    },
  },
  {
    name: 'login-qr',
    as: 'visitor',
    async open(page, stage) {
      await gate('/login?way=qr')(page, stage);
      await page.getByRole('img', { name: stage.t('qr.picture') }).waitFor();
    },
  },
  {
    name: 'login-qr-expired',
    as: 'visitor',
    async open(page, stage) {
      await answers(page, 'check_qrcode_id', 2000, { status: 'expired' });
      await gate('/login?way=qr')(page, stage);
      await page.getByRole('button', { name: stage.t('qr.refresh') }).waitFor();
    },
  },
  {
    name: 'login-second-factor',
    as: 'visitor',
    async open(page, stage) {
      const { t } = stage;
      await answers(page, 'login', 2006, { ticket: TOKEN });
      await answers(page, 'login/second_factor', 4017, { left: 4 }, t('code.wrongSecondFactor'));
      await gate('/login')(page, stage);
      await page.getByLabel(t('login.email')).fill('owner@example.org');
      await page.getByLabel(t('login.password'), { exact: true }).fill('first1234');
      await submit(page, stage);
      await page.getByLabel(t('second.app_code')).fill('123456');
      await page.getByRole('button', { name: t('second.submit') }).click();
      await page.getByText(t('code.wrongSecondFactor')).waitFor();
    },
  },
  {
    name: 'login-set-password',
    as: 'visitor',
    async open(page, stage) {
      const { t } = stage;
      await answers(page, 'sms_code/login', 2005);
      await gate('/login?way=mobile')(page, stage);
      await page.getByLabel(t('login.mobile')).fill('13812345678');
      await page.getByLabel(t('login.sms_code')).fill('123456');
      await submit(page, stage);
      await page.getByRole('dialog').waitFor();
      await page.getByLabel(t('set_password.password'), { exact: true }).fill('first1234');
    },
  },
  { name: 'register', as: 'visitor', open: gate('/register') },
  { name: 'register-email', as: 'visitor', open: gate('/register?way=email') },
  {
    name: 'register-errors',
    as: 'visitor',
    async open(page, stage) {
      const { t } = stage;
      await gate('/register')(page, stage);
      await page.getByRole('button', { name: t('register.submit'), exact: true }).click();
      await page.getByText(t('register.must_agree')).waitFor();
    },
  },
  { name: 'register-protocol', as: 'visitor', open: (page, { url }) => page.goto(`${url}/register_protocol`) },
  {
    name: 'forgot-password',
    as: 'visitor',
    async open(page, stage) {
      await answers(page, 'password/forgot', 2000, { retry_after: 60, left_today: null, outbox: true });
      await gate('/forgot_password')(page, stage);
      await page.getByLabel(stage.t('login.email'), { exact: true }).fill('owner@example.org');
      await page.getByRole('button', { name: stage.t('forgot.send_link') }).click();
      await page.locator('.notice-ok').waitFor();
    },
  },
  { name: 'forgot-password-mobile', as: 'visitor', open: gate('/forgot_password?way=mobile') },
  {
    name: 'password-reset',
    as: 'visitor',
    open: resetOf({ login: 'o***r@example.org', expire_at: '2030-01-01T00:00:00Z' }),
  },
  { name: 'password-reset-used', as: 'visitor', open: resetOf({}, 4013) },
  { name: 'password-reset-expired', as: 'visitor', open: resetOf({}, 4014) },
  {
    name: 'qr-confirm',
    as: 'newPerson',
    async open(page, stage) {
      await page.goto(stage.url + (await freshCode(stage)));
      await page.getByText('Windows').waitFor();
    },
  },
  { name: 'qr-confirm-expired', as: 'newPerson', open: (page, { url }) => page.goto(`${url}/qr/${TOKEN}`) },
];
