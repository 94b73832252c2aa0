import type { Page } from 'playwright-core';
import type { BuiltScreen, Stage } from './built-screen.ts';

const goods = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const soldPackage = {
  id: goods,
  name: 'Day',
  price: '9.90',
  minutes: 1440,
  bytes: 0,
  devices: 1,
  up_kbps: 0,
  down_kbps: 8192,
  valid_days: 30,
  gwids: null,
  enabled: true,
  sold: 37,
  created_at: '2026-11-01T08:00:00.000Z',
};
const cardBatch = {
  id: goods,
  name: 'Autumn',
  package_name: 'Day',
  face: '9.90',
  valid_until: '2027-11-01T08:00:00.000Z',
  created_at: '2026-11-01T08:00:00.000Z',
  created_by: 'Lin',
  total: 100,
  unused: 60,
  sold: 12,
  used: 37,
  voided: 2,
  expired: 0,
  refunded: 1,
};
const usedCard = {
  id: goods,
  batch_id: goods,
  batch: 'Autumn',
  code: '…7KQ2',
  face: '9.90',
  state: 'used',
  sold_at: '2026-11-19T08:00:00.000Z',
  used_at: '2026-11-20T08:00:00.000Z',
  network: { gwid: goods, name: 'Lobby' },
};

const coupon = {
  id: goods,
  name: 'Opening week',
  code: 'AUTUMN',
  kind: 'amount',
  amount: '2.50',
  percent: 10,
  enabled: true,
  min_price: '5.00',
  per_person: 1,
  max_uses: 500,
  gwids: null,
  version: 1,
  ended_at: null,
  used: 37,
  taken_off: '92.50',
  created_at: '2026-11-01T08:00:00.000Z',
  until: '2027-01-01T08:00:00.000Z',
};
const accountCoupon = {
  ...coupon,
  code: 'YUNXUN80',
  per_account: 1,
  goods: ['sms', 'sdwan_package'],
  account_id: null,
  account: null,
};
const bank = { bank: 'ICBC', account_no: '1202 0212 0990 0012 345', payee: 'Yunxun' };
const transferTo = { ...bank, amount: '500.00', reference: 'YX-7K3-F92-QDM' };
const withdrawal = {
  id: goods,
  amount: '300.00',
  fee: '1.00',
  net: '299.00',
  state: 'approved',
  holder: '张三',
  bank_card: '6222 **** 8901',
  id_card: '110***********123X',
  requested_at: '2026-11-20T08:00:00.000Z',
  requester: 'Lin',
  approved_at: '2026-11-20T09:00:00.000Z',
  approver: 'Chen',
  settled_at: null,
  settler: null,
  reason: null,
  receipt: null,
};
const bookLines = [
  { currency: 'CNY', ledger: 'balance', opening: '10.00', debit: '365.30', credit: '3.00', closing: '372.30' },
  { currency: 'CNY', ledger: 'income', opening: '-10.00', debit: '9.90', credit: '372.20', closing: '-372.30' },
];
const sumLine = { opening: '0.00', debit: '375.20', credit: '375.20', closing: '0.00' };
const waitingRefund = {
  id: '1',
  kind: 'order',
  name: '261120123456789012',
  amount: '6200.00',
  limit: '5000.00',
  reason: 'Guest left early',
  at: '2026-11-20T08:15:00Z',
  by: 'lin@example.com',
  mine: false,
};
const settlement = {
  id: '1',
  month: '2026-10',
  side: 'paid',
  network: 'Lobby',
  other: 'Lakeside',
  income: '366.30',
  percent: 20,
  amount: '73.26',
  at: '2026-11-01T01:41:00Z',
  transaction_id: goods,
};
const share = { gwid: goods, network: 'Lobby', host: 'Lakeside', percent: 20, set_at: '2026-09-01T02:00:00Z' };
const orderLine = { transaction_id: goods, kind: 'portal_package', at: '2026-11-20T08:00:00.000Z' };
const usedOrder = {
  order_no: '261120000000000001',
  kind: 'portal_package',
  title: 'Day',
  amount: '9.90',
  refunded: '2.00',
  unused: '4.95',
  currency: 'CNY',
  coupon: { code: 'AUTUMN', taken_off: '2.50' },
  transfer: null,
  payer: 'guest',
  method: 'alipay',
  state: 'completed',
  gwid: goods,
  created_at: '2026-11-20T08:00:00.000Z',
  paid_at: '2026-11-20T08:00:00.000Z',
  refunds: [
    {
      amount: '2.00',
      reason: 'Slow',
      by: 'Lin',
      at: '2026-11-20T09:00:00.000Z',
      state: 'accepted',
      failure: '',
      settled_at: null,
    },
  ],
  journal: [
    { ...orderLine, ledger: 'balance', amount: '9.90' },
    { ...orderLine, ledger: 'income', amount: '-9.90' },
  ],
};
const bookedOrder = {
  id: goods,
  at: '2026-11-20T08:00:00.000Z',
  order_no: usedOrder.order_no,
  type: 'income',
  title: 'Guest package',
  goods: 'Day',
  network: 'Lobby',
  method: 'alipay',
  payer: 'guest',
  device: '3f9a2b1c',
  amount: '9.90',
  currency: 'CNY',
  balance_after: '366.30',
  earned_after: '300.00',
  recharged_after: '66.30',
  state: 'completed',
  gwid: goods,
  kind: 'portal_package',
};
const journalEntry = {
  id: '7c9e6679-7425-40de-944b-e07fc1f90ae7:0',
  transaction_id: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  at: '2026-10-20T04:00:00Z',
  kind: 'recharge',
  title: 'Recharge',
  order_no: 'R202610200001',
  network: null,
  currency: 'CNY',
  ledger: 'balance',
  debit: '365.30',
  credit: null,
};
const refund = {
  order_no: usedOrder.order_no,
  refund_no: `${usedOrder.order_no}-r0`,
  title: 'Day',
  method: 'wechat',
  amount: '2.00',
  currency: 'CNY',
  state: 'failed',
  failure: 'ABNORMAL',
  reason: 'Slow',
  by: 'Lin',
  gwid: goods,
  at: '2026-11-20T09:00:00.000Z',
  settled_at: '2026-11-20T09:05:00.000Z',
};
const exception = {
  id: goods,
  kind: 'amount_differs',
  provider: 'wechat',
  order_no: usedOrder.order_no,
  refund_no: '',
  amount: '9.00',
  currency: 'CNY',
  ours: '9.90',
  theirs: '9.00',
  reason: '',
  gwid: goods,
  at: '2026-11-20T09:00:00.000Z',
  handled_at: null,
  handled_by: null,
  remark: null,
};
const handled = {
  handled_at: '2026-11-20T10:00:00.000Z',
  handled_by: 'Lin',
  remark: 'Paid back in cash',
};
const deferred = {
  enabled: true,
  since: '2026-10-02T02:00:00.000Z',
  version: 1,
  liability: '612.40',
  months: [
    { month: '2026-11', sold: '366.30', earned: '298.10' },
    { month: '2026-10', sold: '990.00', earned: '445.80' },
  ],
  schedule: [
    { month: '2026-11', amount: '90.00' },
    { month: '2026-12', amount: '93.00' },
  ],
};
const deferredLine = {
  day: '2026-11-19',
  change: '-1.97',
  transaction_id: goods,
  booked_at: '2026-11-19T15:59:59.999Z',
};
const deferredItem = {
  id: goods,
  source: 'order',
  name: 'Quarter',
  order_no: usedOrder.order_no,
  code: null,
  network: 'Lobby',
  amount: '270.00',
  remaining: '183.00',
  sold_at: '2026-10-20T08:00:00.000Z',
  started_at: '2026-10-22T08:00:00.000Z',
  ends_at: '2027-01-20T08:00:00.000Z',
};
const income = { name: null, income: '366.30', refunds: '9.90', fees: '1.00', net: '355.40', earned: '310.20' };
const journalLine = {
  transaction_id: goods,
  at: '2026-11-20T08:00:00.000Z',
  title: 'Package',
  order_no: '261120000000000001',
  what: 'income',
  amount: '9.90',
};
const transfer = {
  order_no: '261120000000000002',
  reference: transferTo.reference,
  account: 'Lakeside',
  title: 'Recharge',
  amount: '500.00',
  state: 'incomplete',
  created_at: '2026-11-20T08:00:00.000Z',
  decided_at: null,
  decided_by: null,
  receipt: null,
  reason: null,
};

