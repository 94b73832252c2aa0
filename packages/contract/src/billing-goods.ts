import { type Static, Type } from 'typebox';
import { Refunded, Used } from './billing-orders.ts';
import { endpoint } from './endpoint.ts';
import { portalLimits } from './portal-shapes.ts';
import { Empty, FreeText, Id, ListOf, ListQuery, Nullable, Time, Words } from './shapes.ts';

export const goodsLimits = {
  /** Cards of one batch. */
  cards: 10_000,
  soldCards: 1000,
  validDays: 3650,
  devices: 100,
  bytes: 1_125_899_906_842_624,
  packages: 200,
} as const;

export const cardStates = ['unused', 'used', 'void', 'expired', 'refunded'] as const;
export type CardState = (typeof cardStates)[number];

const reads = { access: 'user', method: 'POST', permission: 'billing.read', effect: 'read' } as const;
const writes = { access: 'user', method: 'POST', permission: 'billing.write', effect: 'write' } as const;

export const Name = Type.String({ rule: 'nameText', minLength: 1, maxLength: portalLimits.name });
/** Yuan with at most two decimals. */
export const Yuan = Type.String({ pattern: '^\\d{1,6}(\\.\\d{1,2})?$', hint: 'price' });
const Days = Type.Integer({ minimum: 1, maximum: goodsLimits.validDays });

/** Zero means no limit. */
const terms = {
  /** From the first use. */
  minutes: Type.Integer({ minimum: 0, maximum: 525_600 }),
  bytes: Type.Integer({ minimum: 0, maximum: goodsLimits.bytes }),
  devices: Type.Integer({ minimum: 1, maximum: goodsLimits.devices }),
  up_kbps: Type.Integer({ minimum: 0, maximum: portalLimits.rateKbps }),
  down_kbps: Type.Integer({ minimum: 0, maximum: portalLimits.rateKbps }),
  /** From the purchase. */
  valid_days: Days,
  /** Null: all. */
  gwids: Nullable(Type.Array(Id, { minItems: 1, maxItems: 500, uniqueItems: true })),
};
export const PackageTerms = Type.Object(terms);
export type PackageTerms = Static<typeof PackageTerms>;

const packageFields = { name: Name, price: Yuan, ...terms, enabled: Type.Boolean() };

const dayTerms = {
  minutes: 1440,
  bytes: 0,
  devices: 1,
  up_kbps: 0,
  down_kbps: 20_480,
  valid_days: 30,
  gwids: null,
};

export const packageList = endpoint({
  ...reads,
  object: {},
  path: '/api/v3/billing/package/list',
  summary: 'Packages of guests with their price in yuan, and how many were sold.',
  body: ListQuery(['name', 'created_at', 'price', 'minutes', 'bytes', 'devices', 'valid_days', 'sold'], {}),
  data: ListOf(
    Type.Object({
      id: Id,
      name: Type.String(),
      price: Type.String(),
      ...terms,
      enabled: Type.Boolean(),
      sold: Type.Integer(),
      created_at: Time,
    }),
  ),
  example: () => ({}),
});

export const packageCreate = endpoint({
  ...writes,
  object: { gwids: 'network' },
  path: '/api/v3/billing/package/create',
  bodyBytes: 20 * 1024,
  summary: 'Creates a package; 4105 when its name is taken.',
  body: Type.Object(packageFields),
  data: Type.Object({ id: Id }),
  example: () => ({ name: 'Day', price: '9.90', ...dayTerms, enabled: true }),
});

export const packageSave = endpoint({
  ...writes,
  object: { id: 'package', gwids: 'network' },
  path: '/api/v3/billing/package/save',
  bodyBytes: 20 * 1024,
  summary: 'Changes a package; a field that is left out stays. Sold packages and existing cards keep their terms.',
  body: Type.Object({ id: Id, ...Type.Partial(Type.Object(packageFields)).properties }),
  data: Empty,
  example: (seed) => ({
    id: seed.package.id,
    name: 'Week',
    price: '39.90',
    ...dayTerms,
    enabled: false,
  }),
});

export const packageDelete = endpoint({
  ...writes,
  object: { ids: 'package' },
  path: '/api/v3/billing/package/delete',
  summary: 'Deletes packages. Cards that were made from them stay valid.',
  body: Type.Object({ ids: Type.Array(Id, { minItems: 1, maxItems: 200, uniqueItems: true }) }),
  data: Empty,
  example: (seed) => ({ ids: [seed.package.id] }),
});

const cardCounts = ['total', 'unused', 'sold', 'used', 'voided', 'expired', 'refunded'] as const;

