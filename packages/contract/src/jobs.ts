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

/** Open first; others are final. */
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

/** The counts of all states add up to the total. */
export const JobRow = Type.Object({
  id: Id,
  type: Type.String(),
  /** Why, where the type alone says too little: `port_cycled` is a restart of PoE. */
  cause: Nullable(Type.String()),
  status: Words(jobStatuses),
  total: Type.Integer(),
  open: Type.Integer(),
  done: Type.Integer(),
  failed: Type.Integer(),
  skipped: Type.Integer(),
  queued: Type.Integer(),
  /** Includes sent commands without an answer. */
  running: Type.Integer(),
  waiting_offline: Type.Integer(),
  /** Null: none or several; number of networks. */
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
  /** Starts after the previous waves succeeded. */
  wave: Type.Integer(),
  /** Catalogue key (`job.<reason>`) or device wording. */
  reason: Nullable(Type.String()),
  /** No device executes it. */
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
  summary: 'Jobs of the account, newest first. `total`: how many devices or networks.',
  body: ListQuery(['created_at', 'finished_at', 'total'], {
    status: Type.Optional(Words(jobStatuses)),
    open: Type.Optional(Type.Boolean()),
    /** False hides succeeded console jobs. */
    automatic: Type.Optional(Type.Boolean()),
  }),
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
      /** Seconds between waves, and failure threshold in percent. */
      plan: Nullable(Type.Object({ rest_s: Type.Integer(), stop_above: Type.Number(), windows: Type.Boolean() })),
      /** Failed and total devices, and unhealthy ones. */
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
  example: (seed) => ({ job_id: seed.job.id }),
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
  example: (seed) => ({ job_id: seed.job.id }),
});
