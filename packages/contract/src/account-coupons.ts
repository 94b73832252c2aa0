import { Type } from 'typebox';
import { couponGoods, couponLimits, couponState, discount } from './billing-coupons.ts';
import { goodsLimits, Name } from './billing-goods.ts';
import { CouponCode } from './billing-orders.ts';
import { endpoint, inInstallation } from './endpoint.ts';
import { Day, Empty, Id, ListOf, ListQuery, Nullable, Version, Words } from './shapes.ts';

const writing = { ...inInstallation, effect: 'write' } as const;

const terms = {
  ...discount,
  /** Uses per account; 0: no limit. */
  per_account: Type.Integer({ minimum: 0, maximum: couponLimits.perPerson }),
  /** Uses of all; 0: no limit. */
  max_uses: Type.Integer({ minimum: 0, maximum: couponLimits.uses }),
  goods: Type.Array(Words(couponGoods), { minItems: 1, maxItems: couponGoods.length, uniqueItems: true }),
  /** Null: all accounts. */
  account_id: Nullable(Id),
};

export const list = endpoint({
  ...inInstallation,
  effect: 'read',
  path: '/api/v3/install/coupon/list',
  summary: 'Coupons for orders of accounts, with how often each was used and what it took off, in yuan.',
  body: ListQuery(['created_at', 'code', 'until', 'used', 'min_price', 'per_account', 'taken_off'], {}),
  data: ListOf(
    Type.Object({
      id: Id,
      name: Type.String(),
      code: Type.String(),
      ...terms,
      account: Nullable(Type.String()),
      ...couponState,
    }),
  ),
  example: () => ({}),
});

export const create = endpoint({
  ...writing,
  path: '/api/v3/install/coupon/create',
  summary: 'Creates a coupon for orders of one account or of all; 4105 when its code is taken.',
  body: Type.Object({
    name: Name,
    code: CouponCode,
    ...terms,
    valid_days: Type.Integer({ minimum: 1, maximum: goodsLimits.validDays }),
  }),
  data: Type.Object({ id: Id }),
  example: () => ({
    name: 'Anniversary',
    code: 'YUNXUN26',
    kind: 'share' as const,
    amount: '0',
    percent: 20,
    min_price: '0',
    per_account: 1,
    max_uses: 0,
    goods: ['sms' as const, 'sdwan_package' as const],
    account_id: null,
    valid_days: 30,
  }),
});

export const save = endpoint({
  ...writing,
  object: { id: 'account_coupon' },
  key: ['id'],
  path: '/api/v3/install/coupon/save',
  summary:
    'Changes a coupon of accounts. 422 for another code, discount or account of one that was used, and for an end that is over; 4104 for an outdated version, and for one that was ended.',
  body: Type.Object({
    id: Id,
    version: Version,
    name: Name,
    code: CouponCode,
    ...terms,
    /** Last day in the time zone of the administrator's account; stays when missing. */
    until: Type.Optional(Day),
  }),
  data: Empty,
  example: ({ accountCoupon: { id, code } }) => ({
    id,
    version: 1,
    name: 'Jubilee',
    code,
    kind: 'share' as const,
    amount: '0',
    percent: 10,
    min_price: '0',
    per_account: 2,
    max_uses: 0,
    goods: ['sms' as const],
    account_id: null,
    until: '2036-11-20',
  }),
});

export const turn = endpoint({
  ...writing,
  object: { id: 'account_coupon' },
  path: '/api/v3/install/coupon/switch',
  summary: 'Switches a coupon of accounts on or off. Orders that it is in already keep their price.',
  body: Type.Object({ id: Id, enabled: Type.Boolean() }),
  data: Empty,
  example: ({ accountCoupon: { id } }) => ({ id, enabled: false }),
});

export const end = endpoint({
  ...writing,
  object: { id: 'account_coupon' },
  confirm: true,
  path: '/api/v3/install/coupon/end',
  summary: 'Ends a coupon of accounts at once and for good. Orders that it is in already keep their price.',
  body: Type.Object({ id: Id }),
  data: Empty,
  example: ({ accountCoupon: { id } }) => ({ id }),
});
