import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { chosenNetworks } from './fleet-shapes.ts';
import { Empty, Id, Nullable, Serial, Time, Words } from './shapes.ts';

/** One per network and scope, one per device. */

const reads = { access: 'user', method: 'POST', permission: 'network.read', effect: 'read' } as const;
const writes = { ...reads, permission: 'network.reboot', effect: 'write' } as const;

/** `gateway`: all devices where a network has none; `all`: gateway, switches and access points. */
export const networkRestartScopes = ['gateway', 'aps', 'group', 'all'] as const;
export type NetworkRestartScope = (typeof networkRestartScopes)[number];
export const restartScopes = [...networkRestartScopes, 'device'] as const;
export type RestartScope = (typeof restartScopes)[number];

const Weekly = {
  /** 1 is Monday. */
  weekdays: Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), { minItems: 1, maxItems: 7, uniqueItems: true }),
  /** In the account's time zone. */
  start: Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', hint: 'timeOfDay' }),
};
const Scope = {
  /** Absent: `gateway`. */
  scope: Type.Optional(Words(networkRestartScopes)),
  /** Only with the scope `group`. */
  group_id: Type.Optional(Id),
};
const Subject = {
  gwid: Id,
  /** One device; null or absent: devices of the scope. */
  serial: Type.Optional(Nullable(Serial)),
  ...Scope,
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
        scope: Words(restartScopes),
        serial: Nullable(Serial),
        group_id: Nullable(Id),
        /** The device's name, the group's, or the network's. */
        name: Type.String(),
        ...Weekly,
        next_at: Time,
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
  object: { gwid: 'network', serial: 'device', group_id: 'group' },
  key: ['scope'],
  path: '/api/v3/network/restart/save',
  summary:
    'Restarts devices of a network every week: its gateway, all its access points, those of a group, all devices, or one. A field that is left out stays as in the earlier weekly restart; 4104 without one to stay in.',
  body: Type.Object({ ...Subject, ...Type.Partial(Type.Object(Weekly)).properties }),
  data: Type.Object({ next_at: Time }),
  example: (seed) => ({ gwid: seed.network.gwid, weekdays: [1], start: '04:00' }),
});

export const restartResults = ['saved', 'no_device'] as const;

export const restartCreate = endpoint({
  ...writes,
  object: { gwids: 'network', group_id: 'group' },
  path: '/api/v3/network/restart/create',
  bodyBytes: 48 * 1024,
  summary:
    'Restarts devices of many networks every week, instead of an earlier weekly restart of the same scope. Of each network it says `saved`, or `no_device` where the scope has none.',
  body: Type.Object({ ...chosenNetworks, ...Scope, ...Weekly }),
  data: Type.Object({
    list: Type.Array(Type.Object({ gwid: Id, name: Type.String(), result: Words(restartResults) })),
    next_at: Time,
  }),
  example: (seed) => ({ gwids: [seed.network.gwid], scope: 'aps' as const, weekdays: [1], start: '04:00' }),
});

export const restartDelete = endpoint({
  ...writes,
  object: { gwid: 'network', serial: 'device', group_id: 'group' },
  path: '/api/v3/network/restart/delete',
  summary: 'Ends a weekly restart of a network, or of one of its devices.',
  body: Type.Object(Subject),
  data: Empty,
  example: (seed) => ({ gwid: seed.network.gwid }),
});
