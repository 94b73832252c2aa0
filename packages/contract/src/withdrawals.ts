import { Type } from 'typebox';
import { endpoint, inInstallation } from './endpoint.ts';
import { Empty, FreeText, Id, ListOf, ListQuery, Nullable, Time, Words } from './shapes.ts';

export const withdrawalStates = ['requested', 'approved', 'paid', 'refused'] as const;
export type WithdrawalState = (typeof withdrawalStates)[number];

/** `settled`: only money that a settlement batch holds can be withdrawn. */
export const clearingRules = ['off', 'settled'] as const;

/** Yuan with at most two decimals; ten digits stay far below 2^53 fen. */
const Amount = Type.String({ pattern: '^(0|[1-9]\\d{0,9})(\\.\\d{1,2})?$', hint: 'amount' });
const Yuan = Type.String({ description: 'yuan with two decimals' });

/** `fee_rate`: hundredths of a percent of the amount. */
const feeRule = {
  min_amount: Amount,
  fee_rate: Type.Integer({ minimum: 0, maximum: 5000 }),
  min_fee: Amount,
};

const row = {
  id: Id,
  amount: Yuan,
  fee: Yuan,
  /** Amount less fee. */
  net: Yuan,
  state: Words(withdrawalStates),
  holder: Type.String(),
  bank_card: Type.String(),
  id_card: Type.String(),
  requested_at: Time,
  requester: Type.String(),
  approved_at: Nullable(Time),
  approver: Nullable(Type.String()),
  settled_at: Nullable(Time),
  settler: Nullable(Type.String()),
  reason: Nullable(Type.String()),
  receipt: Nullable(Type.String()),
};
const filters = { state: Type.Optional(Words(withdrawalStates)) };

const inAccount = { access: 'user', method: 'POST', object: {} } as const;
const deciding = { ...inInstallation, effect: 'write', confirm: true, object: { id: 'withdrawal' } } as const;

export const terms = endpoint({
  ...inAccount,
  permission: 'billing.read',
  effect: 'read',
  path: '/api/v3/billing/withdrawal/terms',
  summary:
    'What can be withdrawn: the earned balance. Also what was recharged and cannot be, what is frozen, and the fee rule of this installation.',
  body: Empty,
  data: Type.Object({
    ...feeRule,
    clearing: Words(clearingRules),
    balance: Yuan,
    recharged: Yuan,
    frozen: Yuan,
    /** Of the balance: paid by guests, not settled by the provider yet. */
    unsettled: Yuan,
    /** Newest payment among it. */
    unsettled_until: Nullable(Time),
  }),
  example: () => ({}),
});

export const list = endpoint({
  ...inAccount,
  permission: 'billing.read',
  effect: 'read',
  path: '/api/v3/billing/withdrawal/list',
  summary: 'Withdrawals of the account, newest first; cards are masked.',
  body: ListQuery(['requested_at', 'amount', 'fee', 'net'], filters),
  data: ListOf(Type.Object(row)),
  example: () => ({ page: 1, limit: 10 }),
});

export const request = endpoint({
  ...inAccount,
  permission: 'billing.write',
  effect: 'write',
  interactive: true,
  // verifies a password
  ownTransaction: true,
  path: '/api/v3/billing/withdrawal/request',
  limit: { max: 20, windowSeconds: 60 },
  summary:
    'Requests a withdrawal and freezes the amount. 4107: above the balance; 4006 and 4009: wrong withdrawal password. A repeated key answers the first request.',
  body: Type.Object({
    key: Id,
    amount: Amount,
    holder: FreeText(60),
    bank_card: Type.String({ maxLength: 40, rule: 'bankCard' }),
    id_card: Type.String({ maxLength: 18, rule: 'idCard' }),
    withdrawal_password: Type.String({ maxLength: 64 }),
  }),
  data: Type.Object({ id: Id }),
  example: () => ({
    key: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
    amount: '10.00',
    holder: '张三',
    bank_card: '6222 0211 1234 5678 901',
    id_card: '11010119900307123X',
    withdrawal_password: '135790',
  }),
});

