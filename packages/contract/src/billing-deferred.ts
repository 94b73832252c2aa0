import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Day, Id, ListOf, ListQuery, Nullable, Time, Words } from './shapes.ts';

export const sources = ['card', 'order'] as const;

const reading = { access: 'user', method: 'POST', permission: 'billing.read', effect: 'read', object: {} } as const;
/** 0: never saved. */
const Version = Type.Integer({ minimum: 0 });
const Amount = Type.String({ description: 'two decimals' });

export const get = endpoint({
  ...reading,
  path: '/api/v3/billing/deferred/get',
  summary:
    'Whether sold cards and packages longer than a month are earned when they are used, what is not earned yet, and what the months brought.',
  body: Type.Object({}),
  data: Type.Object({
    enabled: Type.Boolean(),
    /** Of sales; null: never on. */
    since: Nullable(Time),
    version: Version,
    /** At the end of the last booked day. */
    liability: Amount,
    /** The last 12 months of the account's time zone: what was sold, and what was earned. */
    months: Type.Array(Type.Object({ month: Type.String(), sold: Amount, earned: Amount })),
    /** What the days of the next 12 months earn, of packages that have begun. */
    schedule: Type.Array(Type.Object({ month: Type.String(), amount: Amount })),
  }),
  example: () => ({}),
});

export const save = endpoint({
  ...reading,
  permission: 'billing.write',
  effect: 'write',
  path: '/api/v3/billing/deferred/save',
  summary:
    'Switches deferred income on for what is sold from now on, or off; what is deferred is earned all the same. 4104 if it was changed meanwhile.',
  body: Type.Object({ enabled: Type.Boolean(), version: Version }),
  data: Type.Object({ version: Version }),
  example: () => ({ enabled: true, version: 0 }),
});

export const list = endpoint({
  ...reading,
  path: '/api/v3/billing/deferred/list',
  summary: 'Sold cards and packages that are not earned in full, latest first.',
  body: ListQuery(['sold_at', 'amount', 'remaining'], {}),
  data: ListOf(
    Type.Object({
      id: Id,
      source: Words(sources),
      /** Of the package. */
      name: Type.String(),
      order_no: Nullable(Type.String()),
      /** Last characters of the card's code. */
      code: Nullable(Type.String()),
      network: Nullable(Type.String()),
      amount: Amount,
      remaining: Amount,
      sold_at: Time,
      started_at: Nullable(Time),
      ends_at: Time,
    }),
  ),
  example: () => ({}),
});

export const lines = endpoint({
  ...reading,
  object: { id: 'deferred_item' },
  path: '/api/v3/billing/deferred/lines',
  summary: 'What the bookings of each day contain of one card or package, latest day first.',
  body: Type.Object({ ...ListQuery(['day'], {}).properties, id: Id }),
  data: ListOf(
    Type.Object({
      day: Day,
      /** Of deferred income; negative: earned, or refunded. */
      change: Amount,
      /** Null: the changes of its network came to nothing on that day. */
      transaction_id: Nullable(Id),
      /** Later than the day if its month was closed. */
      booked_at: Nullable(Time),
    }),
  ),
  example: ({ deferredItem: { id } }) => ({ id }),
});
