import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Empty, Id, Nullable, Serial, Time } from './shapes.ts';

/** One per network, one per device. */

const reads = { access: 'user', method: 'POST', permission: 'network.read', effect: 'read' } as const;
const writes = { ...reads, permission: 'network.reboot', effect: 'write' } as const;

const Weekly = {
  /** 1 is Monday. */
  weekdays: Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), { minItems: 1, maxItems: 7, uniqueItems: true }),
  /** In the account's time zone. */
  start: Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', hint: 'timeOfDay' }),
};
const Subject = {
  gwid: Id,
  /** Null or absent: the network's gateway, or all its devices. */
  serial: Type.Optional(Nullable(Serial)),
};

export const restartList = endpoint({
  ...reads,
  object: { gwid: 'network' },
  path: '/api/v3/network/restart/list',
  summary: 'The weekly restarts of a network and of its devices.',
  body: Type.Object({ gwid: Id }),
  data: Type.Object({
    list: Type.Array(
      Type.Object({
        serial: Nullable(Serial),
        /** The device's name, or the network's. */
        name: Type.String(),
        ...Weekly,
        next_at: Time,
        /** The job of the latest restart. */
        job_id: Nullable(Id),
        created_by: Type.String(),
      }),
    ),
    total: Type.Integer(),
    time_zone: Type.String(),
  }),
  example: (seed) => ({ gwid: seed.network.gwid }),
});

export const restartSave = endpoint({
  ...writes,
  object: { gwid: 'network', serial: 'device' },
  path: '/api/v3/network/restart/save',
  summary:
    'Restarts a network or one of its devices every week. A field that is left out stays as in its earlier weekly restart; 4104 without one to stay in.',
  body: Type.Object({ ...Subject, ...Type.Partial(Type.Object(Weekly)).properties }),
  data: Type.Object({ next_at: Time }),
  example: (seed) => ({ gwid: seed.network.gwid, weekdays: [1], start: '04:00' }),
});

export const restartDelete = endpoint({
  ...writes,
  object: { gwid: 'network', serial: 'device' },
  path: '/api/v3/network/restart/delete',
  summary: 'Ends the weekly restart of a network or of one of its devices.',
  body: Type.Object(Subject),
  data: Empty,
  example: (seed) => ({ gwid: seed.network.gwid }),
});
