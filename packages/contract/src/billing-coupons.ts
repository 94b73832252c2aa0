import { Type } from 'typebox';
import { goodsLimits, Name, Yuan } from './billing-goods.ts';
import { endpoint } from './endpoint.ts';
import { Empty, Id, ListOf, ListQuery, Nullable, Time, Words } from './shapes.ts';

export const couponLimits = { coupons: 200, uses: 1_000_000, perPerson: 100 } as const;

const reads = { access: 'user', method: 'POST', permission: 'billing.read', effect: 'read' } as const;
const writes = { access: 'user', method: 'POST', permission: 'billing.write', effect: 'write' } as const;

const Code = Type.String({ pattern: '^[A-Z0-9]{4,16}$', hint: 'couponCode' });
const kinds = ['amount', 'share'] as const;

const terms = {
  /** Takes yuan off, or percent. */
  kind: Words(kinds),
  amount: Yuan,
  percent: Type.Integer({ minimum: 1, maximum: 99 }),
  /** Smallest price that it counts for. */
  min_price: Yuan,
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
    code: Code,
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
