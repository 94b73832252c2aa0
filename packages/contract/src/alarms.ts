import { Type } from 'typebox';
import { alarmKinds } from './alarms/kinds/index.ts';
import { endpoint } from './endpoint.ts';
import { alarmLevels, deviceKinds } from './enums.ts';
import { powerSkips, powerStates } from './peripheral-power.ts';
import { Empty, Id, ListOf, ListQuery, Nullable, Serial, Time, Words } from './shapes.ts';

export { type AlarmPreset, alarmPresets } from './alarms/kind.ts';
export { type AlarmKind, alarmKinds } from './alarms/kinds/index.ts';

/** Opened by rules, grouped by cause. */

/** Listed without a rule. */
export const sourcelessAlarms = ['licence_expiring'] as const;

/** `recovered`: by itself, by a person, or uncovered. */
export const alarmStates = ['firing', 'acknowledged', 'silenced', 'recovered'] as const;
export type AlarmState = (typeof alarmStates)[number];

export const alarmEventTypes = [
  'opened',
  'reopened',
  'folded',
  'unfolded',
  'acknowledged',
  'silenced',
  'unsilenced',
  'silence_ended',
  'resolved',
  'recovered',
  'uncovered',
] as const;
export type AlarmEventType = (typeof alarmEventTypes)[number];

export const alarmLimits = {
  toleranceSeconds: 86_400,
  /** 90 days. */
  silenceMinutes: 90 * 1440,
  noteLength: 500,
  scope: 200,
  hours: 7,
  batch: 200,
  /** Besides the main ones. */
  rules: 200,
  detail: 500,
  /** Days and number of earlier incidents. */
  similarDays: 30,
  similar: 10,
} as const;

const reading = { access: 'user', method: 'POST', permission: 'message.read', effect: 'read' } as const;
const writing = { ...reading, permission: 'message.write', effect: 'write' } as const;

const Level = Words(alarmLevels);
const Kind = Words(alarmKinds);
const State = Words(alarmStates);
const Ids = Type.Array(Id, { minItems: 1, maxItems: alarmLimits.batch, uniqueItems: true });
const Note = Type.String({ maxLength: alarmLimits.noteLength });
const Changed = Type.Object({ changed: Type.Integer() });

const Alarm = Type.Object({
  id: Id,
  kind: Kind,
  level: Level,
  state: State,
  /** Null: about the account or the console. */
  gwid: Nullable(Id),
  /** The network's name; empty without one. */
  network: Type.String(),
  /** Null: about the network. */
  serial: Nullable(Serial),
  name: Type.String(),
  device_kind: Nullable(Words(deviceKinds)),
  /** WAN, port, LAN, SD-WAN network, peripheral device, folder; empty: the device. */
  part: Type.String(),
  began_at: Time,
  /** Of the latest occurrence. */
  last_at: Time,
  recovered_at: Nullable(Time),
  /** Closed by a person, but lasting. */
  lasts: Type.Boolean(),
  /** Until recovery or now. */
  seconds: Type.Integer(),
  /** A return within ten minutes adds one. */
  count: Type.Integer(),
  value: Nullable(Type.Number()),
  threshold: Nullable(Type.Number()),
  /** Offline because of it, itself included; other kinds hit one. */
  devices_hit: Type.Integer(),
  /** In last reports; null without one. */
  clients_hit: Nullable(Type.Integer()),
  acknowledged_at: Nullable(Time),
  acknowledged_by: Nullable(Type.String()),
  note: Type.String(),
  assignee: Nullable(Type.Object({ id: Id, name: Type.String() })),
  silenced_until: Nullable(Time),
});

export const list = endpoint({
  ...reading,
  object: { gwid: 'network' },
  path: '/api/v3/alarm/list',
  summary:
    'Incidents that no other incident caused. Without a state: those that have not recovered. Worst and newest first.',
  body: ListQuery(['level', 'began_at', 'seconds', 'devices_hit', 'clients_hit'], {
    level: Type.Optional(Level),
    state: Type.Optional(Words([...alarmStates, 'all'])),
    kind: Type.Optional(Kind),
    gwid: Type.Optional(Id),
    assignee: Type.Optional(Id),
    /** Lasted in this range. */
    from: Type.Optional(Time),
    to: Type.Optional(Time),
  }),
  data: ListOf(Alarm),
  example: () => ({ page: 1, limit: 10 }),
});

export const get = endpoint({
  ...reading,
  object: { id: 'alarm' },
  path: '/api/v3/alarm/detail',
  summary: 'An incident with its timeline, the incidents that it caused, and its cause.',
  body: Type.Object({ id: Id }),
  data: Type.Object({
    alarm: Alarm,
    cause: Nullable(Alarm),
    /** Newest first. */
    timeline: Type.Array(
      Type.Object({
        at: Time,
        type: Words(alarmEventTypes),
        /** Null: the console. */
        person: Nullable(Type.String()),
        note: Nullable(Type.String()),
        /** End of a silence. */
        until: Nullable(Time),
      }),
    ),
    children: Type.Array(Alarm),
    /** Beyond `children` too. */
    children_total: Type.Integer(),
    /** Of the disconnected networks. */
    portals: Type.Array(Type.String()),
    /** The rule that counts for its object now; null: the main one of its kind. */
    rule_id: Nullable(Id),
    /** Restart of the PoE of a peripheral device. */
    power: Nullable(
      Type.Object({
        state: Words(powerStates),
        reason: Nullable(Words(powerSkips)),
        serial: Nullable(Serial),
        switch: Nullable(Type.String()),
        port: Nullable(Type.String()),
        cycled_at: Nullable(Time),
        returned_at: Nullable(Time),
      }),
    ),
  }),
  example: (seed) => ({ id: seed.alarm.id }),
});