export const allList = endpoint({
  ...inInstallation,
  effect: 'read',
  object: {},
  path: '/api/v3/install/withdrawal/list',
  summary: 'Withdrawals of all accounts, open ones first, and whether the caller may pay them.',
  body: ListQuery(['requested_at', 'amount', 'fee', 'net'], filters),
  data: ListOf(
    Type.Object({
      ...row,
      account: Type.String(),
      may_pay: Type.Boolean(),
      /** The limit, if the caller approved an amount above it; else null. */
      two_persons_above: Nullable(Yuan),
      /** When the caller may pay it too; null with another administrator. */
      stand_in_at: Nullable(Time),
    }),
  ),
  example: () => ({ page: 1, limit: 10 }),
});

export const payee = endpoint({
  ...deciding,
  path: '/api/v3/install/withdrawal/payee',
  summary: 'Shows the full bank card and ID card for the transfer; leaves a log row.',
  body: Type.Object({ id: Id }),
  data: Type.Object({ holder: Type.String(), bank_card: Type.String(), id_card: Type.String() }),
  example: (seed) => ({ id: seed.withdrawal.id }),
});

export const approve = endpoint({
  ...deciding,
  path: '/api/v3/install/withdrawal/approve',
  summary: 'Approves a withdrawal; 4104 unless it is requested.',
  body: Type.Object({ id: Id }),
  data: Empty,
  example: (seed) => ({ id: seed.withdrawal.id }),
});

export const refuse = endpoint({
  ...deciding,
  path: '/api/v3/install/withdrawal/refuse',
  summary: 'Refuses a requested or approved withdrawal and returns the amount to the balance.',
  body: Type.Object({ id: Id, reason: Type.String({ minLength: 1, maxLength: 200, rule: 'required' }) }),
  data: Empty,
  example: (seed) => ({ id: seed.withdrawal.id, reason: 'Card closed' }),
});

export const pay = endpoint({
  ...deciding,
  path: '/api/v3/install/withdrawal/pay',
  summary:
    'Books an approved withdrawal as paid, with the number of the bank transfer. 4121: above the limit a second person must pay.',
  body: Type.Object({ id: Id, receipt: Type.String({ minLength: 1, maxLength: 100, rule: 'required' }) }),
  data: Empty,
  example: (seed) => ({ id: seed.approvedWithdrawal.id, receipt: 'TR-2026-001' }),
});

const Rule = Type.Object({ ...feeRule, two_persons_above: Nullable(Amount), clearing: Words(clearingRules) });

const Pending = Type.Object({
  two_persons_above: Nullable(Amount),
  at: Time,
  by: Type.String(),
  mine: Type.Boolean(),
  /** When the caller may confirm it too; null with another administrator. */
  stand_in_at: Nullable(Time),
});

export const rule = endpoint({
  ...inInstallation,
  effect: 'read',
  object: {},
  path: '/api/v3/install/withdrawal/rule',
  summary:
    'Minimum, fee and two-person limit of withdrawals, and a looser limit that waits for a second administrator.',
  body: Empty,
  data: Type.Object({ ...Rule.properties, pending: Nullable(Pending) }),
  example: () => ({}),
});

export const saveRule = endpoint({
  ...inInstallation,
  effect: 'write',
  confirm: true,
  object: {},
  path: '/api/v3/install/withdrawal/rule/save',
  summary:
    'Sets minimum, fee and two-person limit of later withdrawals; a field that is left out stays. A higher limit, or none, waits for another administrator.',
  body: Type.Partial(Rule),
  data: Type.Object({ waiting: Type.Boolean() }),
  example: () => ({ min_amount: '1.00', fee_rate: 10, min_fee: '0.10', two_persons_above: '5000.00' }),
});

export const confirmRule = endpoint({
  ...inInstallation,
  effect: 'write',
  confirm: true,
  object: {},
  path: '/api/v3/install/withdrawal/rule/confirm',
  summary:
    'Confirms the looser limit that another administrator asked for; the only administrator may after 72 hours, with a message to all accounts. 4121 for the person who asked, 4104 when none waits.',
  body: Empty,
  data: Empty,
  example: () => ({}),
});

export const refuseRule = endpoint({
  ...inInstallation,
  effect: 'write',
  confirm: true,
  object: {},
  path: '/api/v3/install/withdrawal/rule/refuse',
  summary: 'Refuses or withdraws the looser limit that waits. 4104 when none waits.',
  body: Empty,
  data: Empty,
  example: () => ({}),
});
