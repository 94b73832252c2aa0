import type { Page } from 'playwright-core';
import type { BuiltScreen, Stage } from './built-screen.ts';

const id = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const at = '2026-11-28T02:10:00.000Z';
const batch = { number: '20261127', day: '2026-11-27', gross: '366.30', fee: '2.20', net: '364.10' };
const entered = { at, by: 'Lin', reversed_at: null, reversed_by: null };
const line = {
  result: 'unmatched',
  reference: '4200000001',
  order_no: '261127000000000009',
  amount: '9.90',
  ours: null,
};
const none = { receivable: '0.00', movements: 0, oldest_at: null, transit: '0.00', month_fee: '0.00' };

/** By path, of the installation's clearing books. */
const answers: Readonly<Record<string, object>> = {
  'install/clearing/overview': {
    providers: [
      { ...none, provider: 'sandbox' },
      {
        provider: 'wechat',
        receivable: '128.70',
        movements: 13,
        oldest_at: '2026-11-28T01:00:00.000Z',
        transit: '364.10',
        month_fee: '41.85',
      },
      { ...none, provider: 'alipay', receivable: '39.90', movements: 1, oldest_at: at },
      { ...none, provider: 'stripe' },
    ],
    receivable: '168.60',
    transit: '364.10',
    bank: '7120.00',
    unassigned: '9.90',
    held: '7642.80',
    earned: '6120.00',
    recharged: '1500.00',
    frozen: '64.75',
    owed: '7684.75',
    surplus: '-41.95',
    covered: false,
    books: [
      { kind: 'receivable', provider: 'wechat', amount: '128.70' },
      { kind: 'receivable', provider: 'alipay', amount: '39.90' },
      { kind: 'transit', provider: 'wechat', amount: '364.10' },
      { kind: 'fee', provider: 'wechat', amount: '41.85' },
      { kind: 'bank', provider: null, amount: '7120.00' },
      { kind: 'unassigned', provider: null, amount: '-9.90' },
      { kind: 'owed', provider: null, amount: '-7684.65' },
    ],
  },
  'install/clearing/payout/list': {
    list: [
      {
        ...batch,
        ...entered,
        id,
        provider: 'wechat',
        unassigned: '9.90',
        movements: 36,
        arrived: '0.00',
        imported: true,
      },
    ],
    total: 1,
  },
  'install/clearing/arrival/list': {
    list: [
      {
        ...entered,
        id,
        day: '2026-11-27',
        reference: 'ICBC-20261127-01',
        amount: '512.30',
        provider: 'wechat',
        payout: '20261126',
      },
    ],
    total: 1,
  },
  'install/clearing/line/list': {
    list: [{ ...line, id, provider: 'wechat', number: batch.number, day: batch.day }],
    total: 1,
  },
  'install/clearing/movement/list': {
    list: [
      {
        id,
        account: 'Harbour Hotels',
        provider: 'wechat',
        kind: 'payment',
        order_no: '261128000000000003',
        amount: '9.90',
        at,
        payout: null,
      },
    ],
    total: 1,
  },
  'install/clearing/statement/preview': {
    batches: [{ ...batch, matched: 36, unmatched: 1, differs: 0, repeated: 0, booked: false }],
    lines: [{ ...line, number: batch.number }],
    more: 0,
    pending: 0,
  },
};

const clearing =
  (view?: string) =>
  async (page: Page, { url }: Stage): Promise<void> => {
    for (const [path, data] of Object.entries(answers))
      await page.route(`**/api/v3/${path}`, (route) =>
        route.fulfill({ json: { code: 2000, message: 'Success', data } }),
      );
    await page.goto(`${url}/install?tab=clearing${view ? `&view=${view}` : ''}`);
  };

export const clearingScreens: readonly BuiltScreen[] = [
  { name: 'install-clearing', page: true, as: 'admin', answered: true, open: clearing() },
  {
    name: 'install-clearing-arrivals',
    as: 'admin',
    answered: true,
    open: clearing('arrivals'),
  },
  { name: 'install-clearing-lines', as: 'admin', answered: true, open: clearing('lines') },
  {
    name: 'install-clearing-movements',
    as: 'admin',
    answered: true,
    open: clearing('movements'),
  },
  {
    name: 'install-clearing-statement',
    as: 'admin',
    answered: true,
    async open(page, stage) {
      await clearing()(page, stage);
      await page.getByRole('button', { name: stage.t('clearing.import') }).click();
      await page
        .locator('input[type=file]')
        .setInputFiles({ name: 'bill.csv', mimeType: 'text/csv', buffer: Buffer.from('bill') });
      await page.getByRole('dialog').getByText('20261127').waitFor();
    },
  },
  {
    name: 'install-clearing-payout',
    as: 'admin',
    answered: true,
    async open(page, stage) {
      await clearing()(page, stage);
      await page.getByRole('button', { name: stage.t('clearing.enter_payout') }).click();
      await page.getByRole('dialog').getByLabel(stage.t('clearing.first_day')).waitFor();
    },
  },
  {
    name: 'install-clearing-arrival',
    as: 'admin',
    answered: true,
    async open(page, stage) {
      await clearing()(page, stage);
      await page.getByRole('button', { name: stage.t('clearing.enter_arrival') }).click();
      await page.getByRole('dialog').getByLabel(stage.t('clearing.reference')).waitFor();
    },
  },
];
