import { Type } from 'typebox';
import { alarmLimits } from './alarms.ts';
import { endpoint } from './endpoint.ts';
import { Empty, Id, Nullable, Time } from './shapes.ts';

/** Old and new alarms of a network, until a time. */

const reading = { access: 'user', method: 'POST', permission: 'message.read', effect: 'read' } as const;
const writing = { ...reading, permission: 'message.write', effect: 'write' } as const;

const SiteSilence = Type.Object({
  gwid: Id,
  until: Time,
  note: Type.String(),
  person: Type.String(),
  created_at: Time,
});

export const siteSilence = endpoint({
  ...reading,
  object: { gwid: 'network' },
  path: '/api/v3/alarm_silence/detail',
  summary: 'The silence of a network; null without one.',
  body: Type.Object({ gwid: Id }),
  data: Type.Object({ silence: Nullable(SiteSilence) }),
  example: (seed) => ({ gwid: seed.network.gwid }),
});

/** One of the two. */
const Length = {
  minutes: Type.Optional(Type.Integer({ minimum: 1, maximum: alarmLimits.silenceMinutes })),
  until: Type.Optional(Time),
};
const Note = Type.Optional(Type.String({ maxLength: alarmLimits.noteLength }));

export const siteSilenceSave = endpoint({
  ...writing,
  object: { gwid: 'network' },
  path: '/api/v3/alarm_silence/save',
  summary:
    'Silences the alarms of a network, the ones that open later included, for some minutes or until a time. Replaces an earlier silence. It ends by itself.',
  body: Type.Object({ gwid: Id, ...Length, note: Note }),
  data: Type.Object({ silence: SiteSilence, changed: Type.Integer() }),
  example: (seed) => ({ gwid: seed.network.gwid, minutes: 60 }),
});

export const siteSilenceCreate = endpoint({
  ...writing,
  object: { gwids: 'network' },
  path: '/api/v3/alarm_silence/create',
  bodyBytes: 48 * 1024,
  summary:
    'Silences the alarms of many networks, as `alarm_silence/save` does for one. Says of each how many open alarms it silenced.',
  body: Type.Object({
    gwids: Type.Array(Id, { minItems: 1, maxItems: 1000, uniqueItems: true }),
    ...Length,
    note: Note,
  }),
  data: Type.Object({
    list: Type.Array(Type.Object({ gwid: Id, name: Type.String(), alarms: Type.Integer() })),
    until: Time,
  }),
  example: (seed) => ({ gwids: [seed.network.gwid], minutes: 60 }),
});

export const siteSilenceEnd = endpoint({
  ...writing,
  object: { gwid: 'network' },
  path: '/api/v3/alarm_silence/end',
  summary: 'Ends the silence of a network, and of the alarms that it silenced.',
  body: Type.Object({ gwid: Id }),
  data: Empty,
  example: (seed) => ({ gwid: seed.network.gwid }),
});
