import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Empty, Id, ListOf, ListQuery, Nullable, Time, Words } from './shapes.ts';

export const orderStates = ['incomplete', 'completed', 'expired', 'refunded', 'refused'] as const;
/** `XTS`: play money of the sandbox. */
export const currencies = ['CNY', 'XTS'] as const;
export const payers = ['account', 'guest'] as const;
export type OrderState = (typeof orderStates)[number];
/** Asked of the provider, accepted by it, arrived at the payer; failed: booked back. */
export const refundStates = ['asked', 'accepted', 'arrived', 'failed'] as const;
export type RefundState = (typeof refundStates)[number];

const reading = { access: 'user', method: 'POST', permission: 'billing.read', effect: 'read', object: {} } as const;
const paying = { ...reading, permission: 'billing.write', effect: 'write' } as const;

const Yuan = Type.String({ description: 'yuan with two decimals' });
/** Above zero, at most 999,999.99 yuan. */
const Amount = Type.String({ pattern: '^(?!0+(\\.0{1,2})?$)[0-9]{1,6}(\\.[0-9]{1,2})?$', hint: 'yuan' });
const OrderNo = Type.String({ minLength: 1, maxLength: 64 });

/** Where a bank transfer goes, and what its remark has to say. */
export const TransferTo = Nullable(
  Type.Object({
    bank: Type.String(),
    account_no: Type.String(),
    payee: Type.String(),
    amount: Yuan,
    reference: Type.String(),
  }),
);
export const CouponCode = Type.String({ pattern: '^[A-Z0-9]{4,16}$', hint: 'couponCode' });

/** Refunds what was used too. */
export const Used = Type.Boolean();
/** `waiting`: a second person has to confirm it. */
export const Refunded = Type.Object({ waiting: Type.Boolean() });

const order = {
  order_no: OrderNo,
  kind: Type.String(),
  title: Type.String(),
  amount: Yuan,
  currency: Words(currencies),
  refunded: Yuan,
  payer: Words(['account', 'guest']),
  method: Type.String(),
  state: Words(orderStates),
  gwid: Nullable(Id),
  created_at: Time,
  paid_at: Nullable(Time),
};

export const methods = endpoint({
  ...reading,
  path: '/api/v3/billing/payment/list',
  summary:
    'Payment methods of the account. With a sandbox no real money moves; `manual` is there once the installation has named its bank account.',
  body: Empty,
  data: Type.Object({ list: Type.Array(Type.Object({ method: Type.String(), sandbox: Type.Boolean() })) }),
  example: () => ({}),
});

export const recharge = endpoint({
  ...paying,
  path: '/api/v3/billing/recharge',
  summary:
    'Orders a recharge of the balance. The address of the payment page is null for payments that a person marks.',
  body: Type.Object({ amount: Amount, method: Type.String({ maxLength: 20 }), key: Id }),
  data: Type.Object({ order_no: OrderNo, pay_url: Nullable(Type.String()), transfer: TransferTo }),
  example: () => ({ amount: '20', method: 'sandbox', key: '0198c1d2-0000-7000-8000-000000000001' }),
});

export const orderGet = endpoint({
  ...reading,
  path: '/api/v3/billing/order/get',
  summary: 'An order with its refunds and the journal lines that it was booked with; 4108 if it does not exist.',
  body: Type.Object({ order_no: OrderNo }),
  data: Type.Object({
    ...order,
    coupon: Nullable(Type.Object({ code: Type.String(), taken_off: Yuan })),
    /** Of an order of the account that waits for its bank transfer. */
    transfer: TransferTo,
    unused: Type.String({ description: 'yuan that can be refunded without what was used' }),
    refunds: Type.Array(
      Type.Object({
        amount: Yuan,
        reason: Type.String(),
        by: Type.String(),
        at: Time,
        state: Words(refundStates),
        failure: Type.String(),
        settled_at: Nullable(Time),
      }),
    ),
    journal: Type.Array(
      Type.Object({ transaction_id: Id, kind: Type.String(), ledger: Type.String(), amount: Yuan, at: Time }),
    ),
  }),
  example: ({ order: { no } }) => ({ order_no: no }),
});

export const orderRefund = endpoint({
  ...paying,
  path: '/api/v3/billing/order/refund',
  summary:
    'Refunds an order, or a part of it, to where its money came from. 4107 if the balance does not hold it. Above the limit of the installation it waits for a second person. A repeated key changes nothing.',
  confirm: true,
  body: Type.Object({
    order_no: OrderNo,
    amount: Amount,
    reason: Type.String({ minLength: 1, maxLength: 200, rule: 'required' }),
    used: Type.Optional(Used),
    key: Id,
  }),
  data: Refunded,
  example: ({ order: { no } }) => ({
    order_no: no,
    amount: '1',
    reason: 'test',
    key: '0198c1d2-0000-7000-8000-000000000002',
  }),
});

export const orderSettle = endpoint({
  ...paying,
  path: '/api/v3/billing/order/settle',
  summary:
    'Marks an order as paid in cash or by bank transfer. Orders of the account itself only by an administrator of the installation.',
  confirm: true,
  body: Type.Object({ order_no: OrderNo }),
  data: Empty,
  example: ({ order: { manualNo } }) => ({ order_no: manualNo }),
});

export const transactionTypes = ['income', 'expense', 'recharge', 'refund', 'withdrawal', 'other'] as const;

export const transactions = endpoint({
  ...reading,
  path: '/api/v3/billing/transaction/list',
  summary: 'Orders and bookings, newest first, with the balance after each booking.',
  body: ListQuery(['at', 'amount', 'balance_after', 'earned_after', 'recharged_after'], {
    state: Type.Optional(Words(orderStates)),
    type: Type.Optional(Words(transactionTypes)),
    from: Type.Optional(Time),
    to: Type.Optional(Time),
  }),
  data: ListOf(
    Type.Object({
      id: Type.String(),
      at: Time,
      order_no: Nullable(OrderNo),
      type: Words(transactionTypes),
      title: Type.String(),
      /** Name of the package or goods. */
      goods: Nullable(Type.String()),
      gwid: Nullable(Id),
      network: Nullable(Type.String()),
      method: Nullable(Type.String()),
      payer: Nullable(Words(payers)),
      /** Begin of the hash of a guest's device; orders keep no address. */
      device: Nullable(Type.String()),
      amount: Yuan,
      currency: Words(currencies),
      /** In the same currency: earned and recharged, and each apart. Null: nothing is booked. */
      balance_after: Nullable(Yuan),
      earned_after: Nullable(Yuan),
      recharged_after: Nullable(Yuan),
      state: Words(orderStates),
    }),
  ),
  example: () => ({}),
});

export const differences = endpoint({
  ...reading,
  path: '/api/v3/billing/difference/list',
  summary: 'Orders whose payments of a day differ from the statement of the payment provider.',
  body: Empty,
  data: Type.Object({
    list: Type.Array(
      Type.Object({
        provider: Type.String(),
        day: Type.String(),
        order_no: OrderNo,
        ours: Yuan,
        theirs: Yuan,
        currency: Words(currencies),
      }),
    ),
  }),
  example: () => ({}),
});
