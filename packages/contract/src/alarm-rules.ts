import { type Static, Type } from 'typebox';
import { alarmKinds, alarmLimits, alarmPresets, sourcelessAlarms } from './alarms.ts';
import { endpoint } from './endpoint.ts';
import { alarmLevels } from './enums.ts';
import { Empty, Id, Nullable, Words } from './shapes.ts';

/** When a problem becomes an alarm. */

const reading = { access: 'user', method: 'POST', permission: 'message.read', effect: 'read' } as const;
const writing = { ...reading, permission: 'message.write', effect: 'write' } as const;

const Scope = Type.Object({
  type: Words(['all', 'networks', 'groups']),
  /** Empty for `all`. */
  ids: Type.Array(Id, { maxItems: alarmLimits.scope, uniqueItems: true }),
});

/** In the account's time zone. */
const RuleHours = Type.Object({
  /** 1 is Monday. */
  weekdays: Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), { minItems: 1, maxItems: 7, uniqueItems: true }),
  start: Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', hint: 'timeOfDay' }),
  /** May pass midnight. */
  minutes: Type.Integer({ minimum: 15, maximum: 1440 }),
});
export type AlarmRuleHours = Static<typeof RuleHours>;

export const AlarmRule = Type.Object({
  /** Null or absent: the main rule of its kind, for all places without a rule of their own. */
  id: Type.Optional(Nullable(Id)),
  kind: Words(alarmKinds),
  enabled: Type.Boolean(),
  level: Words(alarmLevels),
  /** Seconds before a problem is an alarm. */
  tolerance: Type.Integer({ minimum: 0, maximum: alarmLimits.toleranceSeconds }),
  /** Null for kinds without one. */
  threshold: Nullable(Type.Number()),
  scope: Scope,
  /** Null or absent: always. A problem that lasts at their begin is an alarm. */
  hours: Type.Optional(Nullable(Type.Array(RuleHours, { minItems: 1, maxItems: alarmLimits.hours }))),
});

const { id, kind, ...state } = AlarmRule.properties;

export const list = endpoint({
  ...reading,
  object: {},
  path: '/api/v3/alarm_rule/list',
  summary:
    'The main rule of every kind, with the built-in values where the account has not changed it, followed by its rules for some networks or groups. The most specific counts: network, group, main.',
  body: Empty,
  data: Type.Object({
    time_zone: Type.String(),
    without_source: Type.Array(Words(sourcelessAlarms)),
    list: Type.Array(
      Type.Object({
        /** Without deleted networks and groups. */
        rule: AlarmRule,
        standard: AlarmRule,
        /** By a person. */
        changed: Type.Boolean(),
        /** Null: by a person. */
        preset: Nullable(Words(alarmPresets)),
        /** All of its scope is deleted: no alarms. */
        empty_scope: Type.Boolean(),
      }),
    ),
  }),
  example: () => ({}),
});

export const save = endpoint({
  ...writing,
  object: {},
  path: '/api/v3/alarm_rule/save',
  summary:
    'Changes a rule: with an id that rule, else the main one of its kind; a field that is left out stays. Open incidents that it no longer covers recover; a new level counts for new incidents.',
  key: ['rule.kind'],
  body: Type.Object({ rule: Type.Object({ id, kind, ...Type.Partial(Type.Object(state)).properties }) }),
  data: Empty,
  example: () => ({
    rule: {
      kind: 'ap_offline' as const,
      enabled: true,
      level: 'MIDDLE' as const,
      tolerance: 600,
      threshold: null,
      scope: { type: 'all' as const, ids: [] },
    },
  }),
});

export const create = endpoint({
  ...writing,
  object: {},
  path: '/api/v3/alarm_rule/create',
  summary:
    'Adds a rule for some networks or groups, which counts there instead of the main rule of its kind. A network or group has one rule of a kind.',
  body: Type.Object({ rule: AlarmRule }),
  data: Type.Object({ id: Id }),
  example: (seed) => ({
    rule: {
      kind: 'wan_down' as const,
      enabled: true,
      level: 'FATAL' as const,
      tolerance: 0,
      threshold: null,
      scope: { type: 'networks' as const, ids: [seed.network.gwid] },
    },
  }),
});

export const remove = endpoint({
  ...writing,
  object: { id: 'alarm_rule' },
  path: '/api/v3/alarm_rule/delete',
  summary: 'Deletes a rule for some networks or groups. Main rules are switched off instead.',
  body: Type.Object({ id: Id }),
  data: Empty,
  example: (seed) => ({ id: seed.alarmRule.id }),
});
