import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { loggedKinds } from './enums.ts';
import { permissions } from './permissions.ts';
import { Download, exportFormats, Id, Keyword, ListOf, ListQuery, Nullable, Time, Words } from './shapes.ts';

export const sources = ['web', 'api', 'device', 'system'] as const;

const operationFilters = {
  action: Type.Optional(Type.String({ maxLength: 64 })),
  object_type: Type.Optional(Type.String({ maxLength: 32 })),
  object_id: Type.Optional(Type.String({ maxLength: 64 })),
  source: Type.Optional(Words(sources)),
  result: Type.Optional(Words(['success', 'failed'])),
  gwid: Type.Optional(Id),
  token: Type.Optional(Type.String({ maxLength: 64 })),
  seq: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  from: Type.Optional(Time),
  to: Type.Optional(Time),
  /** Their localized text matches the keyword. */
  keyword_actions: Type.Optional(Type.Array(Type.String({ maxLength: 64 }), { maxItems: 200 })),
};

export const OperationRow = Type.Object({
  seq: Type.Integer(),
  time: Time,
  operator: Type.String(),
  /** Made through a delegation. */
  hosted: Type.Boolean(),
  token_name: Nullable(Type.String()),
  source: Words(sources),
  ip: Nullable(Type.String()),
  action: Type.String(),
  object: Type.Object({ type: Words(loggedKinds), id: Type.String(), name: Type.String() }),
  gwid: Nullable(Id),
  result: Words(['success', 'failed']),
  before: Type.Unknown(),
  after: Type.Unknown(),
  job_id: Nullable(Id),
  /** Has an inverse, and its result is unchanged. */
  undoable: Type.Boolean(),
  undo_permission: Nullable(Words(permissions)),
  undoes: Nullable(Type.Integer()),
});

export const actionList = endpoint({
  access: 'user',
  permission: 'log.read',
  object: {},
  effect: 'read',
  path: '/api/v3/log/action/list',
  bodyBytes: 40 * 1024,
  method: 'POST',
  summary: 'The operation log, newest first.',
  body: ListQuery(['time'], operationFilters),
  data: ListOf(OperationRow),
  example: () => ({ page: 1, limit: 10 }),
});

export const actionVerify = endpoint({
  access: 'user',
  permission: 'log.read',
  object: {},
  effect: 'read',
  path: '/api/v3/log/action/verify',
  method: 'POST',
  // reads and hashes the whole log
  limit: { max: 20, windowSeconds: 60 },
  summary: 'Recomputes the hash chain of the operation log and says where it breaks, if it does.',
  body: Type.Object({}),
  ownTransaction: true,
  /** `rows` is null without access to all networks. */
  data: Type.Object({ rows: Nullable(Type.Integer()), intact: Type.Boolean(), broken_at: Nullable(Type.Integer()) }),
  example: () => ({}),
});

/** Of the list; newest first without it. */
const Order = Type.Optional(Words(['asc', 'desc']));

export const actionExport = endpoint({
  access: 'user',
  permission: 'log.read',
  object: {},
  effect: 'read',
  path: '/api/v3/log/action/export',
  bodyBytes: 40 * 1024,
  method: 'POST',
  limit: { max: 20, windowSeconds: 60 },
  summary: 'The operation log as a file, filtered as the list is; the address works once, for 60 s.',
  body: Type.Object({ ...operationFilters, keyword: Keyword, order: Order, format: Words(exportFormats) }),
  data: Download,
  example: () => ({ format: 'csv' as const }),
});

export const actionUndo = endpoint({
  access: 'user',
  permission: 'log.read',
  object: { seq: 'operation' },
  effect: 'write',
  path: '/api/v3/log/action/undo',
  method: 'POST',
  ownTransaction: true,
  summary:
    'Undoes an operation by the inverse that was recorded with it, with the caller’s own permissions; 4104 when the object has changed since, 4116 when it has no inverse.',
  body: Type.Object({ seq: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) }),
  data: Type.Object({ job_id: Nullable(Id) }),
  example: (seed) => ({ seq: seed.undoable.seq }),
});

export const signInActions = ['login', 'logout', 'confirm'] as const;
export const signInMethods = [
  'password',
  'sms',
  'register',
  'qr',
  'passkey',
  'totp',
  'recovery',
  'reset',
  'session',
] as const;

const authFilters = {
  action: Type.Optional(Words(signInActions)),
  method: Type.Optional(Words(signInMethods)),
  result: Type.Optional(Words(['success', 'failed'])),
  person_id: Type.Optional(Id),
  new_place: Type.Optional(Type.Boolean()),
  from: Type.Optional(Time),
  to: Type.Optional(Time),
};

export const authList = endpoint({
  access: 'user',
  permission: 'log.read',
  object: {},
  effect: 'read',
  path: '/api/v3/log/auth/list',
  method: 'POST',
  summary: 'Sign-ins, failed sign-ins and sign-outs, newest first.',
  body: ListQuery(['time'], authFilters),
  data: ListOf(
    Type.Object({
      id: Id,
      time: Time,
      login: Type.String(),
      action: Words(signInActions),
      method: Words(signInMethods),
      ip: Nullable(Type.String()),
      user_agent: Nullable(Type.String()),
      /** Not used by the person for 90 days. */
      new_place: Type.Boolean(),
      result: Words(['success', 'failed']),
      reason: Nullable(Type.String()),
    }),
  ),
  example: () => ({ page: 1, limit: 10 }),
});

export const authExport = endpoint({
  access: 'user',
  permission: 'log.read',
  object: {},
  effect: 'read',
  path: '/api/v3/log/auth/export',
  method: 'POST',
  limit: { max: 20, windowSeconds: 60 },
  summary: 'The sign-in log as a file, filtered as the list is; the address works once, for 60 s.',
  body: Type.Object({ ...authFilters, keyword: Keyword, order: Order, format: Words(exportFormats) }),
  data: Download,
  example: () => ({ format: 'json' as const }),
});
