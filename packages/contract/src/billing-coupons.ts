import { Type } from 'typebox';
import { goodsLimits, Name, Yuan } from './billing-goods.ts';
import { CouponCode } from './billing-orders.ts';
import { endpoint } from './endpoint.ts';
import { Day, Empty, Id, ListOf, ListQuery, Nullable, Time, Version, Words } from './shapes.ts';

export const couponLimits = { coupons: 200, uses: 1_000_000, perPerson: 100 } as const;

const reads = { access: 'user', method: 'POST', permission: 'billing.read', effect: 'read' } as const;
const writes = { access: 'user', method: 'POST', permission: 'billing.write', effect: 'write' } as const;

/** What an account pays with a coupon. */
export const couponGoods = ['sms', 'sdwan_package'] as const;
export type CouponGoods = (typeof couponGoods)[number];

const kinds = ['amount', 'share'] as const;

export const discount = {
  /** Takes yuan off, or percent. */
  kind: Words(kinds),
  amount: Yuan,
  percent: Type.Integer({ minimum: 1, maximum: 99 }),
  /** Smallest price that it counts for. */
  min_price: Yuan,
};

/** As lists show it. */
export const couponState = {
  enabled: Type.Boolean(),
  version: Version,
  ended_at: Nullable(Time),
  created_at: Time,
  until: Time,
  used: Type.Integer(),
  taken_off: Type.String(),
};

const terms = {
  ...discount,
  /** Uses per device; 0: no limit. */
  per_person: Type.Integer({ minimum: 0, maximum: couponLimits.perPerson }),
  /** Uses of all; 0: no limit. */
  max_uses: Type.Integer({ minimum: 0, maximum: couponLimits.uses }),
  /** Networks whose sign-in page takes it; null: all. */
  gwids: Nullable(Type.Array(Id, { minItems: 1, maxItems: 500, uniqueItems: true })),
};

export const list = endpoint({
  ...reads,
  object: {},
  path: '/api/v3/billing/coupon/list',
  summary: 'Coupons of guests, with how often each was used and what it took off, in yuan.',
  body: ListQuery(['created_at', 'code', 'until', 'used', 'min_price', 'per_person', 'taken_off'], {}),
  data: ListOf(
    Type.Object({
      id: Id,
      name: Type.String(),
      code: Type.String(),
      ...terms,
      enabled: Type.Boolean(),
      version: Version,
      ended_at: Nullable(Time),
      created_at: Time,
      until: Time,
      used: Type.Integer(),
      taken_off: Type.String(),
    }),
  ),
  example: () => ({}),
});

export const create = endpoint({
  ...writes,
  object: { gwids: 'network' },
  path: '/api/v3/billing/coupon/create',
  bodyBytes: 20 * 1024,
  summary: 'Creates a coupon, which guests enter when they buy a package; 4105 when its code is taken.',
  body: Type.Object({
    name: Name,
    code: CouponCode,
    ...terms,
    valid_days: Type.Integer({ minimum: 1, maximum: goodsLimits.validDays }),
  }),
  data: Type.Object({ id: Id }),
  example: () => ({
    name: 'Autumn',
    code: 'AUTUMN26',
    kind: 'amount' as const,
    amount: '2.00',
    percent: 10,
    min_price: '5.00',
    per_person: 1,
    max_uses: 0,
    gwids: null,
    valid_days: 30,
  }),
});

export const turn = endpoint({
  ...writes,
  object: { id: 'coupon' },
  path: '/api/v3/billing/coupon/switch',
  summary: 'Switches a coupon on or off. Orders that it is in already keep their price.',
  body: Type.Object({ id: Id, enabled: Type.Boolean() }),
  data: Empty,
  example: (seed) => ({ id: seed.coupon.id, enabled: false }),
});

export const save = endpoint({
  ...writes,
  object: { id: 'coupon', gwids: 'network' },
  path: '/api/v3/billing/coupon/save',
  bodyBytes: 20 * 1024,
  key: ['id'],
  summary:
    'Changes a coupon. 422 for another code or discount of one that was used, and for an end that is over; 4104 for an outdated version, and for one that was ended.',
  body: Type.Object({
    id: Id,
    version: Version,
    name: Name,
    code: CouponCode,
    ...terms,
    /** Last day in the time zone of the account; stays when missing. */
    until: Type.Optional(Day),
  }),
  data: Empty,
  example: (seed) => ({
    id: seed.coupon.id,
    version: 1,
    name: 'LateAutumn',
    code: 'SPRING26',
    kind: 'share' as const,
    amount: '0',
    percent: 10,
    min_price: '0',
    per_person: 1,
    max_uses: 10,
    gwids: null,
    until: '2036-11-20',
  }),
});

export const end = endpoint({
  ...writes,
  object: { id: 'coupon' },
  confirm: true,
  path: '/api/v3/billing/coupon/end',
  summary: 'Ends a coupon at once and for good. Orders that it is in already keep their price.',
  body: Type.Object({ id: Id }),
  data: Empty,
  example: (seed) => ({ id: seed.coupon.id }),
});

/** SD-WAN order: earlier attempts to pay it are no other use. */
const Item = Type.Optional(Type.String({ maxLength: 64 }));

export const usable = endpoint({
  ...reads,
  object: {},
  path: '/api/v3/billing/coupon/usable',
  summary: 'Coupons for orders of the account itself that it can use now, the one that ends first leading.',
  body: Type.Object({ item: Item }),
  data: Type.Object({
    list: Type.Array(
      Type.Object({
        name: Type.String(),
        code: Type.String(),
        ...discount,
        goods: Type.Array(Words(couponGoods)),
        /** Uses that the account has left; null: no limit. */
        left: Nullable(Type.Integer()),
        until: Time,
      }),
    ),
  }),
  example: () => ({}),
});

export const quote = endpoint({
  ...reads,
  object: {},
  path: '/api/v3/billing/coupon/quote',
  summary: 'What a coupon takes off a price of the account, in yuan; 422 with the reason if it does not count.',
  body: Type.Object({ coupon: CouponCode, goods: Words(couponGoods), price: Yuan, item: Item }),
  data: Type.Object({ taken_off: Type.String(), price: Type.String() }),
  example: (seed) => ({ coupon: seed.accountCoupon.code, goods: 'sms' as const, price: '10' }),
});
