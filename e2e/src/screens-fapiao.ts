import type { Page } from 'playwright-core';
import type { BuiltScreen, Stage } from './built-screen.ts';

const buyer = { kind: 'company', name: 'Example Technology Ltd', tax_no: '914403001922038216' };
const issued = {
  id: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  order_no: '261119004213905772',
  gwid: null,
  state: 'issued',
  original: null,
  ...buyer,
  email: 'books@example.com',
  amount: '9.90',
  tax: '0.56',
  rate: 6,
  issuer: 'manual',
  sent: false,
  asked_at: '2026-11-19T08:00:00.000Z',
  number: '26332000000012345678',
  issued_on: '2026-11-20',
  reason: null,
  settled_at: '2026-11-20T08:00:00.000Z',
};
const open = { number: null, issued_on: null, settled_at: null };
const red = {
  ...issued,
  ...open,
  id: '2',
  state: 'red_asked',
  original: issued.number,
  amount: '-4.95',
  tax: '-0.28',
};
const settings = {
  version: 1,
  enabled: true,
  seller_name: 'Harbour Hotels',
  seller_tax_no: '91350100M000100Y43',
  rate: 6,
  goods_name: 'Internet access',
  goods_code: '3010302000000000000',
  issuer: 'sandbox',
};
const answers = {
  'billing/fapiao/list': { list: [red, issued, { ...issued, ...open, id: '3', state: 'asked' }], total: 3 },
  'billing/fapiao/settings/get': settings,
};

async function openTab(page: Page, { url }: Stage): Promise<void> {
  for (const [path, data] of Object.entries(answers))
    await page.route(`**/api/v3/${path}`, (route) => route.fulfill({ json: { code: 2000, message: 'Success', data } }));
  await page.goto(`${url}/billing/invoices?tab=guests`);
}

export const fapiaoScreens: readonly BuiltScreen[] = [
  { name: 'guest-invoices', as: 'owner', answered: true, open: openTab },
  {
    name: 'guest-invoices-never',
    as: 'owner',
    open: (page, { url }) => page.goto(`${url}/billing/invoices?tab=guests`),
  },
  {
    name: 'guest-invoices-settings',
    as: 'owner',
    answered: true,
    async open(page, stage) {
      await openTab(page, stage);
      await page
        .getByRole('button', { name: stage.t('fapiao.settings'), exact: true })
        .first()
        .click();
      await page.getByRole('dialog').getByLabel(stage.t('fapiao.goods_code')).waitFor();
    },
  },
];
