import type { Page } from 'playwright-core';
import type { BuiltScreen, Stage } from './built-screen.ts';

import { coupon, moneyAnswers, transferTo, usedOrder } from './money-answers.ts';

const billing =
  (rest: string) =>
  async (page: Page, { url }: Stage) => {
    for (const [path, data] of Object.entries(moneyAnswers))
      await page.route(`**/api/v3/${path}`, (route) =>
        route.fulfill({ json: { code: 2000, message: 'Success', data } }),
      );
    await page.goto(`${url}/${rest}`);
  };

export const moneyScreens: readonly BuiltScreen[] = [
  { name: 'packages-never', as: 'owner', open: (page, { url }) => page.goto(`${url}/billing/packages`) },
  { name: 'packages', as: 'owner', answered: true, open: billing('billing/packages') },
  {
    name: 'package-dialog',
    as: 'owner',
    async open(page, { t, url }) {
      await page.goto(`${url}/billing/packages`);
      await page
        .getByRole('button', { name: t('goods.package_create') })
        .first()
        .click();
      await page.getByRole('dialog').getByLabel(t('goods.price')).waitFor();
    },
  },
  { name: 'coupons', as: 'owner', answered: true, open: billing('billing/packages?tab=coupons') },
  {
    name: 'coupon-edit',
    as: 'owner',
    answered: true,
    async open(page, stage) {
      await billing('billing/packages?tab=coupons')(page, stage);
      await page.getByRole('button', { name: stage.t('goods.coupon_acts', { code: coupon.code }) }).click();
      await page.getByRole('menuitem', { name: stage.t('goods.coupon_edit') }).click();
      await page.getByRole('dialog').getByLabel(stage.t('goods.coupon_last_day')).first().waitFor();
    },
  },
  { name: 'install-coupons', page: true, as: 'admin', answered: true, open: billing('install?tab=coupons') },
  {
    name: 'recharge-transfer',
    as: 'owner',
    answered: true,
    async open(page, stage) {
      await billing('billing/transactions')(page, stage);
      await page
        .getByRole('button', { name: stage.t('billing.recharge'), exact: true })
        .first()
        .click();
      await page.getByRole('dialog').getByLabel(stage.t('billing.recharge_amount')).fill('500');
      await page
        .getByRole('dialog')
        .getByRole('button', { name: stage.t('billing.recharge_go'), exact: true })
        .click();
      await page.getByText(transferTo.reference).waitFor();
    },
  },
  { name: 'balance-coupons', as: 'owner', answered: true, open: billing('billing/balance') },
  {
    name: 'withdrawal-detail',
    as: 'owner',
    answered: true,
    async open(page, stage) {
      await billing('billing/withdrawals')(page, stage);
      await page.getByText('¥300.00').first().click();
      await page.getByRole('dialog').getByText('¥299.00').waitFor();
    },
  },
  { name: 'refunds-waiting', as: 'owner', answered: true, open: billing('billing/transactions') },
  { name: 'books', as: 'owner', answered: true, open: billing('billing/transactions?tab=books&month=2026-10') },
  { name: 'income', as: 'owner', answered: true, open: billing('billing/transactions?tab=income') },
  {
    name: 'income-lines',
    as: 'owner',
    answered: true,
    async open(page, stage) {
      await billing('billing/transactions?tab=income')(page, stage);
      await page.getByText('366.30').first().click();
      await page.getByRole('dialog').getByText('261120000000000001').waitFor();
    },
  },
  { name: 'refunds', as: 'owner', answered: true, open: billing('billing/transactions?tab=refunds') },
  { name: 'payment-exceptions', as: 'owner', answered: true, open: billing('billing/transactions?tab=exceptions') },
  { name: 'deferred-income', as: 'owner', answered: true, open: billing('billing/transactions?tab=deferred') },
  {
    name: 'deferred-lines',
    as: 'owner',
    answered: true,
    async open(page, stage) {
      await billing('billing/transactions?tab=deferred')(page, stage);
      await page.getByText('¥270.00').first().click();
      await page.getByRole('dialog').getByText('2026-11-19').first().waitFor();
    },
  },
  { name: 'shares', as: 'owner', answered: true, open: billing('billing/transactions?tab=shares') },
  {
    name: 'order-refund',
    as: 'owner',
    answered: true,
    async open(page, stage) {
      await billing('billing/transactions')(page, stage);
      await page.getByText(usedOrder.order_no).click();
      await page.getByRole('dialog').getByLabel(stage.t('billing.refund_used')).check();
    },
  },
  { name: 'install-transfers', page: true, as: 'admin', answered: true, open: billing('install?tab=transfers') },
  { name: 'cards', as: 'owner', answered: true, open: billing('billing/cards') },
  { name: 'cards-log', page: true, as: 'owner', answered: true, open: billing('billing/cards?tab=log') },
  {
    name: 'cards-generate',
    as: 'owner',
    answered: true,
    async open(page, stage) {
      await billing('billing/cards')(page, stage);
      await page
        .getByRole('button', { name: stage.t('goods.cards_make') })
        .first()
        .click();
      await page.getByRole('dialog').getByLabel(stage.t('goods.prefix')).waitFor();
    },
  },
  { name: 'balance', as: 'owner', open: (page, { url }) => page.goto(`${url}/billing/balance`) },
  { name: 'transactions', as: 'owner', open: (page, { url }) => page.goto(`${url}/billing/transactions`) },
  { name: 'invoices', as: 'owner', open: (page, { url }) => page.goto(`${url}/billing/invoices`) },
  {
    name: 'invoice-orders',
    as: 'owner',
    open: (page, { url }) => page.goto(`${url}/billing/invoices?tab=orders`),
  },
  {
    name: 'invoice-title',
    as: 'owner',
    async open(page, { t, url }) {
      await page.goto(`${url}/billing/invoices?tab=titles`);
      await page.getByRole('button', { name: t('invoice.title_add'), exact: true }).click();
      await page.getByRole('dialog').getByLabel(t('invoice.tax_no')).waitFor();
    },
  },
  { name: 'withdrawals', as: 'owner', open: (page, { url }) => page.goto(`${url}/billing/withdrawals`) },
  {
    name: 'withdrawal-new',
    as: 'owner',
    async open(page, { t, url }) {
      await page.goto(`${url}/billing/withdrawals`);
      await page
        .getByRole('button', { name: t('withdraw.request'), exact: true })
        .first()
        .click();
      await page.getByRole('dialog').waitFor();
    },
  },
];
