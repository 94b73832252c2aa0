import { Type } from 'typebox';
import { endpoint, inInstallation } from './endpoint.ts';
import { paymentProviders } from './payment-fields.ts';
import { Day, FreeText, Id, ListOf, ListQuery, Nullable, Time, Words } from './shapes.ts';

/** Bytes of a statement before base64 encoding, and lines of it that a preview shows. */
export const statementLimits = { bytes: 4 * 1024 * 1024, shown: 200 } as const;
const uploadBytes = 6 * 1024 * 1024;

export const statementProviders = ['alipay', 'wechat', 'stripe'] as const;
export type StatementProvider = (typeof statementProviders)[number];

export const movementKinds = ['payment', 'refund', 'refund_failed', 'dispute', 'withdrawal'] as const;
export type MovementKind = (typeof movementKinds)[number];
/** `bank`: at the installation's bank, without a provider. */
export const movementPlaces = [...paymentProviders, 'bank'] as const;

export const lineResults = ['unmatched', 'differs'] as const;
export type LineResult = (typeof lineResults)[number];

/** What the administrator of the installation keeps books of. */
export const bookKinds = ['receivable', 'transit', 'fee', 'bank', 'unassigned', 'own', 'owed'] as const;
export type BookKind = (typeof bookKinds)[number];

const Yuan = Type.String({ description: 'yuan with two decimals' });
const Amount = Type.String({ pattern: '^-?(0|[1-9]\\d{0,9})(\\.\\d{1,2})?$', hint: 'amount' });
const Word = Type.String({ minLength: 1, maxLength: 64, pattern: '^\\S+$', hint: 'noSpaces' });
const Provider = Words(paymentProviders);

const read = { ...inInstallation, effect: 'read' } as const;
const write = { ...inInstallation, effect: 'write', confirm: true } as const;

const sums = { gross: Yuan, fee: Yuan, net: Yuan };
const line = {
  result: Words(lineResults),
  reference: Type.String(),
  order_no: Type.String(),
  amount: Yuan,
  /** Null: no such movement. */
  ours: Nullable(Yuan),
};

export const overview = endpoint({
  ...read,
  path: '/api/v3/install/clearing/overview',
  summary:
    'What payment providers owe the installation, what is on its way to the bank, fees of this month, and what is owed to accounts against what is held.',
  body: Type.Object({}),
  data: Type.Object({
    providers: Type.Array(
      Type.Object({
        provider: Provider,
        receivable: Yuan,
        /** Payments and refunds in no settlement batch. */
        movements: Type.Integer(),
        oldest_at: Nullable(Time),
        transit: Yuan,
        month_fee: Yuan,
      }),
    ),
    receivable: Yuan,
    transit: Yuan,
    bank: Yuan,
    /** Settled money that belongs to no movement. */
    unassigned: Yuan,
    held: Yuan,
    earned: Yuan,
    recharged: Yuan,
    frozen: Yuan,
    owed: Yuan,
    /** Held less owed. */
    surplus: Yuan,
    covered: Type.Boolean(),
    /** Debits positive, credits negative; they add up to zero. */
    books: Type.Array(Type.Object({ kind: Words(bookKinds), provider: Nullable(Provider), amount: Yuan })),
  }),
  example: () => ({}),
});

export const payoutList = endpoint({
  ...read,
  path: '/api/v3/install/clearing/payout/list',
  summary: 'Settlement batches of payment providers, newest first, and what of them arrived at the bank.',
  body: ListQuery(['day', 'gross', 'fee', 'net'], { provider: Type.Optional(Provider) }),
  data: ListOf(
    Type.Object({
      id: Id,
      provider: Provider,
      number: Type.String(),
      day: Day,
      ...sums,
      /** Part of gross that is no movement. */
      unassigned: Yuan,
      movements: Type.Integer(),
      arrived: Yuan,
      imported: Type.Boolean(),
      at: Time,
      by: Type.String(),
      reversed_at: Nullable(Time),
      reversed_by: Nullable(Type.String()),
    }),
  ),
  example: () => ({}),
});

export const payoutCreate = endpoint({
  ...write,
  path: '/api/v3/install/clearing/payout/create',
  summary:
    'Books a settlement batch by hand, with all movements of some days that are in no batch. A number that is booked already answers its batch. 422 beside `gross` if it is another sum than that of the movements, unless `difference` allows it.',
  body: Type.Object({
    provider: Provider,
    number: Word,
    day: Day,
    gross: Amount,
    fee: Amount,
    /** Days of the movements, in the provider's time zone. */
    first_day: Day,
    last_day: Day,
    difference: Type.Optional(Type.Boolean()),
  }),
  data: Type.Object({ id: Id, movements: Type.Integer() }),
  example: () => ({
    provider: 'alipay' as const,
    number: '20261126',
    day: '2026-11-27',
    gross: '100.00',
    fee: '0.60',
    first_day: '2026-11-26',
    last_day: '2026-11-26',
    difference: true,
  }),
});

export const payoutReverse = endpoint({
  ...write,
  object: { id: 'clearing_payout' },
  path: '/api/v3/install/clearing/payout/reverse',
  summary:
    'Reverses a settlement batch: its movements are in no batch again. 4104 if it is reversed, or arrived at the bank.',
  body: Type.Object({ id: Id }),
  data: Type.Object({}),
  example: ({ clearing }) => ({ id: clearing.payoutId }),
});

