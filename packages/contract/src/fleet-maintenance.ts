import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { chosenNetworks } from './fleet-shapes.ts';
import { Empty, Id, ListOf, Time } from './shapes.ts';

/** Once, from a beginning, beside the weekly window. */

const reads = { access: 'user', method: 'POST', permission: 'network.read', effect: 'read' } as const;
const writes = { ...reads, permission: 'network.write', effect: 'write' } as const;

export const maintenanceLimits = { minutes: 30 * 1440, daysAhead: 366, noteLength: 500 } as const;

export const maintenanceCreate = endpoint({
  ...writes,
  object: { gwids: 'network' },
  path: '/api/v3/network/maintenance/create',
  bodyBytes: 48 * 1024,
  summary:
    'Plans a maintenance of networks, from a time (absent: now) for some minutes. No alarm opens in it, and jobs that wait for the maintenance window may run.',
  body: Type.Object({
    ...chosenNetworks,
    begins_at: Type.Optional(Time),
    minutes: Type.Integer({ minimum: 15, maximum: maintenanceLimits.minutes }),
    note: Type.Optional(Type.String({ maxLength: maintenanceLimits.noteLength })),
  }),
  data: Type.Object({
    list: Type.Array(Type.Object({ id: Id, gwid: Id, name: Type.String() })),
    begins_at: Time,
    ends_at: Time,
  }),
  example: (seed) => ({ gwids: [seed.network.gwid], minutes: 60 }),
});

export const maintenanceList = endpoint({
  ...reads,
  object: { gwid: 'network' },
  path: '/api/v3/network/maintenance/list',
  summary: 'The planned maintenance of a network that is coming or goes on, the earliest first.',
  body: Type.Object({ gwid: Id }),
  data: ListOf(
    Type.Object({
      id: Id,
      begins_at: Time,
      ends_at: Time,
      open: Type.Boolean(),
      note: Type.String(),
      person: Type.String(),
      created_at: Time,
    }),
  ),
  example: (seed) => ({ gwid: seed.network.gwid }),
});

export const maintenanceEnd = endpoint({
  ...writes,
  object: { ids: 'maintenance' },
  path: '/api/v3/network/maintenance/end',
  bodyBytes: 48 * 1024,
  summary: 'Ends planned maintenance: one that goes on ends now, one that is coming is deleted. A past one stays.',
  body: Type.Object({ ids: Type.Array(Id, { minItems: 1, maxItems: 1000, uniqueItems: true }) }),
  data: Empty,
  example: (seed) => ({ ids: [seed.maintenance.id] }),
});
