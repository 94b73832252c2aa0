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
    page: true,
    as: 'admin',
    async open(page, stage) {
      const { t } = stage;
      await page.goto(`${stage.url}/install?tab=delivery`);
      await card(page, stage, 'install.mail').getByLabel(t('install.provider')).selectOption('smtp');
      await card(page, stage, 'install.sms').getByLabel(t('install.provider')).selectOption('aliyun');
      await page.getByLabel('AccessKey ID').waitFor();
    },
  },
  {
    name: 'install-accounts',
    page: true,
    as: 'admin',
    open: (page, { url }) => page.goto(`${url}/install?tab=accounts`),
  },
  {
    name: 'install-payments',
    page: true,
    as: 'admin',
    async open(page, { url }) {
      await page.goto(`${url}/install?tab=payments`);
      await page.getByRole('heading', { name: /^(微信支付|WeChat Pay)$/ }).waitFor();
    },
  },
  {
    name: 'install-invoices',
    page: true,
    as: 'admin',
    open: (page, { url }) => page.goto(`${url}/install?tab=invoices`),
  },
  {
    name: 'install-withdrawals',
    page: true,
    as: 'admin',
    open: (page, { url }) => page.goto(`${url}/install?tab=withdrawals`),
  },
  {
    name: 'install-serials',
    page: true,
    as: 'admin',
    async open(page, { t, url }) {
      const at = new Date().toISOString();
      const row = { id: '1', serial: '9c0000000001', from: 'West Lake', to: 'Lakeside', reason: 'Sold with the shop' };
      const asked = { ...row, asked_at: at, asked_by: 'admin@example.com', due_at: at, decided_at: null };
      const list = [
        { ...asked, state: 'waiting', decided_by: null, objection: null },
        { ...asked, id: '2', to: null, state: 'objected', decided_by: 'li@example.com', objection: 'Ours since May' },
      ];
      await answers(page, 'install/serial/list', 2000, { list, total: 2 });
      await page.goto(`${url}/install?tab=serials`);
      await page.getByRole('button', { name: t('serials.move') }).click();
      await page.getByLabel(t('serials.serial')).waitFor();
    },
  },
  {
    name: 'install-second-person',
    as: 'admin',
    async open(page, { t, url }) {
      const at = new Date().toISOString();
      const pending = { two_persons_above: '9000.00', at, by: 'li@example.com', mine: true, stand_in_at: at };
      const amounts = { min_amount: '1.00', min_fee: '0.00', two_persons_above: '5000.00' };
      const rule = { ...amounts, fee_rate: 0, clearing: 'off', pending };
      const waits = { id: '1', kind: 'order', name: 'R20261128', amount: '6000.00', limit: '5000.00', reason: 'Fault' };
      await answers(page, 'install/withdrawal/rule', 2000, rule);
      await answers(page, 'install/decision/list', 2000, {
        list: [waits, { ...waits, id: '2', kind: 'member_remove', name: 'Li Na', amount: null, reason: '' }].map(
          (row) => ({
            ...row,
            at,
            by: 'wang@example.com',
            account: 'West Lake',
            from: at,
          }),
        ),
      });
      await page.goto(`${url}/install?tab=withdrawals`);
      await page.getByText(t('withdraw.second'), { exact: true }).waitFor();
    },
  },
  {
    name: 'install-plugins',
    page: true,
    as: 'admin',
    open: (page, { url }) => page.goto(`${url}/install?tab=plugins`),
  },
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
