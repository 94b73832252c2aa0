import type { Page } from 'playwright-core';
import type { BuiltScreen, Stage } from './built-screen.ts';
import { answers } from './screens-sign-in.ts';

const tab = (name: string) => (page: Page, stage: Stage) => page.goto(`${stage.url}/account?tab=${name}`);

const dialogOf = async (page: Page, stage: Stage, name: string, button: Parameters<Stage['t']>[0]) => {
  await tab(name)(page, stage);
  await page
    .getByRole('button', { name: stage.t(button), exact: true })
    .first()
    .click();
  await page.getByRole('dialog').waitFor();
};

const asked = { at: '2026-11-28T10:00:00Z', limit: '5000.00', mine: false, may_confirm: true };
const change = {
  ...asked,
  id: '1',
  kind: 'member_remove',
  name: 'Li Na',
  amount: null,
  reason: '',
  by: 'wang@example.com',
};
const ofRole = { kind: 'role_update', name: 'Front desk', mine: true, may_confirm: false };
const refund = { ...change, id: '3', kind: 'order', name: 'R20261128', amount: '6000.00', reason: 'Paid twice' };

export const accountScreens: readonly BuiltScreen[] = [
  { name: 'account', as: 'owner', open: tab('members') },
  {
    name: 'account-invite',
    as: 'owner',
    async open(page, stage) {
      const { t } = stage;
      await dialogOf(page, stage, 'members', 'invitation.invite');
      await page.getByRole('dialog').getByLabel(stage.remark, { exact: true }).waitFor();
      await page.getByLabel(t('invitation.login')).fill('nobody');
      await page.keyboard.press('Enter');
      await page.getByText(t('invitation.role_missing')).waitFor();
      await page.getByText(t('validation.minItems', { min: 1 })).waitFor();
    },
  },
  {
    name: 'account-invited',
    as: 'owner',
    async open(page, stage) {
      const { t } = stage;
      await dialogOf(page, stage, 'members', 'invitation.invite');
      await page.getByLabel(t('invitation.login')).fill('colleague@example.org');
      await page.getByLabel(t('role.auditor')).check();
      await page.getByLabel(t('pick.all')).check({ force: true });
      await page.keyboard.press('Enter');
      await page.getByText(t('invitation.unsent', { login: 'colleague@example.org' })).waitFor();
    },
  },
  {
    name: 'account-role',
    page: true,
    as: 'owner',
    async open(page, stage) {
      const { t } = stage;
      await dialogOf(page, stage, 'roles', 'role_own.create');
      await page.getByLabel(t('role_own.name')).fill('Front desk');
      await page.getByLabel(t('permission.network.reboot')).check();
    },
  },
  {
    name: 'account-decisions',
    as: 'owner',
    async open(page, stage) {
      await answers(page, 'billing/decision/list', 2000, { list: [change, { ...change, id: '2', ...ofRole }] });
      await tab('members')(page, stage);
      await page.getByText(stage.t('billing.waiting_changes_about')).waitFor();
    },
  },
  {
    name: 'transactions-decisions',
    page: true,
    as: 'owner',
    async open(page, stage) {
      await answers(page, 'billing/decision/list', 2000, { list: [refund, change, { ...change, id: '2', ...ofRole }] });
      await page.goto(`${stage.url}/billing/transactions`);
      await page.getByText(stage.t('billing.waiting_order', { name: refund.name })).waitFor();
    },
  },
  { name: 'account-invitations', page: true, as: 'owner', open: tab('invitations') },
  {
    name: 'account-hosting',
    page: true,
    as: 'owner',
    async open(page, stage) {
      await dialogOf(page, stage, 'given', 'hosting.grant');
      await page.getByRole('dialog').getByLabel(stage.remark, { exact: true }).check();
      await page.getByLabel(stage.t('permission.config.write')).check();
    },
  },
  { name: 'account-given', as: 'owner', open: tab('given') },
  { name: 'account-received', page: true, as: 'owner', open: tab('received') },
  { name: 'account-settings', page: true, as: 'owner', open: tab('account') },
  {
    name: 'invitation-over',
    as: 'owner',
    async open(page, stage) {
      await page.goto(`${stage.url}/invitation/${'x'.repeat(43)}`);
      await page.getByText(stage.t('invited.over')).waitFor();
    },
  },
];
