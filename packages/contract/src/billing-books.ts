import { Type } from 'typebox';
import { currencies } from './billing-orders.ts';
import { endpoint } from './endpoint.ts';
import { Empty, Id, ListOf, ListQuery, Nullable, Time, Words } from './shapes.ts';

export const ledgers = [
  'balance',
  'recharged',
  'frozen',
  'income',
  'cash',
  'sms',
  'expense',
  'external',
  'deferred',
  'earned',
] as const;

const reading = { access: 'user', method: 'POST', permission: 'billing.read', effect: 'read', object: {} } as const;

const Amount = Type.String({ description: 'two decimals' });
/** `YYYY-MM` in the account's time zone. */
const Month = Type.String({ pattern: '^20\\d\\d-(0[1-9]|1[0-2])$', maxLength: 7, hint: 'month' });

export const trialBalance = endpoint({
  ...reading,
  path: '/api/v3/billing/books/trial_balance',
  summary: 'Opening balance, debits, credits and closing balance of each ledger in a month; debits are positive.',
  body: Type.Object({ month: Type.Optional(Month) }),
  data: Type.Object({
    /** The one asked for, else the last month of the account's time zone, or this one if nothing was booked before it. */
    month: Type.String(),
    current_month: Type.String(),
    from: Time,
    to: Time,
    /** Of the first booking; null: none. */
    first_month: Nullable(Type.String()),
    closed: Nullable(Type.Object({ at: Time, by: Type.String() })),
    /** The month is over, and neither it nor a later one is closed. */
    closable: Type.Boolean(),
    list: Type.Array(
      Type.Object({
        currency: Words(currencies),
        ledger: Words(ledgers),
        opening: Amount,
        debit: Amount,
        credit: Amount,
        closing: Amount,
      }),
    ),
    /** Of all ledgers; balanced books close at 0.00. */
    sums: Type.Array(
      Type.Object({ currency: Words(currencies), opening: Amount, debit: Amount, credit: Amount, closing: Amount }),
    ),
  }),
  example: () => ({ month: '2026-10' }),
});

export const journal = endpoint({
  ...reading,
  path: '/api/v3/billing/books/journal',
  summary: 'Journal lines of a month, of one ledger or all. The id of a line never changes.',
  body: Type.Object({
    ...ListQuery(['at', 'debit', 'credit'], {}).properties,
    month: Month,
    ledger: Type.Optional(Words(ledgers)),
    currency: Type.Optional(Words(currencies)),
  }),
  data: ListOf(
    Type.Object({
      /** Booking and number of the line. */
      id: Type.String(),
      transaction_id: Id,
      at: Time,
      /** Key of the kind of booking, and its name in the caller's language. */
      kind: Type.String(),
      title: Type.String(),
      order_no: Nullable(Type.String()),
      network: Nullable(Type.String()),
      currency: Words(currencies),
      ledger: Words(ledgers),
      debit: Nullable(Amount),
      credit: Nullable(Amount),
    }),
  ),
  example: () => ({ month: '2026-10' }),
});

export const closeMonth = endpoint({
  access: 'user',
  method: 'POST',
  permission: 'billing.write',
  effect: 'write',
  object: {},
  path: '/api/v3/billing/books/close',
  summary:
    'Closes the books up to the end of a month that is over for an hour: no later booking enters that time. It cannot be reopened. 4104 if the month is closed.',
  body: Type.Object({ month: Month }),
  data: Empty,
  example: () => ({ month: '2020-01' }),
});
