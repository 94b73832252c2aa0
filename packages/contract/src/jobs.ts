import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Id, ListOf, ListQuery, Nullable, Time, Words } from './shapes.ts';

export const jobStatuses = [
  'queued',
  'running',
  'waiting_offline',
  'partial',
  'succeeded',
  'failed',
  'cancelled',
  'rolled_back',
] as const;
export type JobStatus = (typeof jobStatuses)[number];

/** Open states first; the others are definite and never change. */
export const jobItemStatuses = [
  'queued',
  'waiting_offline',
  'running',
  'applied',
  'succeeded',
  'rejected',
  'reverted',
  'failed',
  'cancelled',
  'skipped',
] as const;
export type JobItemStatus = (typeof jobItemStatuses)[number];

/** A job with its sums: `done`, `failed`, `skipped` and what is open (`queued`, `running`, `waiting_offline`) are its total. */
export const JobRow = Type.Object({
  id: Id,
  type: Type.String(),
  status: Words(jobStatuses),
  total: Type.Integer(),
  open: Type.Integer(),
  done: Type.Integer(),
  failed: Type.Integer(),
  skipped: Type.Integer(),
  /** Its turn is still to come. */
  queued: Type.Integer(),
  /** Under way, also on a device that has been told and has yet to answer or to come back. */
  running: Type.Integer(),
  waiting_offline: Type.Integer(),
  /** Whom it is about: a network or a device by name (null where it is none, or several), and of how many networks. */
  about: Nullable(Type.String()),
  networks: Type.Integer(),
  operator: Type.String(),
  created_at: Time,
  finished_at: Nullable(Time),
});

export const JobItemRow = Type.Object({
  seq: Type.Integer(),
  serial: Nullable(Type.String()),
  gwid: Nullable(Id),
  name: Type.String(),
  status: Words(jobItemStatuses),
  /** From 0: it begins when the waves before have ended well. */
  wave: Type.Integer(),
  /** A key of the message catalogue (`job.<reason>`) or the device's own words. */
  reason: Nullable(Type.String()),
  /** It is open and no device is about it: cancelling the job ends it. */
  cancellable: Type.Boolean(),
  started_at: Nullable(Time),
  finished_at: Nullable(Time),
});

export const list = endpoint({
  access: 'user',
  permission: 'job.read',
  object: {},
  effect: 'read',
  path: '/api/v3/job/list',
  method: 'POST',
  summary: 'Jobs of the account, newest first.',
  body: ListQuery(['created_at'], { status: Type.Optional(Words(jobStatuses)), open: Type.Optional(Type.Boolean()) }),
  data: ListOf(JobRow),
  example: () => ({ page: 1, limit: 10 }),
});

export const detail = endpoint({
  access: 'user',
  permission: 'job.read',
  object: { job_id: 'job' },
  effect: 'read',
  path: '/api/v3/job/detail',
  method: 'POST',
  summary: 'A job with its items.',
  body: Type.Object({ job_id: Id }),
  data: Type.Intersect([
    JobRow,
    Type.Object({
      /** How its waves follow each other: the rest after each in seconds, and the percentage of bad ones that ends it. */
      plan: Nullable(Type.Object({ rest_s: Type.Integer(), stop_above: Type.Number(), windows: Type.Boolean() })),
      /** Why what was left of a plan was not begun: of so many devices so many ended badly, and which others are unwell. */
      stopped: Nullable(
        Type.Object({
          decided: Type.Integer(),
          bad: Type.Integer(),
          unwell: Type.Array(Type.Object({ seq: Type.Integer(), reason: Type.String() })),
        }),
      ),
      items: Type.Array(JobItemRow),
    }),
  ]),
  example: (world) => ({ job_id: world.job.id }),
});

export const cancel = endpoint({
  access: 'user',
  permission: 'job.write',
  object: { job_id: 'job' },
  effect: 'write',
  path: '/api/v3/job/cancel',
  method: 'POST',
  summary: 'Cancels the items of a job that no device is about; those go on to their end.',
  body: Type.Object({ job_id: Id }),
  data: Type.Object({ cancelled: Type.Integer(), going_on: Type.Integer() }),
  example: (world) => ({ job_id: world.job.id }),
});
