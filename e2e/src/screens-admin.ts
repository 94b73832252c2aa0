import type { Page } from 'playwright-core';
import type { BuiltScreen, Stage } from './built-screen.ts';
import { answers } from './screens-sign-in.ts';

const card = (page: Page, { t }: Stage, name: 'install.mail' | 'install.sms') =>
  page.locator('.card', { has: page.getByRole('heading', { name: t(name), exact: true }) });

export const adminScreens: readonly BuiltScreen[] = [
  {
    name: 'install-no-link',
    as: 'newPerson',
    async open(page, stage) {
      await answers(page, 'open/installation', 2000, { has_administrator: false, registration_open: true });
      await page.goto(`${stage.url}/install`);
      await page.getByText(stage.t('install.no_link_title')).waitFor();
    },
  },
  { name: 'install', as: 'admin', open: (page, { url }) => page.goto(`${url}/install`) },
  {
    name: 'install-delivery',
    as: 'admin',
    async open(page, stage) {
      const { t } = stage;
      await page.goto(`${stage.url}/install?tab=delivery`);
      await card(page, stage, 'install.mail').getByLabel(t('install.provider')).selectOption('smtp');
      await card(page, stage, 'install.sms').getByLabel(t('install.provider')).selectOption('aliyun');
      await page.getByLabel('AccessKey ID').waitFor();
    },
  },
  { name: 'install-accounts', as: 'admin', open: (page, { url }) => page.goto(`${url}/install?tab=accounts`) },
  {
    name: 'install-payments',
    as: 'admin',
    async open(page, { t, url }) {
      await page.goto(`${url}/install?tab=payments`);
      await page.getByRole('heading', { name: t('pay_setup.wechat') }).waitFor();
    },
  },
  { name: 'install-invoices', as: 'admin', open: (page, { url }) => page.goto(`${url}/install?tab=invoices`) },
  { name: 'install-withdrawals', as: 'admin', open: (page, { url }) => page.goto(`${url}/install?tab=withdrawals`) },
  { name: 'install-plugins', as: 'admin', open: (page, { url }) => page.goto(`${url}/install?tab=plugins`) },
  {
    name: 'account-received-some',
    as: 'admin',
    async open(page, { t, url }) {
      await page.goto(`${url}/account?tab=received`);
      await page.getByRole('button', { name: t('received.leave') }).waitFor();
    },
  },
  { name: 'messages', as: 'admin', open: (page, { url }) => page.goto(`${url}/messages`) },
  {
    name: 'message',
    as: 'admin',
    async open(page, { url }) {
      await page.goto(`${url}/messages`);
      await page.locator('tbody').getByRole('link').first().click();
      await page.locator('.message-text').first().waitFor();
    },
  },
];