export const acknowledge = endpoint({
  ...writing,
  object: { ids: 'alarm' },
  path: '/api/v3/alarm/acknowledge',
  summary: 'Acknowledges incidents, with a note and an assignee. Recovered ones do not change.',
  body: Type.Object({
    ids: Ids,
    note: Type.Optional(Note),
    /** Null removes; absent keeps. */
    assignee: Type.Optional(Nullable(Id)),
  }),
  data: Changed,
  example: (seed) => ({ ids: [seed.alarm.id], note: 'on it' }),
});

export const silence = endpoint({
  ...writing,
  object: { ids: 'alarm' },
  path: '/api/v3/alarm/silence',
  summary: 'Silences incidents for some minutes or until a time. A silence ends by itself.',
  /** One of the two. */
  body: Type.Object({
    ids: Ids,
    minutes: Type.Optional(Type.Integer({ minimum: 1, maximum: alarmLimits.silenceMinutes })),
    until: Type.Optional(Time),
    note: Type.Optional(Note),
  }),
  data: Changed,
  example: (seed) => ({ ids: [seed.alarm.id], minutes: 60 }),
});

export const unsilence = endpoint({
  ...writing,
  object: { ids: 'alarm' },
  path: '/api/v3/alarm/unsilence',
  summary: 'Ends the silence of incidents.',
  body: Type.Object({ ids: Ids }),
  data: Changed,
  example: (seed) => ({ ids: [seed.alarm.id] }),
});

export const resolve = endpoint({
  ...writing,
  object: { ids: 'alarm' },
  path: '/api/v3/alarm/resolve',
  summary:
    'Closes incidents and the incidents that they caused. A problem that still lasts opens no new one before it has ended once.',
  body: Type.Object({ ids: Ids, note: Type.Optional(Note) }),
  data: Changed,
  example: (seed) => ({ ids: [seed.alarm.id] }),
});

export const people = endpoint({
  ...reading,
  object: {},
  path: '/api/v3/alarm/people',
  summary:
    'Possible assignees of alarms: members of the account; for members limited to some networks only themselves.',
  body: Empty,
  data: Type.Object({ list: Type.Array(Type.Object({ id: Id, name: Type.String() })) }),
  example: () => ({}),
});

export const metric = endpoint({
  ...reading,
  object: { id: 'alarm' },
  path: '/api/v3/alarm/metric',
  summary: 'The curve of the metric that an incident is about, from an hour before it until its end or now.',
  body: Type.Object({ id: Id }),
  data: Type.Object({
    /** Null: no stored history. */
    curve: Nullable(
      Type.Object({
        from: Time,
        /** Seconds. */
        step: Type.Integer(),
        /** Means; null: not reported. */
        values: Type.Array(Nullable(Type.Number())),
        threshold: Nullable(Type.Number()),
      }),
    ),
  }),
  example: (seed) => ({ id: seed.alarm.id }),
});

export const similar = endpoint({
  ...reading,
  object: { id: 'alarm' },
  path: '/api/v3/alarm/similar',
  summary:
    'Earlier incidents of the same kind about the same object, of the 30 days before this one, newest first, with how they ended.',
  body: Type.Object({ id: Id }),
  data: ListOf(
    Type.Object({
      id: Id,
      began_at: Time,
      recovered_at: Nullable(Time),
      seconds: Type.Integer(),
      count: Type.Integer(),
      value: Nullable(Type.Number()),
      /** `recovered`: by itself; `uncovered`: the rule no longer covered it. Null: open. */
      end: Nullable(Words(['recovered', 'resolved', 'uncovered'])),
      /** Who resolved it. */
      person: Nullable(Type.String()),
      /** Of the resolution, else of the acknowledgement. */
      note: Type.String(),
    }),
  ),
  example: (seed) => ({ id: seed.alarm.id }),
});

export const counts = endpoint({
  ...reading,
  object: {},
  path: '/api/v3/alarm/stat',
  summary: 'How many incidents without a cause have not recovered, by level and by state.',
  body: Empty,
  data: Type.Object({
    as_of: Time,
    /** Without silenced ones. */
    active: Type.Integer(),
    by_level: Type.Object({
      [alarmLevels[0]]: Type.Integer(),
      [alarmLevels[1]]: Type.Integer(),
      [alarmLevels[2]]: Type.Integer(),
    }),
    firing: Type.Integer(),
    acknowledged: Type.Integer(),
    silenced: Type.Integer(),
  }),
  example: () => ({}),
});
