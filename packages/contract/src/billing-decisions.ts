import { Type } from 'typebox';
import { endpoint, inInstallation } from './endpoint.ts';
import { Empty, Id, Nullable, Time, Words } from './shapes.ts';

export const decisionKinds = ['order', 'card', 'member_remove', 'member_update', 'role_update'] as const;
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

const row = {
  id: Id,
  kind: Words(decisionKinds),
  /** Number of the order, masked code of the card. */
  name: Type.String(),
  /** Null for changes. */
  amount: Nullable(Yuan),
  limit: Yuan,
  reason: Type.String(),
  at: Time,
  by: Type.String(),
};

export const list = endpoint({
  ...reading,
  path: '/api/v3/billing/decision/list',
  summary:
    'Refunds above the limit of the installation, and changes of members that leave fewer than two persons to decide, which wait for a second person; oldest first, at most 200.',
  body: Empty,
  data: Type.Object({
    list: Type.Array(
      Type.Object({
        ...row,
        /** Requested by the caller, who cannot confirm it. */
        mine: Type.Boolean(),
        may_confirm: Type.Boolean(),
      }),
    ),
  }),
  example: () => ({}),
});

export const confirm = endpoint({
  ...deciding,
  ownTransaction: true,
  path: '/api/v3/billing/decision/confirm',
  summary:
    'Refunds or changes what another person requested. 4121 for the person who requested it, and for one who could not decide at that time; 4104 once it is decided.',
  body: Type.Object({ id: Id }),
  data: Empty,
  example: ({ decision: { id } }) => ({ id }),
});

export const refuse = endpoint({
  ...deciding,
  path: '/api/v3/billing/decision/refuse',
  summary: 'Refuses what waits with a reason; the person who requested it withdraws it so. 4104 once it is decided.',
  body: Type.Object({ id: Id, reason: Type.String({ minLength: 1, maxLength: 200, rule: 'required' }) }),
  data: Empty,
  example: ({ decision: { id } }) => ({ id, reason: 'wrong order' }),
});

export const orphanList = endpoint({
  ...inInstallation,
  effect: 'read',
  path: '/api/v3/install/decision/list',
  summary:
    "What waits for a second person in accounts where none is left: the installation's administrator may stand in 72 hours after the request.",
  body: Empty,
  data: Type.Object({ list: Type.Array(Type.Object({ ...row, account: Type.String(), from: Time })) }),
  example: () => ({}),
});

export const orphanConfirm = endpoint({
  ...inInstallation,
  effect: 'write',
  confirm: true,
  path: '/api/v3/install/decision/confirm',
  summary:
    'Confirms in place of a second person who is gone; all of the account get a message. 4121 before 72 hours, or while a second person is left.',
  body: Type.Object({ id: Id }),
  data: Empty,
  example: ({ orphanDecision: { id } }) => ({ id }),
});