const billing =
  (rest: string) =>
  async (page: Page, { url }: Stage) => {
    const answers: Readonly<Record<string, unknown>> = {
      'billing/package/list': { list: [soldPackage, { ...soldPackage, name: 'Week', enabled: false }], total: 2 },
      'billing/coupon/list': {
        list: [coupon, { ...coupon, code: 'SHARE10', kind: 'share', enabled: false }],
        total: 2,
      },
      'billing/income/list': {
        list: [
          { ...income, key: '2026-11-20' },
          { ...income, key: '2026-11-19' },
        ],
        total: 2,
        sums: { income: '732.60', refunds: '19.80', fees: '2.00', net: '710.80', earned: '620.40' },
      },
      'billing/books/trial_balance': {
        from: '2026-09-30T16:00:00Z',
        to: '2026-10-31T16:00:00Z',
        first_month: '2026-08',
        closable: true,
        month: '2026-10',
        current_month: '2026-11',
        closed: null,
        list: bookLines,
        sums: [{ currency: 'CNY', ...sumLine }],
      },
      'billing/refund/list': {
        list: [refund, { ...refund, refund_no: '2', state: 'accepted', failure: '', settled_at: null }],
        total: 2,
      },
      'billing/exception/list': {
        list: [
          exception,
          { ...exception, ...handled, id: '2', kind: 'refund_failed', ours: '', theirs: '', reason: 'ABNORMAL' },
        ],
        total: 2,
      },
      'billing/deferred/get': deferred,
      'billing/deferred/lines': { list: [deferredLine], total: 1 },
      'billing/deferred/list': {
        list: [
          deferredItem,
          { ...deferredItem, id: '2', source: 'card', order_no: null, code: '7KQ2', started_at: null },
        ],
        total: 2,
      },
      'billing/voucher/get': { vouchers: 42, debit: '375.20', final: false },
      'billing/books/journal': { list: [journalEntry], total: 1 },
      'billing/decision/list': {
        list: [waitingRefund, { ...waitingRefund, id: '2', kind: 'card', name: '…7KQ2', mine: true }],
      },
      'billing/income/journal': { list: [journalLine], total: 1 },
      'billing/share/list': {
        list: [
          { ...share, hosted: true },
          { ...share, gwid: '2', network: 'Garden', hosted: false },
        ],
        total: 2,
      },
      'billing/share/settlement/list': {
        list: [settlement, { ...settlement, id: '2', side: 'received', income: '-4.01', amount: '-2.00' }],
        total: 2,
      },
      'billing/transaction/list': { list: [bookedOrder], total: 1 },
      'billing/order/get': usedOrder,
      'billing/coupon/usable': { list: [{ ...accountCoupon, left: 1 }] },
      'billing/coupon/quote': { taken_off: '2.50', price: '497.50' },
      'billing/payment/list': { list: [{ method: 'manual', sandbox: false }] },
      'billing/recharge': { order_no: transfer.order_no, pay_url: null, transfer: transferTo },
      'billing/withdrawal/list': { list: [withdrawal], total: 1 },
      'install/coupon/list': {
        list: [accountCoupon, { ...accountCoupon, id: '2', code: 'LAKE10', account: 'Lakeside', enabled: false }],
        total: 2,
      },
      'install/transfer/list': { list: [transfer], total: 1 },
      'recharge_card/batch/list': { list: [cardBatch], total: 1 },
      'recharge_card/list': { list: [usedCard], total: 1 },
      'recharge_card/stat': { unused: 60, used: 37, voided: 2, expired: 0, refunded: 1, income: '366.30' },
    };
    for (const [path, data] of Object.entries(answers))
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
