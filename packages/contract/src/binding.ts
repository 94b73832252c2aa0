import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Empty, Id, ListOf, ListQuery, Nullable, Serial, Time, Words } from './shapes.ts';

const binds = { access: 'user', method: 'POST', permission: 'network.bind' } as const;

/** `used_up`: device limit; `withdrawn`: by a person. */
export const codeStates = ['active', 'used_up', 'expired', 'withdrawn'] as const;

/** Maximum lifetime and devices. */
export const codeLimits = { days: 365, devices: 1000 } as const;

/** Hours. */
export const decisionHours = { allow: 1, refuse: 24 } as const;

const CodeRow = Type.Object({
  id: Id,
  name: Type.String(),
  code: Type.String(),
  /** Null: unlimited. */
  max_devices: Nullable(Type.Integer()),
  devices: Type.Integer(),
  expires_at: Nullable(Time),
  created_at: Time,
  created_by: Type.String(),
  state: Words(codeStates),
});

export const codeList = endpoint({
  ...binds,
  effect: 'read',
  object: {},
  path: '/api/v3/binding/code/list',
  summary: "Binding codes with a name and limits, newest first. The account's own code is not among them.",
  body: ListQuery([], {}),
  data: ListOf(CodeRow),
  example: () => ({ page: 1, limit: 10 }),
});

export const codeCreate = endpoint({
  ...binds,
  effect: 'write',
  object: {},
  path: '/api/v3/binding/code/create',
  summary: 'Makes a binding code for a number of devices, for some days, or both.',
  body: Type.Object({
    name: Type.String({ rule: 'nameText', minLength: 1, maxLength: 64 }),
    max_devices: Type.Optional(Type.Integer({ minimum: 1, maximum: codeLimits.devices })),
    days: Type.Optional(Type.Integer({ minimum: 1, maximum: codeLimits.days })),
  }),
  data: CodeRow,
  example: () => ({ name: 'Ms-Li', max_devices: 1, days: 7 }),
});

export const codeWithdraw = endpoint({
  ...binds,
  effect: 'write',
  object: { id: 'binding_code' },
  path: '/api/v3/binding/code/withdraw',
  summary: 'Ends a binding code at once. Devices that enrolled with it stay.',
  body: Type.Object({ id: Id }),
  data: Empty,
  example: (seed) => ({ id: seed.bindingCode.id }),
});

export const useList = endpoint({
  ...binds,
  effect: 'read',
  object: { code_id: 'binding_code' },
  path: '/api/v3/binding/use/list',
  summary: 'Enrolments by binding code, newest first, of the last 400 days.',
  body: ListQuery([], { code_id: Type.Optional(Id) }),
  data: ListOf(
    Type.Object({
      at: Time,
      serial: Serial,
      ip: Type.String(),
      /** Null for the account's own code. */
      code_name: Nullable(Type.String()),
    }),
  ),
  example: () => ({ page: 1, limit: 10 }),
});

export const requestList = endpoint({
  ...binds,
  effect: 'read',
  object: {},
  path: '/api/v3/binding/request/list',
  summary:
    'Devices that asked, in the last 24 hours, to enrol again without a proof by their old key: undecided, or allowed and not back yet.',
  body: ListQuery([], {}),
  data: ListOf(
    Type.Object({
      serial: Serial,
      name: Type.String(),
      gwid: Nullable(Id),
      online: Type.Boolean(),
      device_ip: Nullable(Type.String()),
      ip: Type.String(),
      platform: Nullable(Type.String()),
      model: Nullable(Type.String()),
      /** Null for the account's own code. */
      code_name: Nullable(Type.String()),
      asked_at: Time,
      last_at: Time,
      tries: Type.Integer(),
      /** Null before a decision. */
      allowed_until: Nullable(Time),
    }),
  ),
  example: () => ({ page: 1, limit: 10 }),
});

export const requestDecide = endpoint({
  ...binds,
  effect: 'write',
  object: { serial: 'device' },
  path: '/api/v3/binding/request/decide',
  summary:
    'Allows one enrolment of the device from this address within an hour, or refuses it for 24 hours. 4113 when there is no such request.',
  body: Type.Object({ serial: Serial, ip: Type.String({ maxLength: 64 }), decision: Words(['allow', 'refuse']) }),
  data: Empty,
  example: (seed) => ({ ...seed.enrolmentRequest, decision: 'allow' as const }),
});
