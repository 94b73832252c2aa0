import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Day, Empty, Id, ListOf, ListQuery, Nullable, Time, Words } from './shapes.ts';

export const buyerKinds = ['person', 'company'] as const;
export type BuyerKind = (typeof buyerKinds)[number];
export const issuerKinds = ['manual', 'sandbox'] as const;
export type IssuerKind = (typeof issuerKinds)[number];
/** Percent. */
export const taxRates = [0, 1, 3, 6, 9, 13] as const;
export const fapiaoStates = ['asked', 'issued', 'failed', 'cancelled', 'red_asked', 'red'] as const;
export type FapiaoState = (typeof fapiaoStates)[number];

const Yuan = Type.String({ description: 'yuan with two decimals; negative on red invoices' });
const settings = {
  enabled: Type.Boolean(),
  seller_name: Type.String({ maxLength: 100, trim: true }),
  seller_tax_no: Type.String({ maxLength: 40 }),
  rate: Type.Unsafe<(typeof taxRates)[number]>({ type: 'integer', enum: [...taxRates] }),
  goods_name: Type.String({ maxLength: 100, trim: true }),
  goods_code: Type.String({ pattern: '^([0-9]{19})?$', hint: 'goodsCode' }),
  issuer: Words(issuerKinds),
};

const reading = { access: 'user', method: 'POST', permission: 'billing.read', effect: 'read', object: {} } as const;
const writing = { ...reading, permission: 'billing.write', effect: 'write' } as const;
const deciding = { ...writing, object: { id: 'fapiao' } } as const;

export const settingsGet = endpoint({
  ...reading,
  path: '/api/v3/billing/fapiao/settings/get',
  summary: 'Whether guests can ask for invoices, and how these are issued; version 0 before the first save.',
  body: Empty,
  data: Type.Object({ version: Type.Integer(), ...settings }),
  example: () => ({}),
});

export const settingsSave = endpoint({
  ...writing,
  path: '/api/v3/billing/fapiao/settings/save',
  summary:
    'Saves how invoices of guests are issued; 4104 when `version` is no longer the newest. Requests keep theirs.',
  body: Type.Object({ version: Type.Integer({ minimum: 0 }), ...settings }),
  data: Empty,
  example: () => ({
    version: 1,
    enabled: true,
    seller_name: 'Lakeside Hotel',
    seller_tax_no: '91350100M000100Y43',
    rate: 6 as const,
    goods_name: 'Internet access',
    goods_code: '3010300000000000000',
    issuer: 'manual' as const,
  }),
});

export const list = endpoint({
  ...reading,
  path: '/api/v3/billing/fapiao/list',
  summary: 'Invoices that guests asked for, and the red ones of refunds, newest first.',
  body: ListQuery(['asked_at', 'amount', 'tax'], { state: Type.Optional(Words(fapiaoStates)) }),
  data: ListOf(
    Type.Object({
      id: Id,
      order_no: Type.String(),
      gwid: Nullable(Id),
      state: Words(fapiaoStates),
      /** Number of the invoice that a red one refers to. */
      original: Nullable(Type.String()),
      kind: Words(buyerKinds),
      name: Type.String(),
      tax_no: Type.String(),
      email: Type.String({ description: 'masked without billing.write' }),
      amount: Yuan,
      tax: Yuan,
      rate: Type.Integer(),
      issuer: Words(issuerKinds),
      /** The issuer has it and has not answered. */
      sent: Type.Boolean(),
      asked_at: Time,
      number: Nullable(Type.String()),
      issued_on: Nullable(Type.String({ description: 'YYYY-MM-DD' })),
      reason: Nullable(Type.String()),
      settled_at: Nullable(Time),
    }),
  ),
  example: () => ({}),
});

export const issue = endpoint({
  ...deciding,
  path: '/api/v3/billing/fapiao/issue',
  summary:
    'Records number and date of an invoice, or a red one, that was issued in the tax system; 4104 unless it is asked for.',
  body: Type.Object({
    id: Id,
    number: Type.String({ minLength: 1, maxLength: 40, pattern: '^[0-9A-Za-z-]+$', hint: 'invoiceNumber' }),
    issued_on: Day,
  }),
  data: Empty,
  example: ({ fapiao: { id } }) => ({ id, number: '26312000000012345678', issued_on: '2026-11-20' }),
});

export const fail = endpoint({
  ...deciding,
  path: '/api/v3/billing/fapiao/fail',
  summary:
    'Refuses a request with a reason, which the guest can correct; 4104 for red ones and unless it is asked for.',
  body: Type.Object({ id: Id, reason: Type.String({ minLength: 1, maxLength: 200, rule: 'required' }) }),
  data: Empty,
  example: ({ fapiao: { id } }) => ({ id, reason: 'wrong title' }),
});

export const retry = endpoint({
  ...deciding,
  path: '/api/v3/billing/fapiao/retry',
  summary: 'Asks again for an invoice that failed, with the settings of now; 4104 unless it failed.',
  body: Type.Object({ id: Id }),
  data: Empty,
  example: ({ fapiao: { failedId } }) => ({ id: failedId }),
});
