import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Id, ListOf, ListQuery, Nullable, Time, Words } from './shapes.ts';

export const sources = ['web', 'api', 'device', 'system'] as const;

/** One row of the operation log: who did what to which object, from where, with the values before and after. */
export const OperationRow = Type.Object({
  seq: Type.Integer(),
  time: Time,
  operator: Type.String(),
  /** True when the person acted for this account by hosting. */
  hosted: Type.Boolean(),
  source: Words(sources),
  ip: Nullable(Type.String()),
  action: Type.String(),
  object: Type.Object({ type: Type.String(), id: Type.String(), name: Type.String() }),
  gwid: Nullable(Id),
  result: Words(['success', 'failed']),
  before: Type.Unknown(),
  after: Type.Unknown(),
  job_id: Nullable(Id),
  undoable: Type.Boolean(),
});

export const actionList = endpoint({
  access: 'user',
  permission: 'log.read',
  object: {},
  effect: 'read',
  path: '/api/v3/log/action/list',
  method: 'POST',
  summary: 'The operation log, newest first.',
  body: ListQuery(['time'], {
    action: Type.Optional(Type.String({ maxLength: 64 })),
    object_type: Type.Optional(Type.String({ maxLength: 32 })),
    object_id: Type.Optional(Type.String({ maxLength: 64 })),
    from: Type.Optional(Time),
    to: Type.Optional(Time),
  }),
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
  // reads and hashes all that was ever logged
  limit: { max: 20, windowSeconds: 60 },
  summary: 'Recomputes the hash chain of the operation log and says where it breaks, if it does.',
  body: Type.Object({}),
  data: Type.Object({ rows: Type.Integer(), intact: Type.Boolean(), broken_at: Nullable(Type.Integer()) }),
  example: () => ({}),
});
