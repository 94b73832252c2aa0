import { Type } from 'typebox';
import { CouponCode, orderStates, TransferTo } from './billing-orders.ts';
import { endpoint } from './endpoint.ts';
import { Empty, Id, ListOf, ListQuery, Nullable, Time, Words } from './shapes.ts';

/** `outbox`: without a provider, a message only stays in the outbox. */
export const smsStates = ['queued', 'outbox', 'sent', 'failed'] as const;
export const smsPurposes = ['login', 'alarm'] as const;
/** Messages of the packs on sale. */
export const smsPacks = [100, 500, 1000, 5000] as const;

const reading = { access: 'user', method: 'POST', permission: 'billing.read', effect: 'read', object: {} } as const;
const writing = { ...reading, permission: 'billing.write', effect: 'write' } as const;
const Yuan = Type.String({ description: 'yuan with two decimals' });
const LowBalance = Nullable(Type.Integer({ minimum: 1, maximum: 100_000 }));
const span = { from: Type.Optional(Time), to: Type.Optional(Time) };

export const balance = endpoint({
  ...reading,
  path: '/api/v3/sms/balance',
  summary:
    'Messages left, packs and limits. If the installation sends without charge, `sold` is false, `left` is null, and no packs are on sale.',
  body: Empty,
  data: Type.Object({
    sold: Type.Boolean(),
    /** False: messages stay in the outbox, and cost nothing. */
    provider: Type.Boolean(),
    left: Nullable(Type.Integer()),
    price_fen: Type.Integer(),
    /** Without those that stayed in the outbox. */
    sent_today: Type.Integer(),
    sent_30d: Type.Integer(),
    /** Percent of the settled messages of 30 days; null: none. */
    success: Nullable(Type.Integer()),
    low_balance: LowBalance,
    packs: Type.Array(Type.Object({ count: Type.Integer(), amount: Yuan })),
    limits: Type.Object({
      phone_day: Type.Integer(),
      phone_seconds: Type.Integer(),
      network_hour: Type.Integer(),
      address_hour: Type.Integer(),
      alarm_day: Type.Integer(),
    }),
  }),
  example: () => ({}),
});

export const list = endpoint({
  ...reading,
  path: '/api/v3/sms/log/list',
  summary:
    'SMS that the account sent, newest first. A network also lists alarms of several networks. The keyword finds a whole number, or digits that the masked one shows.',
  body: ListQuery(['at', 'fee_fen'], {
    gwid: Type.Optional(Id),
    result: Type.Optional(Words(smsStates)),
    purpose: Type.Optional(Words(smsPurposes)),
    ...span,
  }),
  data: ListOf(
    Type.Object({
      id: Id,
      time: Time,
      gwid: Nullable(Id),
      phone_masked: Type.String(),
      purpose: Words(smsPurposes),
      template: Type.String(),
      result: Words(smsStates),
      reason: Nullable(Type.String()),
      fee_fen: Type.Integer(),
    }),
  ),
  example: () => ({}),
});

export const orderList = endpoint({
  ...reading,
  path: '/api/v3/sms/order/list',
  summary: 'Orders of SMS packs, newest first.',
  body: ListQuery(['at', 'amount_fen', 'refunded_fen'], { status: Type.Optional(Words(orderStates)) }),
  data: ListOf(
    Type.Object({
      order_no: Type.String(),
      count: Type.Integer(),
      amount_fen: Type.Integer(),
      refunded_fen: Type.Integer(),
      method: Type.String(),
      status: Words(orderStates),
      created_at: Time,
      paid_at: Nullable(Time),
    }),
  ),
  example: () => ({}),
});

export const orderCreate = endpoint({
  ...writing,
  path: '/api/v3/sms/order/create',
  summary:
    'Orders a pack of SMS, paid from the balance or by a payment method. 422 if the installation does not charge for SMS, 4107 if the balance is too low.',
  body: Type.Object({
    count: Type.Integer({ minimum: 1, maximum: 100_000 }),
    method: Type.String({ maxLength: 20 }),
    coupon: Type.Optional(CouponCode),
    key: Id,
  }),
  data: Type.Object({
    order_no: Type.String(),
    pay_url: Nullable(Type.String()),
    transfer: TransferTo,
    status: Words(orderStates),
  }),
  example: () => ({ count: 100, method: 'sandbox', key: '0198c1d2-0000-7000-8000-000000000002' }),
});

export const limitSave = endpoint({
  ...writing,
  path: '/api/v3/sms/limit/save',
  summary: 'Sets how many messages may be left before the account gets a message; null for none.',
  body: Type.Object({ low_balance: LowBalance }),
  data: Empty,
  example: () => ({ low_balance: 50 }),
});

export const saleSave = endpoint({
  ...writing,
  permission: 'install.admin',
  confirm: true,
  path: '/api/v3/sms/sale/save',
  summary: 'Decides whether accounts of this installation pay for SMS.',
  body: Type.Object({ sold: Type.Boolean() }),
  data: Empty,
  example: () => ({ sold: true }),
});
