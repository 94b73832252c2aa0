import { Type } from 'typebox';
import { AlarmRule } from './alarm-rules.ts';
import { alarmKinds, alarmPresets } from './alarms.ts';
import { endpoint } from './endpoint.ts';
import { Empty, Id, Nullable, Serial, Time, Words } from './shapes.ts';

export const backtestLimits = {
  days: 30,
  /** Named in an answer. */
  networks: 5,
} as const;

const reading = { access: 'user', method: 'POST', permission: 'message.read', effect: 'read' } as const;
const writing = { ...reading, permission: 'message.write', effect: 'write' } as const;

const Preset = Words(alarmPresets);
const TestedRule = Type.Object({
  rule: AlarmRule,
  /** A new one, besides the main one. */
  fresh: Type.Optional(Type.Boolean()),
});
const Made = {
  /** Started or returned, without caused ones. */
  alarms: Type.Integer(),
  /** Per start, return and recovery. */
  notices: Type.Integer(),
};

export const simulate = endpoint({
  ...reading,
  object: {},
  // a person tries thresholds one after the other
  limit: { max: 30, windowSeconds: 60 },
  path: '/api/v3/alarm_rule/simulate',
  summary:
    'The alarms that a rule, saved or not, would have made in the last 30 days, and what other tolerances and grouping would make of them. Other rules count as they are saved.',
  body: TestedRule,
  data: Type.Object({
    as_of: Time,
    /** Later than 30 days ago if less is stored. */
    from: Time,
    time_zone: Type.String(),
    /** False: no history of this kind; the rest is empty. */
    tested: Type.Boolean(),
    /** Seconds between values; null: exact times. */
    step: Nullable(Type.Integer()),
    ...Made,
    /** Of the account's calendar, oldest first; empty ones included. */
    days: Type.Array(Type.Object({ day: Type.String(), ...Made })),
    longest: Nullable(
      Type.Object({
        gwid: Id,
        network: Type.String(),
        serial: Nullable(Serial),
        name: Type.String(),
        began_at: Time,
        seconds: Type.Integer(),
        lasts: Type.Boolean(),
      }),
    ),
    /** Most alarms first. */
    networks: Type.Array(Type.Object({ gwid: Id, network: Type.String(), alarms: Type.Integer() })),
    /** Once, twice and four times the tolerance (a minute without one). */
    variants: Type.Array(
      Type.Object({
        /** Seconds. */
        tolerance: Type.Integer(),
        /** False: devices behind a lost gateway or switch raise alarms of their own. */
        grouped: Type.Boolean(),
        ...Made,
      }),
    ),
  }),
  example: () => ({
    rule: {
      kind: 'ap_offline' as const,
      enabled: true,
      level: 'MIDDLE' as const,
      tolerance: 300,
      threshold: null,
      scope: { type: 'all' as const, ids: [] },
    },
  }),
});

export const levels = endpoint({
  ...reading,
  object: {},
  limit: { max: 30, windowSeconds: 60 },
  path: '/api/v3/alarm_rule/levels',
  summary:
    'The past that a threshold is drawn against: for each hour the highest five-minute mean of any device in the scope of the rule, over the time that a simulation of it covers.',
  body: TestedRule,
  data: Type.Object({
    /** Null: no stored history of this kind. */
    curve: Nullable(
      Type.Object({
        from: Time,
        /** Seconds. */
        step: Type.Integer(),
        /** Null: not reported. */
        values: Type.Array(Nullable(Type.Number())),
      }),
    ),
  }),
  example: () => ({
    rule: {
      kind: 'memory_high' as const,
      enabled: true,
      level: 'GENERAL' as const,
      tolerance: 600,
      threshold: 95,
      scope: { type: 'all' as const, ids: [] },
    },
  }),
});

export const presetPreview = endpoint({
  ...reading,
  object: {},
  limit: { max: 10, windowSeconds: 60 },
  path: '/api/v3/alarm_rule/preset/preview',
  summary:
    'What each preset would set, how many alarms it would have made in the last 30 days, and what it overwrites.',
  body: Empty,
  data: Type.Object({
    as_of: Time,
    from: Time,
    /** Of all unchanged rules; null if they differ. */
    current: Nullable(Preset),
    /** Changed by a person: a preset overwrites level, tolerance, threshold. */
    overwrites: Type.Array(Words(alarmKinds)),
    /** Null: the kind is not counted. */
    history: Type.Array(Type.Object({ kind: Words(alarmKinds), from: Nullable(Time) })),
    saved: Type.Object(Made),
    presets: Type.Array(
      Type.Object({
        preset: Preset,
        ...Made,
        rules: Type.Array(
          Type.Object({
            rule: AlarmRule,
            /** Null: no history. */
            alarms: Nullable(Type.Integer()),
          }),
        ),
      }),
    ),
  }),
  example: () => ({}),
});

export const presetApply = endpoint({
  ...writing,
  object: {},
  path: '/api/v3/alarm_rule/preset/apply',
  summary: 'Gives all rules the values of a preset. Their scopes and hours stay.',
  body: Type.Object({ preset: Preset }),
  data: Empty,
  example: () => ({ preset: 'quiet' as const }),
});

export const rulesRestore = endpoint({
  ...writing,
  object: {},
  path: '/api/v3/alarm_rule/restore',
  bodyBytes: 288 * 1024,
  summary: 'Saves several rules in one act, as they were before a preset.',
  body: Type.Object({
    rules: Type.Array(Type.Object({ rule: AlarmRule, preset: Nullable(Preset) }), {
      minItems: 1,
      maxItems: alarmKinds.length,
    }),
  }),
  data: Empty,
  example: () => ({
    rules: [
      {
        rule: {
          kind: 'ap_offline' as const,
          enabled: true,
          level: 'MIDDLE' as const,
          tolerance: 300,
          threshold: null,
          scope: { type: 'all' as const, ids: [] },
        },
        preset: 'normal' as const,
      },
    ],
  }),
});
