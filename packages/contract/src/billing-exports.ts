import { Type } from 'typebox';
import { ledgers } from './billing-books.ts';
import { endpoint } from './endpoint.ts';
import { Download, Words } from './shapes.ts';

export const voucherPer = ['booking', 'day'] as const;
export const voucherLayouts = ['plain', 'kis', 't3'] as const;
export const voucherFormats = ['csv', 'xlsx'] as const;
export type VoucherLayout = (typeof voucherLayouts)[number];

const reading = { access: 'user', method: 'POST', permission: 'billing.read', effect: 'read', object: {} } as const;
const Amount = Type.String({ description: 'two decimals' });
const Month = Type.String({ pattern: '^20\\d\\d-(0[1-9]|1[0-2])$', maxLength: 7, hint: 'month' });
/** 0: the defaults. */
const Version = Type.Integer({ minimum: 0 });

const AccountCode = Type.Object({
  ledger: Words(ledgers),
  code: Type.String({ pattern: '^[0-9]{4,}([.][0-9]+)*$', maxLength: 20, hint: 'accountCode' }),
  name: Type.String({ minLength: 1, maxLength: 40, rule: 'required' }),
});

export const accounts = endpoint({
  ...reading,
  path: '/api/v3/billing/account_code/get',
  summary:
    'Code and name of the account of each ledger in vouchers, at first those of small enterprises in China; and whether a voucher holds one booking, or those of a kind in a day.',
  body: Type.Object({}),
  data: Type.Object({ per: Words(voucherPer), list: Type.Array(AccountCode), version: Version }),
  example: () => ({}),
});

export const accountsSave = endpoint({
  ...reading,
  permission: 'billing.write',
  effect: 'write',
  path: '/api/v3/billing/account_code/save',
  summary:
    'Sets codes and names of accounts, each ledger once, and what a voucher holds in months without kept numbers. 4104 if they were changed meanwhile.',
  body: Type.Object({
    per: Words(voucherPer),
    list: Type.Array(AccountCode, { minItems: ledgers.length, maxItems: ledgers.length }),
    version: Version,
  }),
  data: Type.Object({ version: Version }),
  example: () => ({
    per: 'day' as const,
    list: ledgers.map((ledger, nth) => ({ ledger, code: `10${10 + nth}`, name: ledger })),
    version: 0,
  }),
});

export const vouchers = endpoint({
  ...reading,
  path: '/api/v3/billing/voucher/get',
  summary: 'How many vouchers a month has. Play money has none.',
  body: Type.Object({ month: Month }),
  data: Type.Object({
    vouchers: Type.Integer(),
    /** Equal to the sum of credits. */
    debit: Amount,
    /** Numbers are kept: since the month was closed, or since its first export after that. */
    final: Type.Boolean(),
  }),
  example: () => ({ month: '2026-10' }),
});

export const vouchersExport = endpoint({
  ...reading,
  effect: 'write',
  path: '/api/v3/billing/voucher/export',
  limit: { max: 20, windowSeconds: 60 },
  summary:
    'Vouchers of a month as a file: plain, or with the columns of Kingdee KIS or Yonyou T3. The address works once, for 60 s.',
  body: Type.Object({ month: Month, layout: Words(voucherLayouts), format: Words(voucherFormats) }),
  data: Download,
  example: () => ({ month: '2026-10', layout: 'plain' as const, format: 'csv' as const }),
});
