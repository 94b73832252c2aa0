import type { Page } from 'playwright-core';
import type { BuiltScreen, Stage } from './built-screen.ts';

const opened = async (page: Page, { t, url }: Stage, path: string, button: Parameters<Stage['t']>[0]) => {
  await page.goto(url + path);
  await page
    .getByRole('button', { name: t(button), exact: true })
    .first()
    .click();
  await page.getByRole('dialog').first().waitFor();
};

export const personalScreens: readonly BuiltScreen[] = [
  { name: 'profile', as: 'owner', open: (page, { url }) => page.goto(`${url}/profile`) },
  {
    name: 'profile-mobile',
    as: 'owner',
    async open(page, stage) {
      const { t } = stage;
      await page.goto(`${stage.url}/profile`);
      await page.getByRole('button', { name: t('profile.bind_value', { name: t('profile.mobile') }) }).click();
      await page.getByRole('dialog').getByLabel(t('mobile_change.new')).fill('12345');
      await page.keyboard.press('Enter');
      await page.getByText(t('code.required')).waitFor();
    },
  },
  {
    name: 'profile-qq',
    as: 'owner',
    async open(page, { t, url }) {
      await page.goto(`${url}/profile`);
      await page.getByRole('button', { name: t('profile.edit_value', { name: t('profile.qq') }) }).click();
      await page.getByLabel(t('profile.qq'), { exact: true }).fill('0123');
      await page.keyboard.press('Enter');
      await page.getByText(t('profile.qq_wrong')).first().waitFor();
    },
  },
  { name: 'security', as: 'owner', open: (page, { url }) => page.goto(`${url}/security`) },
  {
    name: 'security-password',
    as: 'owner',
    async open(page, stage) {
      const { t } = stage;
      await opened(page, stage, '/security', 'security.change_password');
      await page.getByLabel(t('password_change.new'), { exact: true }).fill('short1');
      await page.keyboard.press('Enter');
      await page.getByText(t('validation.required')).first().waitFor();
    },
  },
  {
    name: 'security-withdrawal',
    as: 'owner',
    async open(page, stage) {
      await opened(page, stage, '/security', 'withdrawal.set_title');
      await page.getByLabel(stage.t('withdrawal.new'), { exact: true }).fill('12a');
      await page.keyboard.press('Enter');
      await page.getByText(stage.t('validation.withdrawalPassword')).waitFor();
    },
  },
  {
    name: 'security-totp',
    as: 'owner',
    async open(page, stage) {
      await opened(page, stage, '/security', 'totp.enable');
      await page.getByRole('img', { name: stage.t('totp.qr') }).waitFor();
    },
  },
  {
    name: 'security-sessions',
    page: true,
    as: 'owner',
    open: (page, { url }) => page.goto(`${url}/security?tab=sessions`),
  },
  {
    name: 'security-tokens',
    page: true,
    as: 'newPerson',
    open: (page, { url }) => page.goto(`${url}/security?tab=tokens`),
  },
  {
    name: 'security-token-new',
    as: 'owner',
    async open(page, stage) {
      const { t } = stage;
      await opened(page, stage, '/security?tab=tokens', 'token.create');
      await page.getByText(t('token.areas_some'), { exact: true }).click();
      await page.getByText(t('pick.some'), { exact: true }).click();
      await page.getByLabel(stage.remark).waitFor();
    },
  },
  {
    name: 'confirm-first',
    as: 'owner',
    async open(page, stage) {
      const answer = { code: 4015, message: '', data: null };
      await page.route('**/api/v3/security/withdrawal_password', (route) => route.fulfill({ json: answer }));
      await opened(page, stage, '/security', 'withdrawal.set_title');
      await page.getByLabel(stage.t('withdrawal.new'), { exact: true }).fill('135790');
      await page.getByLabel(stage.t('withdrawal.again'), { exact: true }).fill('135790');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: stage.t('confirm_first.title') }).waitFor();
      await page.evaluate(() => document.querySelector('[aria-busy]')?.removeAttribute('aria-busy'));
    },
  },
  { name: 'personalization', as: 'owner', open: (page, { url }) => page.goto(`${url}/personalization`) },
];
