import { Type } from 'typebox';
import { endpoint, inInstallation } from './endpoint.ts';
import { Empty, Id, ListOf, ListQuery, Nullable, Serial, Time, Words } from './shapes.ts';

export const transferStates = ['waiting', 'moved', 'objected', 'withdrawn'] as const;

const Reason = Type.String({ minLength: 1, maxLength: 200, rule: 'required' });

export const serialFind = endpoint({
  ...inInstallation,
  effect: 'read',
  path: '/api/v3/install/serial/find',
  summary: 'The account that holds a serial, and what stands behind its claim; null when the serial is free.',
  body: Type.Object({ serial: Serial }),
  data: Type.Object({
    holder: Nullable(
      Type.Object({
        account_id: Id,
        account: Type.String(),
        enrolled_at: Time,
        first_connected_at: Nullable(Time),
        /** By factory certificate or administrator. */
        proven_at: Nullable(Time),
        /** The holder may object: a device has connected, and the holder has confirmed it. */
        confirmed: Type.Boolean(),
      }),
    ),
  }),
  example: (seed) => ({ serial: seed.device.serial }),
});

export const serialList = endpoint({
  ...inInstallation,
  effect: 'read',
  path: '/api/v3/install/serial/list',
  summary: 'Moves of serials that the administrator asked for, newest first, with objections and their reasons.',
  body: ListQuery([], {}),
  data: ListOf(
    Type.Object({
      id: Id,
      serial: Serial,
      from: Type.String(),
      /** Null: released. */
      to: Nullable(Type.String()),
      reason: Type.String(),
      asked_at: Time,
      asked_by: Type.String(),
      due_at: Time,
      state: Words(transferStates),
      decided_at: Nullable(Time),
      decided_by: Nullable(Type.String()),
      objection: Nullable(Type.String()),
    }),
  ),
  example: () => ({ page: 1, limit: 10 }),
});

export const serialTransfer = endpoint({
  ...inInstallation,
  effect: 'write',
  confirm: true,
  path: '/api/v3/install/serial/transfer',
  summary:
    'Moves a serial to the account of a binding code, or releases it without one. At once, or after 72 hours if a device has connected, the holder has confirmed it, and does not object. Both accounts get a message and a row in the operation log. 4104 while an earlier move waits, with its `due_at`.',
  body: Type.Object({
    serial: Serial,
    binding_code: Type.Optional(Type.String({ minLength: 1, maxLength: 32 })),
    reason: Reason,
  }),
  data: Type.Object({
    /** Null: it has moved. */
    due_at: Nullable(Time),
  }),
  example: (seed) => ({ serial: seed.device.serial, reason: 'Sold with its shop' }),
});

export const serialWithdraw = endpoint({
  ...inInstallation,
  effect: 'write',
  confirm: true,
  path: '/api/v3/install/serial/withdraw',
  summary: 'Withdraws a move that waits; both accounts read the reason. 4104 when it has moved, or was objected to.',
  body: Type.Object({ id: Id, reason: Reason }),
  data: Empty,
  example: (seed) => ({ id: seed.serialTransfer.id, reason: 'Settled between the shops' }),
});

export const transferList = endpoint({
  access: 'user',
  method: 'POST',
  permission: 'network.bind',
  effect: 'read',
  object: {},
  path: '/api/v3/binding/transfer/list',
  summary: "Devices of the account that the installation's administrator wants to move to another account.",
  body: Empty,
  data: Type.Object({
    list: Type.Array(Type.Object({ id: Id, serial: Serial, reason: Type.String(), asked_at: Time, due_at: Time })),
  }),
  example: () => ({}),
});

export const transferObject = endpoint({
  access: 'user',
  method: 'POST',
  permission: 'network.bind',
  effect: 'write',
  object: { id: 'serial_transfer' },
  path: '/api/v3/binding/transfer/object',
  summary:
    'Objects to the move of a device, which stops it; the administrator and the account that was to get it read the reason. 4104 when it is too late.',
  body: Type.Object({ id: Id, reason: Reason }),
  data: Empty,
  example: (seed) => ({ id: seed.serialTransfer.id, reason: 'Ours since May' }),
});
