import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Id, ListOf, ListQuery, Nullable, Time, Words } from './shapes.ts';

export const incomeGroups = ['day', 'month', 'network', 'method'] as const;

const reading = { access: 'user', method: 'POST', permission: 'billing.read', effect: 'read', object: {} } as const;

const Yuan = Type.String({ description: 'yuan with two decimals' });
/** Last days of the account's time zone, with today; whole months if grouped by month. */
const span = { group: Words(incomeGroups), days: Type.Integer({ minimum: 1, maximum: 366 }) };

export const list = endpoint({
  ...reading,
  path: '/api/v3/billing/income/list',
  summary:
    'What was sold, in yuan by day, month, network or method of payment, with refunds and fees apart, and what was earned if income is deferred. Play money is left out.',
  body: Type.Object({ ...ListQuery(['key', 'income', 'refunds', 'fees', 'net', 'earned'], {}).properties, ...span }),
  data: Type.Object({
    ...ListOf(
      Type.Object({
        /** Day, month, network, or method; empty: bookings of no network. */
        key: Type.String(),
        name: Nullable(Type.String()),
        income: Yuan,
        refunds: Yuan,
        fees: Yuan,
        /** Income less refunds and fees. */
        net: Yuan,
        /** Income less refunds and what is not earned yet; null by method, and if income was never deferred. */
        earned: Nullable(Yuan),
      }),
    ).properties,
    /** Of all rows. */
    sums: Type.Object({ income: Yuan, refunds: Yuan, fees: Yuan, net: Yuan, earned: Nullable(Yuan) }),
  }),
  example: () => ({ group: 'day' as const, days: 30 }),
});

export const journal = endpoint({
  ...reading,
  path: '/api/v3/billing/income/journal',
  summary: 'Journal lines that a row of the income adds up, newest first.',
  body: Type.Object({ ...ListQuery(['at'], {}).properties, ...span, key: Type.String({ maxLength: 64 }) }),
  data: ListOf(
    Type.Object({
      transaction_id: Id,
      at: Time,
      title: Type.String(),
      order_no: Nullable(Type.String()),
      what: Words(['income', 'refund', 'fee', 'deferral']),
      amount: Yuan,
    }),
  ),
  example: () => ({ group: 'method' as const, days: 30, key: 'sandbox' }),
});