export const lineList = endpoint({
  ...read,
  path: '/api/v3/install/clearing/line/list',
  summary: 'Lines of imported statements that are no movement, or have another amount.',
  body: ListQuery(['day', 'amount'], { result: Type.Optional(Words(lineResults)) }),
  data: ListOf(Type.Object({ id: Type.String(), provider: Provider, number: Type.String(), day: Day, ...line })),
  example: () => ({}),
});

export const movementList = endpoint({
  ...read,
  path: '/api/v3/install/clearing/movement/list',
  summary: 'Payments, refunds and withdrawals of all accounts that moved money of the installation, newest first.',
  body: ListQuery(['at', 'amount'], {
    provider: Type.Optional(Words(movementPlaces)),
    settled: Type.Optional(Type.Boolean()),
  }),
  data: ListOf(
    Type.Object({
      id: Type.String(),
      account: Type.String(),
      provider: Words(movementPlaces),
      kind: Words(movementKinds),
      order_no: Type.String(),
      amount: Yuan,
      at: Time,
      /** Number of its settlement batch. */
      payout: Nullable(Type.String()),
    }),
  ),
  example: () => ({}),
});

export const arrivalList = endpoint({
  ...read,
  path: '/api/v3/install/clearing/arrival/list',
  summary: 'Settlements that arrived at the bank, and own money of the installation there, newest first.',
  body: ListQuery(['day', 'amount'], { provider: Type.Optional(Provider) }),
  data: ListOf(
    Type.Object({
      id: Id,
      day: Day,
      reference: Type.String(),
      amount: Yuan,
      provider: Nullable(Provider),
      payout: Nullable(Type.String()),
      at: Time,
      by: Type.String(),
      reversed_at: Nullable(Time),
      reversed_by: Nullable(Type.String()),
    }),
  ),
  example: () => ({}),
});

export const arrivalCreate = endpoint({
  ...write,
  path: '/api/v3/install/clearing/arrival/create',
  summary:
    'Books what arrived at the bank from a payment provider, for one settlement batch if it is named; without a provider, own money that was paid in or (negative) taken out. A reference that is booked already answers its arrival.',
  body: Type.Object({
    provider: Nullable(Provider),
    payout: Type.Optional(Word),
    day: Day,
    reference: FreeText(100),
    amount: Amount,
  }),
  data: Type.Object({ id: Id }),
  example: () => ({ provider: null, day: '2026-11-27', reference: 'Opening balance', amount: '1000.00' }),
});

export const arrivalReverse = endpoint({
  ...write,
  object: { id: 'clearing_arrival' },
  path: '/api/v3/install/clearing/arrival/reverse',
  summary: 'Reverses an arrival that was entered by mistake. 4104 if it is reversed.',
  body: Type.Object({ id: Id }),
  data: Type.Object({}),
  example: ({ clearing }) => ({ id: clearing.arrivalId }),
});

const Statement = Type.Object({
  provider: Words(statementProviders),
  file: Type.String({ minLength: 1, maxLength: uploadBytes, contentEncoding: 'base64' }),
});
const exampleStatement = () => ({
  provider: 'wechat' as const,
  file: '5Lqk5piT5pe26Ze0LOW+ruS/oeiuouWNleWPtyzllYbmiLforqLljZXlj7cs5Lqk5piT54q25oCBLOW6lOe7k+iuouWNlemHkeminSzllYbmiLfpgIDmrL7ljZXlj7cs6YCA5qy+6YeR6aKdLOmAgOasvueKtuaAgSzmiYvnu63otLkKYDIwMjYtMTEtMjcgMDk6MzA6MDAsYDQyMDAwMDAwMDEsYDI2MTEyNzAwMDAwMDAwMDAwMSxgU1VDQ0VTUyxgOS45MCxgMCxgMC4wMCxgLGAwLjA2Cg==',
});

const Batch = Type.Object({
  number: Type.String(),
  day: Day,
  ...sums,
  matched: Type.Integer(),
  unmatched: Type.Integer(),
  differs: Type.Integer(),
  /** Lines that are in another batch. */
  repeated: Type.Integer(),
  /** Booked already; nothing changes. */
  booked: Type.Boolean(),
});

export const statementPreview = endpoint({
  ...read,
  path: '/api/v3/install/clearing/statement/preview',
  bodyBytes: uploadBytes + 1024,
  limit: { max: 20, windowSeconds: 60 },
  summary:
    'Reads a statement of a payment provider with its fees (CSV, also in zip or gzip, base64) and compares it with the movements; books nothing.',
  body: Statement,
  data: Type.Object({
    batches: Type.Array(Batch),
    lines: Type.Array(Type.Object({ number: Type.String(), ...line })),
    /** Lines beyond those that are shown. */
    more: Type.Integer(),
    /** Lines that the provider has not paid out. */
    pending: Type.Integer(),
  }),
  example: exampleStatement,
});

export const statementImport = endpoint({
  ...write,
  path: '/api/v3/install/clearing/statement/import',
  bodyBytes: uploadBytes + 1024,
  limit: { max: 20, windowSeconds: 60 },
  summary: 'Books the settlement batches of a statement, with fees; those that are booked already stay as they are.',
  body: Statement,
  data: Type.Object({ batches: Type.Array(Batch), booked: Type.Integer() }),
  example: exampleStatement,
});
