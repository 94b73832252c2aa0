import { Type } from 'typebox';
import { AlarmRule, alarmKinds, alarmPresets } from './alarms.ts';
import { endpoint } from './endpoint.ts';
import { Empty, Id, Nullable, Serial, Time, Words } from './shapes.ts';

export const backtestLimits = {
  days: 30,
  /** Networks that an answer names. */
  networks: 5,
} as const;

const reading = { access: 'user', method: 'POST', permission: 'message.read', effect: 'read' } as const;
const writing = { ...reading, permission: 'message.write', effect: 'write' } as const;

const Preset = Words(alarmPresets);
const Made = {
  /** Alarms that started or returned, without those under a cause. */
  alarms: Type.Integer(),
  /** One for each start, return and recovery. */
  notices: Type.Integer(),
};

export const simulate = endpoint({
  ...reading,
  object: {},
  limit: { max: 10, windowSeconds: 60 },
  path: '/api/v3/alarm_rule/simulate',
  summary:
    'The alarms that a rule, saved or not, would have made in the last 30 days, and what other tolerances and grouping would make of them. Other rules count as they are saved.',
  body: Type.Object({ rule: AlarmRule }),
  data: Type.Object({
    as_of: Time,
    /** Begin of what was tested: later than 30 days ago where less is stored. */
    from: Time,
    time_zone: Type.String(),
    /** False: no history of this kind is stored; the rest is empty. */
    tested: Type.Boolean(),
    /** Seconds between two values of the history; null if it has exact times. */
    step: Nullable(Type.Integer()),
    ...Made,
    /** Days of the account's calendar, oldest first; days without an alarm included. */
    days: Type.Array(Type.Object({ day: Type.String(), ...Made })),
    longest: Nullable(
      Type.Object({
        gwid: Id,
        network: Type.String(),
        serial: Nullable(Serial),
        name: Type.String(),
        began_at: Time,
        seconds: Type.Integer(),
        /** It lasts until now. */
        lasts: Type.Boolean(),
      }),
    ),
    /** Networks with the most alarms. */
    networks: Type.Array(Type.Object({ gwid: Id, network: Type.String(), alarms: Type.Integer() })),
    /** The tolerance of the rule (one minute where it has none) once, twice and four times. */
    variants: Type.Array(
      Type.Object({
        /** Seconds. */
        tolerance: Type.Integer(),
        /** False: what a lost gateway or switch took away are alarms of their own. */
        grouped: Type.Boolean(),
        ...Made,
      }),
    ),
  }),
  example: () => ({
    rule: {
      ...{ kind: 'ap_offline' as const, enabled: true, level: 'MIDDLE' as const, tolerance: 300, threshold: null },
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
    /** The preset of all rules that no person changed; null if they have several. */
    current: Nullable(Preset),
    /** Rules that a person changed: a preset overwrites their level, tolerance and threshold. */
    overwrites: Type.Array(Words(alarmKinds)),
    /** Begin of each kind's stored history; null: the kind is not counted. */
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
  bodyBytes: 224 * 1024,
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
          ...{ kind: 'ap_offline' as const, enabled: true, level: 'MIDDLE' as const, tolerance: 300, threshold: null },
          scope: { type: 'all' as const, ids: [] },
        },
        preset: 'normal' as const,
      },
    ],
  }),
});
