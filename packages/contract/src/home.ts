import { Type } from 'typebox';
import { alarmKinds } from './alarms.ts';
import { endpoint } from './endpoint.ts';
import { alarmLevels, deviceStatuses } from './enums.ts';
import { outageCauses } from './fleet-outages.ts';
import { Day, Download, Empty, exportFormats, Id, Nullable, Serial, Time, Words } from './shapes.ts';

/** Calls of the home page; alarms need `message.read`. */

const reads = { access: 'user', method: 'POST', permission: 'network.read', effect: 'read', object: {} } as const;

const Level = Words(alarmLevels);
/** Clients in the last reports of the devices; null if no report said. */
const Clients = Nullable(Type.Integer());

export const homeLimits = {
  /** Networks with problems, problems of each. */
  problems: 20,
  problemsEach: 3,
  /** Networks of a night, planned ones apart. */
  night: 100,
  ranking: 10,
} as const;

export const Problem = Type.Object({
  /** Null: an open alarm does not cover it yet, or no rule does. */
  alarm_id: Nullable(Id),
  kind: Words(alarmKinds),
  level: Nullable(Level),
  /** The device; null for a network, or several devices. */
  serial: Nullable(Serial),
  name: Type.String(),
  part: Type.String(),
  since: Nullable(Time),
  devices: Type.Integer(),
  clients: Clients,
});

export const problems = endpoint({
  ...reads,
  path: '/api/v3/overview/problems',
  summary:
    'Networks with problems now: open alarms without a cause, and lost connections that no alarm covers; silenced alarms and maintenance left out. The worst level first, then the most clients, then the longest.',
  body: Empty,
  data: Type.Object({
    as_of: Time,
    list: Type.Array(
      Type.Object({
        /** Null: problems of the account or the console. */
        gwid: Nullable(Id),
        /** Empty without a network. */
        remark: Type.String(),
        /** The worst. */
        level: Nullable(Level),
        /** Begin of the oldest problem of the worst level; null if unknown. */
        since: Nullable(Time),
        clients: Clients,
        /** Worst and oldest first. */
        problems: Type.Array(Problem),
        total: Type.Integer(),
      }),
    ),
    /** All, and with problems. */
    total: Type.Integer(),
    networks: Type.Integer(),
  }),
  example: () => ({}),
});

/** Console work, or a window. */
export const plannedReasons = ['own', 'maintenance'] as const;
export type PlannedReason = (typeof plannedReasons)[number];

const Trouble = Type.Object({
  /** Null: lost connections. */
  alarm: Nullable(Words(alarmKinds)),
  /** Null for alarms. Devices have their gateway's cause. */
  cause: Nullable(Words(outageCauses)),
  planned: Nullable(Words(plannedReasons)),
  began_at: Time,
  ended_at: Nullable(Time),
  /** With any device affected, without console downtime. */
  seconds: Type.Integer(),
  /** Separate stretches of that time. */
  times: Type.Integer(),
  devices: Type.Integer(),
  /** The gateway, or all devices. */
  whole: Type.Boolean(),
  clients: Clients,
  /** Without a report of clients. */
  clients_unknown: Type.Integer(),
});

const TroubledNetwork = Type.Object({
  gwid: Id,
  remark: Type.String(),
  /** Longest first. */
  troubles: Type.Array(Trouble),
});

const Night = {
  /** Local; 400 days at most; default: today's. */
  night: Type.Optional(Day),
  /** The last 24 hours instead of a night. */
  last_day: Type.Optional(Type.Boolean()),
};

export const nightHours = { from: '22:00', to: '08:00' } as const;

export const night = endpoint({
  ...reads,
  path: '/api/v3/overview/night',
  summary:
    "Outages and problems of a minute or more between 22:00 and 08:00 in the account's time zone, or of the last 24 hours, by network and cause; the longest first.",
  body: Type.Object(Night),
  data: Type.Object({
    as_of: Time,
    /** Morning of the night; null for 24 hours. */
    night: Nullable(Type.String()),
    /** The latest night with data. */
    latest: Type.String(),
    from: Time,
    /** The end, or now. */
    to: Time,
    running: Type.Boolean(),
    list: Type.Array(TroubledNetwork),
    total: Type.Integer(),
    planned: Type.Array(TroubledNetwork),
    planned_total: Type.Integer(),
    /** Networks and devices that had connected before the end. */
    networks: Type.Integer(),
    devices: Type.Integer(),
    /** Console downtime in seconds: nothing was measured. */
    console_s: Type.Integer(),
  }),
  example: () => ({}),
});

export const nightExport = endpoint({
  ...reads,
  limit: { max: 20, windowSeconds: 60 },
  path: '/api/v3/overview/night/export',
  summary: 'A file of all outages and problems of a night, planned ones included.',
  body: Type.Object({ ...Night, format: Words(exportFormats) }),
  data: Download,
  example: () => ({ format: 'csv' as const }),
});

export const ranking = endpoint({
  ...reads,
  path: '/api/v3/overview/ranking',
  summary:
    'The ten networks with the most trouble: open alarms by level, the worst first; then time out of 7 days without planned outages; then name.',
  body: Empty,
  data: Type.Object({
    as_of: Time,
    /** Begin of the first of 24 whole hours. */
    from: Time,
    list: Type.Array(
      Type.Object({
        gwid: Id,
        remark: Type.String(),
        status: Words(deviceStatuses),
        alarms: Type.Object({
          [alarmLevels[0]]: Type.Integer(),
          [alarmLevels[1]]: Type.Integer(),
          [alarmLevels[2]]: Type.Integer(),
        }),
        /** Of 7 days; 100 only without outage; null if unmeasured. */
        availability: Nullable(Type.Number()),
        measured_s: Type.Integer(),
        out_s: Type.Integer(),
        planned_s: Type.Integer(),
        /** Mean wireless clients of each hour; null without a report. */
        clients: Type.Array(Nullable(Type.Number())),
        /** WAN, else radios. */
        traffic: Type.Array(Nullable(Type.Integer())),
      }),
    ),
    total: Type.Integer(),
  }),
  example: () => ({}),
});
