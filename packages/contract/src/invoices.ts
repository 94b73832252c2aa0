import { Type } from 'typebox';
import { orderStates } from './billing-orders.ts';
import { endpoint, inInstallation } from './endpoint.ts';
import { Email } from './identity-shapes.ts';
import type { Seed } from './seed.ts';
import { Day, Empty, Id, ListOf, ListQuery, Nullable, Time, Version, Words } from './shapes.ts';

export const invoiceStates = ['requested', 'issued', 'refused', 'cancelled'] as const;
export type InvoiceState = (typeof invoiceStates)[number];
export const titleKinds = ['company', 'person'] as const;

const Yuan = Type.String({ description: 'yuan with two decimals' });
const OrderNo = Type.String({ minLength: 1, maxLength: 64 });
const text = (maxLength: number) => Type.Optional(Type.String({ maxLength }));

const title = {
  kind: Words(titleKinds),
  name: Type.String({ minLength: 1, maxLength: 100, rule: 'required' }),
  tax_no: Type.Optional(Type.String({ pattern: '^([0-9A-Z]{15,20})?$', hint: 'taxNo' })),
  address: text(200),
  phone: text(40),
  bank: text(100),
  bank_account: text(40),
  email: Type.Optional(Type.Union([Type.Literal(''), Email])),
};

const row = {
  id: Id,
  /** Negative on red invoices. */
  amount: Yuan,
  state: Words(invoiceStates),
  /** Invoice that a red one refers to. */
  original: Nullable(Id),
  title: Type.Object(title),
  remark: Type.String(),
  orders: Type.Array(Type.Object({ order_no: OrderNo, amount: Yuan })),
  requested_at: Time,
  requester: Type.String(),
  number: Nullable(Type.String()),
  issued_on: Nullable(Type.String({ description: 'YYYY-MM-DD' })),
  reason: Nullable(Type.String()),
  settled_at: Nullable(Time),
};
const filters = { state: Type.Optional(Words(invoiceStates)) };

const reading = { access: 'user', method: 'POST', permission: 'billing.read', effect: 'read', object: {} } as const;
const writing = { ...reading, permission: 'billing.write', effect: 'write' } as const;
const deciding = { ...inInstallation, effect: 'write', confirm: true, object: { id: 'invoice_request' } } as const;

export const titleList = endpoint({
  ...reading,
  path: '/api/v3/billing/invoice/title/list',
  summary: 'Titles that invoices of the account can be made out to.',
  body: Empty,
  data: Type.Object({ list: Type.Array(Type.Object({ id: Id, version: Version, ...title })) }),
  example: () => ({}),
});

export const titleSave = endpoint({
  ...writing,
  object: { id: 'invoice_title' },
  path: '/api/v3/billing/invoice/title/save',
  summary:
    'Keeps a title, or changes one; 4104 when `version` is no longer the newest. A company needs its tax number.',
  body: Type.Object({ id: Type.Optional(Id), version: Type.Optional(Version), ...title }),
  data: Type.Object({ id: Id }),
  example: ({ invoiceTitle: { id } }) => ({
    id,
    version: 1,
    kind: 'company' as const,
    name: 'Lakeside Hotel',
    tax_no: '91310000MA1K35XX0X',
  }),
});

export const titleDelete = endpoint({
  ...writing,
  object: { id: 'invoice_title' },
  path: '/api/v3/billing/invoice/title/delete',
  summary: 'Deletes a title; invoices that were made out to it keep it.',
  body: Type.Object({ id: Id }),
  data: Empty,
  example: ({ invoiceTitle: { id } }) => ({ id }),
});

export const orderList = endpoint({
  ...reading,
  path: '/api/v3/billing/invoice/order/list',
  summary: 'Payments of the account without an invoice request, minus refunds; newest first.',
  body: ListQuery(['paid_at', 'amount'], {}),
  data: ListOf(
    Type.Object({
      order_no: OrderNo,
      title: Type.String(),
      amount: Yuan,
      method: Type.String(),
      state: Words(orderStates),
      paid_at: Time,
    }),
  ),
  example: () => ({}),
});

export const request = endpoint({
  ...writing,
  object: { title_id: 'invoice_title' },
  path: '/api/v3/billing/invoice/request',
  bodyBytes: 20 * 1024,
  summary: 'Requests one invoice for several payments. 4104 if one of them has an invoice or nothing is left of it.',
  body: Type.Object({
    order_nos: Type.Array(OrderNo, { minItems: 1, maxItems: 100, uniqueItems: true }),
    title_id: Id,
    remark: text(200),
  }),
  data: Type.Object({ id: Id }),
  example: ({ invoiceTitle, order: { no } }) => ({ order_nos: [no], title_id: invoiceTitle.id }),
});

export const list = endpoint({
  ...reading,
  path: '/api/v3/billing/invoice/list',
  summary: 'Invoices of the account, newest first.',
  body: ListQuery(['requested_at', 'amount'], filters),
  data: ListOf(Type.Object(row)),
  example: () => ({}),
});

const printing = {
  ownTransaction: true,
  limit: { max: 20, windowSeconds: 60 },
  body: Type.Object({ id: Id, language: Type.Optional(Words(['zh-CN', 'en'])) }),
  data: Type.Object({ name: Type.String(), file: Type.String({ description: 'PDF, base64' }) }),
  example: ({ issuedInvoice: { id } }: Seed) => ({ id }),
} as const;

export const pdf = endpoint({
  ...reading,
  ...printing,
  object: { id: 'invoice' },
  path: '/api/v3/billing/invoice/pdf',
  summary:
    "The slip of an issued or red invoice as a PDF, in the language asked for or the caller's. 4104 unless it is issued.",
});

export const cancel = endpoint({
  ...writing,
  object: { id: 'invoice' },
  path: '/api/v3/billing/invoice/cancel',
  summary: 'Takes a request back; 4104 once it was issued or refused.',
  body: Type.Object({ id: Id }),
  data: Empty,
  example: ({ invoice: { id } }) => ({ id }),
});

export const allList = endpoint({
  ...inInstallation,
  effect: 'read',
  object: {},
  path: '/api/v3/install/invoice/list',
  summary: 'Invoices of all accounts; requests first.',
  body: ListQuery(['requested_at', 'amount'], filters),
  data: ListOf(Type.Object({ ...row, account: Type.String() })),
  example: () => ({}),
});

export const allPdf = endpoint({
  ...inInstallation,
  ...printing,
  effect: 'read',
  object: { id: 'invoice_request' },
  path: '/api/v3/install/invoice/pdf',
  summary: 'The slip of an issued or red invoice of any account as a PDF; 4104 unless it is issued.',
});

export const issue = endpoint({
  ...deciding,
  path: '/api/v3/install/invoice/issue',
  summary: 'Records number and date of an invoice that was issued in the tax system; 4104 unless it is requested.',
  body: Type.Object({
    id: Id,
    number: Type.String({ minLength: 1, maxLength: 40, pattern: '^[0-9A-Za-z-]+$', hint: 'invoiceNumber' }),
    issued_on: Day,
  }),
  data: Empty,
  example: ({ invoice: { id } }) => ({ id, number: '26312000000012345678', issued_on: '2026-11-20' }),
});

export const refuse = endpoint({
  ...deciding,
  path: '/api/v3/install/invoice/refuse',
  summary: 'Refuses a request with a reason; its payments can be invoiced again. Red invoices cannot be refused.',
  body: Type.Object({ id: Id, reason: Type.String({ minLength: 1, maxLength: 200, rule: 'required' }) }),
  data: Empty,
  example: ({ invoice: { id } }) => ({ id, reason: 'wrong title' }),
});
