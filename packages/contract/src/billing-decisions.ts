import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Empty, Id, Time, Words } from './shapes.ts';

export const decisionKinds = ['order', 'card'] as const;
export type DecisionKind = (typeof decisionKinds)[number];

const reading = { access: 'user', method: 'POST', permission: 'billing.read', effect: 'read', object: {} } as const;
const deciding = {
  ...reading,
  permission: 'billing.write',
  effect: 'write',
  confirm: true,
  object: { id: 'money_decision' },
} as const;
const Yuan = Type.String({ description: 'yuan with two decimals' });

export const list = endpoint({
  ...reading,
  path: '/api/v3/billing/decision/list',
  summary: 'Refunds above the limit of the installation that wait for a second person, oldest first; at most 200.',
  body: Empty,
  data: Type.Object({
    list: Type.Array(
      Type.Object({
        id: Id,
        kind: Words(decisionKinds),
        /** Number of the order, masked code of the card. */
        name: Type.String(),
        amount: Yuan,
        limit: Yuan,
        reason: Type.String(),
        at: Time,
        by: Type.String(),
        /** Requested by the caller, who cannot confirm it. */
        mine: Type.Boolean(),
      }),
    ),
  }),
  example: () => ({}),
});

export const confirm = endpoint({
  ...deciding,
  path: '/api/v3/billing/decision/confirm',
  summary: 'Refunds what another person requested. 4121 for the person who requested it, 4104 once it is decided.',
  body: Type.Object({ id: Id }),
  data: Empty,
  example: ({ decision: { id } }) => ({ id }),
});

export const refuse = endpoint({
  ...deciding,
  path: '/api/v3/billing/decision/refuse',
  summary:
    'Refuses a waiting refund with a reason; the person who requested it withdraws it so. 4104 once it is decided.',
  body: Type.Object({ id: Id, reason: Type.String({ minLength: 1, maxLength: 200, rule: 'required' }) }),
  data: Empty,
  example: ({ decision: { id } }) => ({ id, reason: 'wrong order' }),
});
