import { Type } from 'typebox';
import { deliveryStates } from './alarm-notices.ts';
import { endpoint } from './endpoint.ts';
import { Name } from './fleet-shapes.ts';
import { Empty, Id, Nullable, Time, Version, Words } from './shapes.ts';

/** A day ends at midnight in the account's time zone; a week is the seven days before sending. */
export const reportPeriods = ['day', 'week'] as const;
export type ReportPeriod = (typeof reportPeriods)[number];

export const reportLimits = {
  reports: 10,
  members: 20,
  keptDays: 90,
} as const;

const reading = { access: 'user', method: 'POST', permission: 'message.read', effect: 'read' } as const;
const writing = { ...reading, permission: 'message.write', effect: 'write' } as const;

const given = {
  name: Name,
  enabled: Type.Boolean(),
  period: Words(reportPeriods),
  /** Day of sending of a weekly report; 1 is Monday. */
  weekday: Type.Integer({ minimum: 1, maximum: 7 }),
  /** Local hour of sending in the account's time zone. */
  hour: Type.Integer({ minimum: 0, maximum: 23 }),
  members: Type.Array(Id, { uniqueItems: true, minItems: 1, maxItems: reportLimits.members }),
};

const Report = Type.Object({
  id: Id,
  version: Version,
  ...given,
  /** Null: disabled. */
  next_at: Nullable(Time),
  /** Deliveries that were made last. */
  last: Type.Array(
    Type.Object({
      test: Type.Boolean(),
      person: Type.String(),
      state: Words(deliveryStates),
      /** In the caller's language. */
      error: Nullable(Type.String()),
      at: Time,
    }),
  ),
});

export const reportList = endpoint({
  ...reading,
  object: {},
  path: '/api/v3/report/list',
  summary: 'Reports by mail. Only for people who see the whole account.',
  body: Empty,
  data: Type.Object({
    list: Type.Array(Report),
    time_zone: Type.String(),
    /** Whether the installation has a mail server; without one no report is sent. */
    mail: Type.Boolean(),
  }),
  example: () => ({}),
});

export const reportSave = endpoint({
  ...writing,
  object: { id: 'report' },
  path: '/api/v3/report/save',
  summary:
    'Makes or changes a report; 4104 when `version` is no longer the newest. It is first sent at the next time that follows the save; each member gets it in the own language, about networks that the member sees.',
  body: Type.Object({
    /** Absent: a new one. */
    id: Type.Optional(Id),
    version: Type.Optional(Version),
    ...given,
  }),
  data: Type.Object({ id: Id }),
  example: (world) => ({
    id: world.report.id,
    version: 1,
    name: 'Morning',
    enabled: true,
    period: 'day' as const,
    weekday: 1,
    hour: 8,
    members: [world.member.id],
  }),
});

export const reportDelete = endpoint({
  ...writing,
  object: { id: 'report' },
  path: '/api/v3/report/delete',
  summary: 'Deletes a report and the record of its deliveries.',
  body: Type.Object({ id: Id }),
  data: Empty,
  example: (world) => ({ id: world.report.id }),
});

export const reportTest = endpoint({
  ...writing,
  object: { id: 'report' },
  path: '/api/v3/report/test',
  summary: 'Sends the report of the latest whole period to its members now, marked as a test.',
  limit: { max: 5, windowSeconds: 60 },
  body: Type.Object({ id: Id }),
  data: Empty,
  example: (world) => ({ id: world.report.id }),
});

export const reportPreview = endpoint({
  ...reading,
  permission: 'network.read',
  object: {},
  path: '/api/v3/report/preview',
  summary:
    "The mail of the latest whole period as HTML, in the caller's language and about the networks that the caller sees.",
  limit: { max: 20, windowSeconds: 60 },
  body: Type.Object({ period: Words(reportPeriods) }),
  data: Type.Object({ subject: Type.String(), html: Type.String() }),
  example: () => ({ period: 'day' as const }),
});
