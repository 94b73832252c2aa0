import { Type } from 'typebox';
import { orderStates } from './billing-orders.ts';
import { endpoint, inInstallation } from './endpoint.ts';
import { Empty, FreeText, ListOf, ListQuery, Nullable, Time, Words } from './shapes.ts';

const deciding = { ...inInstallation, effect: 'write', confirm: true } as const;

const OrderNo = Type.String({ minLength: 1, maxLength: 64 });

export const list = endpoint({
  ...inInstallation,
  effect: 'read',
  path: '/api/v3/install/transfer/list',
  summary: 'Orders of all accounts that are paid by bank transfer or in cash; those that wait for their payment first.',
  body: ListQuery(['created_at', 'amount'], { state: Type.Optional(Words(orderStates)) }),
  data: ListOf(
    Type.Object({
      order_no: OrderNo,
      /** In the remark of the transfer. */
      reference: Type.String(),
      account: Type.String(),
      title: Type.String(),
      amount: Type.String({ description: 'yuan with two decimals' }),
      state: Words(orderStates),
      created_at: Time,
      decided_at: Nullable(Time),
      decided_by: Nullable(Type.String()),
      /** Reference of the bank. */
      receipt: Nullable(Type.String()),
      reason: Nullable(Type.String()),
    }),
  ),
  example: () => ({ state: 'incomplete' as const }),
});

export const confirm = endpoint({
  ...deciding,
  path: '/api/v3/install/transfer/confirm',
  summary: 'Books a transfer that has arrived and delivers the order. 4104: it is paid or refused already.',
  body: Type.Object({
    order_no: OrderNo,
    receipt: Type.String({ minLength: 1, maxLength: 100, rule: 'required' }),
  }),
  data: Empty,
  example: ({ order }) => ({ order_no: order.transferNo, receipt: 'TR-2026-001' }),
});

export const refuse = endpoint({
  ...deciding,
  path: '/api/v3/install/transfer/refuse',
  summary: 'Refuses an order whose transfer has not arrived. 4104: it is paid or refused already.',
  body: Type.Object({ order_no: OrderNo, reason: Type.String({ minLength: 1, maxLength: 200, rule: 'required' }) }),
  data: Empty,
  example: ({ order }) => ({ order_no: order.transferNo, reason: 'Nothing arrived' }),
});

const bank = {
  enabled: Type.Boolean(),
  version: Type.Integer({ minimum: 0 }),
};

export const bankGet = endpoint({
  ...inInstallation,
  effect: 'read',
  path: '/api/v3/install/transfer/bank/get',
  summary: 'Bank account that accounts transfer their payments to; version 0 before the first save.',
  body: Empty,
  data: Type.Object({ ...bank, bank: Type.String(), account_no: Type.String(), payee: Type.String() }),
  example: () => ({}),
});

export const bankSave = endpoint({
  ...deciding,
  path: '/api/v3/install/transfer/bank/save',
  summary: 'Names the bank account for transfers, and offers them to accounts or not. 4104 for an outdated version.',
  body: Type.Object({
    ...bank,
    bank: FreeText(60, 0),
    account_no: Type.String({ pattern: '^([0-9]{4}[0-9 -]{0,31}[0-9])?$', hint: 'bankAccount' }),
    payee: FreeText(60, 0),
  }),
  data: Empty,
  example: () => ({
    enabled: true,
    version: 1,
    bank: '中国工商银行杭州西湖支行',
    account_no: '1202 0212 0990 0012 345',
    payee: '杭州云巡科技有限公司',
  }),
});
