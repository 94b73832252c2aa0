import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { alarmLevels } from './enums.ts';
import { outageCauses } from './fleet-outages.ts';
import { Id, Nullable, Serial, Time, Words } from './shapes.ts';

export const timelineHours = [24, 168, 720] as const;
export type TimelineHours = (typeof timelineHours)[number];

export const timelineLimits = {
  /** Marks. */
  marks: 100,
  /** JSON of all marks; the whole answer stays below 64 KiB. */
  markBytes: 40_000,
} as const;

/** `console`: console down. `restart`, `upgrade`: by job or device. `alarm`: uncaused. */
export const timelineKinds = ['outage', 'console', 'push', 'restart', 'upgrade', 'alarm'] as const;
export type TimelineKind = (typeof timelineKinds)[number];

/** At the gateway's WAN ports, at the radios, or nowhere. */
export const trafficSources = ['wan', 'radio', 'none'] as const;
export type TrafficSource = (typeof trafficSources)[number];

/** Hidden without `job.read`, `log.read`, `message.read`. */
export const hiddenMarks = ['jobs', 'log', 'alarms'] as const;

/** One value a bucket; null is a gap. */
const Line = Type.Array(Nullable(Type.Number()));

export const TimelineMark = Type.Object({
  kind: Words(timelineKinds),
  at: Time,
  /** Null while it lasts; `at` for an event. */
  until: Nullable(Time),
  /** Of an outage. */
  cause: Nullable(Words(outageCauses)),
  /** Those concerned, or on which a job failed. */
  devices: Type.Integer(),
  failed: Type.Integer(),
  /** Null unless it is the only one. */
  serial: Nullable(Serial),
  name: Nullable(Type.String()),
  job_id: Nullable(Id),
  operator: Nullable(Type.String()),
  /** `text` is in the caller's language. */
  alarm: Nullable(Type.Object({ id: Id, level: Words(alarmLevels), text: Type.String() })),
});

export const networkTimeline = endpoint({
  access: 'user',
  method: 'POST',
  permission: 'network.read',
  effect: 'read',
  object: { gwid: 'network' },
  path: '/api/v3/network/timeline',
  summary:
    "A network's traffic, wireless clients, channel utilization, wireless score, WAN latency and loss over 24 hours, 7 or 30 days, with marks of outages, alarms, pushes, restarts and upgrades. At most 100 marks, the newest first.",
  body: Type.Object({
    gwid: Id,
    hours: Type.Unsafe<TimelineHours>({ enum: [...timelineHours] }),
  }),
  data: Type.Object({
    as_of: Time,
    from: Time,
    /** The last bucket may be shorter. */
    to: Time,
    /** Seconds; the first bucket begins at `from`. */
    step_s: Type.Integer(),
    traffic_source: Words(trafficSources),
    /** Mean bit/s. */
    down: Line,
    up: Line,
    /** Mean wireless clients; all null if no radio reported. */
    clients: Line,
    /** Mean busy share, percent. */
    utilization: Type.Object({ '2.4G': Line, '5G': Line, '6G': Line }),
    /** Of the radios, 0 to 100, as wireless/score without `load` and `availability`. */
    score: Line,
    /** Mean of the worst WAN that is up, by gateway: milliseconds and percent. */
    latency: Line,
    loss: Line,
    /** Newest first, by beginning. */
    marks: Type.Array(TimelineMark),
    /** Older, unlisted ones. */
    left_out: Type.Integer(),
    hidden: Type.Array(Words(hiddenMarks)),
  }),
  example: (seed) => ({ gwid: seed.network.gwid, hours: 24 as const }),
});
