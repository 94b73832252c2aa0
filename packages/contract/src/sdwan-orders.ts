import { type Static, Type } from 'typebox';
import { CouponCode, TransferTo } from './billing-orders.ts';
import { endpoint } from './endpoint.ts';
import { sdwanLimits } from './sdwan-shapes.ts';
import { Empty, Id, ListOf, ListQuery, Nullable, Time, Words } from './shapes.ts';

const reads = { access: 'user', method: 'POST', permission: 'network.read', effect: 'read' } as const;
const spends = { access: 'user', method: 'POST', permission: 'account.write', effect: 'write' } as const;

export const sdwanOrderStates = ['incomplete', 'completed'] as const;
export type SdwanOrderState = (typeof sdwanOrderStates)[number];
export const sdwanOrderKinds = ['trial', 'package', 'renewal'] as const;

/** A price of 0 fen needs no payment. */
export const SdwanPackage = Type.Object({
  id: Type.String({ pattern: '^[a-z0-9][a-z0-9_-]{0,31}$', hint: 'packageId' }),
  name: Type.String({ rule: 'noQuotes', minLength: 1, maxLength: 32 }),
  nodes: Type.Integer({ minimum: sdwanLimits.nodes.min, maximum: sdwanLimits.nodes.max }),
  /** Sums over all nodes, Mbit/s. */
  widthband: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
  foreign_widthband: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
  months: Type.Integer({ minimum: 1, maximum: 60 }),
  price_fen: Type.Integer({ minimum: 0, maximum: 100_000_000 }),
});
export type SdwanPackage = Static<typeof SdwanPackage>;

const order = {
  id: Id,
  order_no: Type.String(),
  kind: Words(sdwanOrderKinds),
  package_id: Nullable(Type.String()),
  name: Type.String(),
  nodes: Type.Integer(),
  widthband: Type.Integer(),
  foreign_widthband: Type.Integer(),
  months: Type.Integer(),
  amount_fen: Type.Integer(),
  status: Words(sdwanOrderStates),
  created_at: Time,
  completed_at: Nullable(Time),
  valid_from: Nullable(Time),
  valid_until: Nullable(Time),
};
const Order = Type.Object(order);

export const packageList = endpoint({
  ...reads,
  object: {},
  path: '/api/v3/sdwan/package/list',
  summary: 'Packages of this installation, and the trial.',
  body: Empty,
  data: Type.Object({
    list: Type.Array(SdwanPackage),
    trial: Type.Object({ nodes: Type.Integer(), days: Type.Integer(), available: Type.Boolean() }),
  }),
  example: () => ({}),
});

export const packageSave = endpoint({
  access: 'user',
  method: 'POST',
  permission: 'install.admin',
  effect: 'write',
  object: {},
  path: '/api/v3/sdwan/package/save',
  summary: 'Replaces the price list of the installation. Bought packages stay as they are.',
  body: Type.Object({ list: Type.Array(SdwanPackage, { maxItems: 50 }) }),
  data: Empty,
  example: () => ({
    list: [
      {
        id: 'standard',
        name: 'Standard',
        nodes: 10,
        widthband: 100,
        foreign_widthband: 0,
        months: 12,
        price_fen: 0,
      },
    ],
  }),
});

export const orderList = endpoint({
  ...reads,
  object: {},
  path: '/api/v3/sdwan/order/list',
  summary: 'SD-WAN orders of the account, the newest first.',
  body: ListQuery(['created_at', 'nodes', 'widthband', 'months', 'amount_fen'], {
    status: Type.Optional(Words(sdwanOrderStates)),
  }),
  data: ListOf(Order),
  example: () => ({ page: 1, limit: 10 }),
});

export const orderDetail = endpoint({
  ...reads,
  object: {},
  path: '/api/v3/sdwan/order/detail',
  summary: 'One SD-WAN order by its number; 4108 for an unknown one.',
  body: Type.Object({ order_no: Type.String({ maxLength: 32 }) }),
  data: Order,
  example: (seed) => ({ order_no: seed.sdwan.orderNo }),
});

export const orderCreate = endpoint({
  ...spends,
  object: {},
  path: '/api/v3/sdwan/order/create',
  summary:
    'Orders a package, the trial, or a renewal of the current package. Without a price it is completed at once; the trial is there once per account.',
  body: Type.Object({
    kind: Words(sdwanOrderKinds),
    /** For `package`. */
    package_id: Type.Optional(Type.String({ maxLength: 32 })),
  }),
  data: Order,
  example: () => ({ kind: 'trial' as const }),
});

export const orderPay = endpoint({
  ...spends,
  object: {},
  path: '/api/v3/sdwan/order/pay',
  summary:
    'Pays an SD-WAN order: from the balance, by a payment provider, or by a transfer that an administrator of the installation confirms. 4107 when the balance is not enough, 4108 for an unknown order.',
  body: Type.Object({
    order_no: Type.String({ maxLength: 32 }),
    /** `balance` when missing, else a method of `billing/payment/list`. */
    method: Type.Optional(Type.String({ maxLength: 20 })),
    coupon: Type.Optional(CouponCode),
  }),
  /** `pay_url`: payment page of the provider. */
  data: Type.Object({ ...order, pay_url: Nullable(Type.String()), transfer: TransferTo }),
  example: (seed) => ({ order_no: seed.sdwan.openOrderNo }),
});

export const orderCancel = endpoint({
  ...spends,
  object: {},
  path: '/api/v3/sdwan/order/cancel',
  summary: 'Deletes an order that is not paid.',
  body: Type.Object({ order_no: Type.String({ maxLength: 32 }) }),
  data: Empty,
  example: (seed) => ({ order_no: seed.sdwan.openOrderNo }),
});
