import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Empty, Time } from './shapes.ts';

export const balance = endpoint({
  access: 'user',
  method: 'POST',
  permission: 'billing.read',
  effect: 'read',
  object: {},
  path: '/api/v3/billing/balance',
  summary:
    'What the account owns here: its balance by the ledger, in yuan, and how many coupons and recharge cards it can use.',
  body: Empty,
  data: Type.Object({
    as_of: Time,
    balance: Type.String({ description: 'yuan with two decimals; earned and recharged' }),
    earned: Type.String({ description: 'what can be withdrawn; spent first' }),
    recharged: Type.String({ description: 'goes back to its source only; spent last' }),
    play_balance: Type.String({
      description: 'play money of the sandbox, with two decimals; buys and withdraws nothing',
    }),
    coupons: Type.Integer(),
    cards: Type.Integer(),
  }),
  example: () => ({}),
});
