import { Type } from 'typebox';
import { currencies, refundStates } from './billing-orders.ts';
import { endpoint } from './endpoint.ts';
import { Empty, Id, ListOf, ListQuery, Nullable, Time, Words } from './shapes.ts';

export const exceptionKinds = [
  'refund_failed',
  'refund_elsewhere',
  'dispute',
  'amount_differs',
  'currency_differs',
  'merchant_differs',
] as const;
export type ExceptionKind = (typeof exceptionKinds)[number];

const reading = { access: 'user', method: 'POST', permission: 'billing.read', effect: 'read', object: {} } as const;
const Yuan = Type.String({ description: 'yuan with two decimals' });

export const list = endpoint({
  ...reading,
  path: '/api/v3/billing/refund/list',
  summary: 'Refunds of orders with how far they are, newest first. A failed one is booked back.',
  body: ListQuery(['at', 'amount'], { state: Type.Optional(Words(refundStates)) }),
  data: ListOf(
    Type.Object({
      order_no: Type.String(),
      refund_no: Type.String(),
      title: Type.String(),
      method: Type.String(),
      amount: Yuan,
      currency: Words(currencies),
      state: Words(refundStates),
      failure: Type.String(),
      reason: Type.String(),
      by: Type.String(),
      gwid: Nullable(Id),
      at: Time,
      settled_at: Nullable(Time),
    }),
  ),
  example: () => ({}),
});

export const exceptions = endpoint({
  ...reading,
  path: '/api/v3/billing/exception/list',
  summary:
    'What payment providers did or said beside what was asked of them: failed refunds, refunds on their own sites, disputes, payments that contradict their order. Newest first.',
  body: ListQuery(['at', 'amount'], { open: Type.Optional(Type.Boolean()) }),
  data: ListOf(
    Type.Object({
      id: Id,
      kind: Words(exceptionKinds),
      provider: Type.String(),
      order_no: Type.String(),
      refund_no: Type.String(),
      amount: Yuan,
      currency: Words(currencies),
      ours: Type.String(),
      theirs: Type.String(),
      reason: Type.String(),
      gwid: Nullable(Id),
      at: Time,
      handled_at: Nullable(Time),
      handled_by: Nullable(Type.String()),
      remark: Nullable(Type.String()),
    }),
  ),
  example: () => ({}),
});

export const exceptionHandle = endpoint({
  ...reading,
  permission: 'billing.write',
  effect: 'write',
  object: { id: 'payment_exception' },
  path: '/api/v3/billing/exception/handle',
  summary: 'Marks an exception as dealt with, with a remark; books nothing. 4104 if it is already.',
  body: Type.Object({ id: Id, remark: Type.String({ minLength: 1, maxLength: 200, rule: 'required' }) }),
  data: Empty,
  example: ({ paymentException: { id } }) => ({ id, remark: 'repaid in cash' }),
});
