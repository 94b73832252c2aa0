import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Empty, Id, ListOf, ListQuery, Nullable, Time, Words } from './shapes.ts';

const reads = { access: 'user', method: 'POST', permission: 'billing.read', effect: 'read', object: {} } as const;

const Yuan = Type.String({ description: 'yuan with two decimals' });
const Percent = Type.Integer({ minimum: 0, maximum: 100 });

export const list = endpoint({
  ...reads,
  path: '/api/v3/billing/share/list',
  summary: 'Shares of income that the account pays for hosted networks.',
  body: ListQuery(['set_at', 'percent'], {}),
  data: ListOf(
    Type.Object({
      gwid: Id,
      network: Type.String(),
      host: Type.String(),
      percent: Percent,
      set_at: Time,
      /** False: the hosting has ended or no longer has the network. */
      hosted: Type.Boolean(),
    }),
  ),
  example: () => ({}),
});

export const grant = endpoint({
  access: 'user',
  method: 'POST',
  permission: 'billing.write',
  effect: 'write',
  object: { gwid: 'network', hosting_id: 'grant' },
  path: '/api/v3/billing/share/grant',
  summary: 'Sets the share of a network’s income that its host gets each month; 0 ends it, without `hosting_id`.',
  body: Type.Object({ gwid: Id, hosting_id: Type.Optional(Id), percent: Percent }),
  data: Empty,
  example: (seed) => ({ gwid: seed.network.gwid, hosting_id: seed.delegation.id, percent: 20 }),
});

export const settlements = endpoint({
  ...reads,
  path: '/api/v3/billing/share/settlement/list',
  summary: 'Monthly settlements of shares that the account paid or received.',
  body: ListQuery(['at', 'month', 'income', 'percent', 'amount'], {}),
  data: ListOf(
    Type.Object({
      id: Id,
      month: Type.String(),
      side: Words(['paid', 'received']),
      network: Type.String(),
      other: Type.String(),
      income: Yuan,
      percent: Percent,
      amount: Yuan,
      at: Time,
      /** Booking of this account; null: nothing to share. */
      transaction_id: Nullable(Id),
    }),
  ),
  example: () => ({}),
});