export const batchList = endpoint({
  ...reads,
  object: {},
  path: '/api/v3/recharge_card/batch/list',
  summary: 'Batches of recharge cards with their counts, newest first.',
  body: ListQuery(['created_at', 'face', ...cardCounts], {}),
  data: ListOf(
    Type.Object({
      id: Id,
      name: Type.String(),
      package_name: Type.String(),
      face: Type.String(),
      valid_until: Time,
      created_at: Time,
      created_by: Type.String(),
      total: Type.Integer(),
      unused: Type.Integer(),
      /** Of the unused ones. */
      sold: Type.Integer(),
      used: Type.Integer(),
      voided: Type.Integer(),
      expired: Type.Integer(),
      refunded: Type.Integer(),
    }),
  ),
  example: () => ({}),
});

export const cardGenerate = endpoint({
  ...writes,
  object: { package_id: 'package' },
  path: '/api/v3/recharge_card/generate',
  summary: 'Generates recharge cards for a package. Their codes are in this answer only: the console keeps hashes.',
  limit: { max: 30, windowSeconds: 60 },
  body: Type.Object({
    name: Name,
    package_id: Id,
    /** Yuan: sales price, and income of its sale, at the latest of its use. */
    face: Yuan,
    count: Type.Integer({ minimum: 1, maximum: goodsLimits.cards }),
    prefix: Type.String({ pattern: '^[A-Z0-9]{0,6}$', hint: 'cardPrefix' }),
    /** To redeem. */
    valid_days: Days,
  }),
  data: Type.Object({ id: Id, package_name: Type.String(), codes: Type.Array(Type.String()) }),
  example: (seed) => ({
    name: 'Autumn',
    package_id: seed.package.id,
    face: '9.90',
    count: 2,
    prefix: 'YX',
    valid_days: 90,
  }),
});

export const cardList = endpoint({
  ...reads,
  object: { batch_id: 'card_batch' },
  path: '/api/v3/recharge_card/list',
  summary: 'Recharge cards with masked codes; with the state `used`, the log of redemptions. Last used first.',
  body: ListQuery(['used_at', 'face'], {
    batch_id: Type.Optional(Id),
    state: Type.Optional(Words(cardStates)),
  }),
  data: ListOf(
    Type.Object({
      id: Id,
      batch_id: Id,
      batch: Type.String(),
      code: Type.String(),
      face: Type.String(),
      state: Words(cardStates),
      /** When it was marked as sold, or used. */
      sold_at: Nullable(Time),
      used_at: Nullable(Time),
      /** Where it was redeemed. */
      network: Nullable(Type.Object({ gwid: Id, name: Type.String() })),
    }),
  ),
  example: (seed) => ({ batch_id: seed.cardBatch.id }),
});

export const cardVoid = endpoint({
  ...writes,
  object: { batch_id: 'card_batch', id: 'card' },
  path: '/api/v3/recharge_card/void',
  summary: 'Voids the unused cards of a batch that are not sold, or one of them.',
  body: Type.Object({ batch_id: Id, id: Type.Optional(Id) }),
  data: Type.Object({ voided: Type.Integer() }),
  example: (seed) => ({ batch_id: seed.cardBatch.id }),
});

export const cardSell = endpoint({
  ...writes,
  object: { batch_id: 'card_batch' },
  path: '/api/v3/recharge_card/sell',
  summary:
    'Marks cards of a batch as sold: their price is booked as cash and income now, instead of at their use. 4104 if other cards were sold meanwhile.',
  body: Type.Object({
    batch_id: Id,
    count: Type.Integer({ minimum: 1, maximum: goodsLimits.soldCards }),
    /** Unused cards of the batch that were not sold when the form was opened. */
    unsold: Type.Integer({ minimum: 0 }),
  }),
  data: Type.Object({ sold: Type.Integer() }),
  example: (seed) => ({ batch_id: seed.cardBatch.id, count: 1, unsold: 1 }),
});

export const cardRefund = endpoint({
  ...writes,
  object: { id: 'card' },
  path: '/api/v3/recharge_card/refund',
  summary:
    'Takes the income of a sold or used card back. Guests cannot sign in with it again. 4104 unless it is sold or used. Above the limit of the installation it waits for a second person.',
  body: Type.Object({ id: Id, reason: FreeText(64), used: Type.Optional(Used) }),
  data: Refunded,
  example: (seed) => ({ id: seed.usedCard.id, reason: 'Complaint' }),
});

export const cardStat = endpoint({
  ...reads,
  object: {},
  path: '/api/v3/recharge_card/stat',
  summary: 'Recharge cards of the account by state, and the yuan that the used ones booked as income.',
  body: Empty,
  data: Type.Object({
    unused: Type.Integer(),
    used: Type.Integer(),
    voided: Type.Integer(),
    expired: Type.Integer(),
    refunded: Type.Integer(),
    income: Type.String(),
  }),
  example: () => ({}),
});
