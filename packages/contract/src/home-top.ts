import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { alarmLevels, deviceStatuses } from './enums.ts';
import { StatusCounts } from './fleet-shapes.ts';
import { Problem } from './home.ts';
import { Empty, Id, Nullable, Time, Words } from './shapes.ts';
import { authSources } from './statistics.ts';

/** First calls of the home page; figures are null without their permission. */

const reads = { access: 'user', method: 'POST', permission: 'network.read', effect: 'read', object: {} } as const;

export const tileLimits = {
  /** More networks are grouped by tag. */
  tiles: 60,
  groups: 60,
} as const;

const Curve = Type.Array(Nullable(Type.Number()));

const Counted = Type.Object({
  ...StatusCounts.properties,
  /** Online, against 24 hours before. */
  change: Nullable(Type.Integer()),
  /** Online 24 hours ago, at each hour since, and now; null in console downtime. */
  curve: Curve,
});

export const strip = endpoint({
  ...reads,
  path: '/api/v3/overview/strip',
  summary:
    'The figures of the account with their change: networks, devices, clients, internet, guests, income of today and open alarms.',
  body: Empty,
  data: Type.Object({
    as_of: Time,
    networks: Counted,
    devices: Counted,
    aps: StatusCounts,
    clients: Nullable(
      Type.Object({
        now: Type.Integer(),
        today: Type.Integer(),
        /** Percent, of the last hour in `curve` against 24 hours before. */
        change: Nullable(Type.Number()),
        /** Mean wireless clients of each of 25 whole hours. */
        curve: Curve,
      }),
    ),
    internet: Nullable(
      Type.Object({
        /** Uplink bytes of 24 hours, both directions; null without a report. */
        bytes: Nullable(Type.Integer()),
        /** Mean of the gateways' worst WANs, 15 minutes. */
        latency_ms: Nullable(Type.Number()),
        loss_percent: Nullable(Type.Number()),
        /** Percent, against the 24 hours before. */
        change: Nullable(Type.Number()),
        /** Bytes of each of 24 whole hours. */
        curve: Curve,
      }),
    ),
    guests: Nullable(
      Type.Object({
        now: Type.Integer(),
        today: Type.Integer(),
        source: Words(authSources),
        /** Sessions of the console's portal, against 24 hours before; null if only devices name guests. */
        change: Nullable(Type.Integer()),
        curve: Curve,
      }),
    ),
    income: Nullable(
      Type.Object({
        /** Yuan, two decimals. */
        today: Type.String({ pattern: '^-?\\d+\\.\\d\\d$' }),
        /** `none` until a guest has paid. */
        source: Words(['none', 'complete']),
        /** Percent, against yesterday until this time. */
        change: Nullable(Type.Number()),
        /** Yuan of each of 14 days, today last. */
        curve: Curve,
      }),
    ),
    alarms: Nullable(
      Type.Object({
        /** Open, without silenced and caused ones. */
        by_level: Type.Object({
          [alarmLevels[0]]: Type.Integer(),
          [alarmLevels[1]]: Type.Integer(),
          [alarmLevels[2]]: Type.Integer(),
        }),
        change: Nullable(Type.Integer()),
        /** Open 24 hours ago, at each hour since, and now. */
        curve: Curve,
      }),
    ),
  }),
  example: () => ({}),
});

const Tile = Type.Object({
  gwid: Id,
  remark: Type.String(),
  status: Words(deviceStatuses),
  /** Of the status; null if unknown. */
  since: Nullable(Time),
  /** The worst, as in `overview/problems`. */
  problem: Nullable(Problem),
  problems: Type.Integer(),
  /** Now; null while offline. */
  clients: Nullable(Type.Integer()),
  /** In the last reports of what has a problem. */
  clients_hit: Nullable(Type.Integer()),
  /** Worst WAN, 15 minutes; null offline, or unmeasured. */
  latency_ms: Nullable(Type.Number()),
  loss_percent: Nullable(Type.Number()),
  /** Mean wireless clients of each of 24 whole hours; null without a report. */
  curve: Curve,
});

export const tiles = endpoint({
  ...reads,
  path: '/api/v3/overview/tiles',
  summary:
    'Networks with their state, those with problems first. Above 60 networks, only those with problems, and all by tag.',
  body: Empty,
  data: Type.Object({
    as_of: Time,
    from: Time,
    total: Type.Integer(),
    troubled: Type.Integer(),
    list: Type.Array(Tile),
    /** Empty up to 60 networks. A network counts with each of its tags; most problems first. */
    groups: Type.Array(
      Type.Object({
        /** Null: networks without tags. */
        tag: Nullable(Type.String()),
        networks: Type.Integer(),
        online: Type.Integer(),
        troubled: Type.Integer(),
        clients: Type.Integer(),
      }),
    ),
    groups_total: Type.Integer(),
  }),
  example: () => ({}),
});
