import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { peripheralTypes } from './peripherals.ts';
import { Id, Words } from './shapes.ts';

export const powerLimits = { returnMinutes: 5, portHours: 24, portsAtOnce: 3 } as const;

export const powerStates = ['waiting', 'cycled', 'returned', 'failed', 'skipped'] as const;
export type PowerState = (typeof powerStates)[number];

export const powerSkips = [
  'unknown_port',
  'shared',
  'recent',
  'many',
  'switch_offline',
  'no_report',
  'no_poe',
  'poe_off',
  'uplink',
  'refused',
] as const;
export type PowerSkip = (typeof powerSkips)[number];

const rule = {
  enabled: Type.Boolean(),
  types: Type.Array(Words(peripheralTypes), { minItems: 1, maxItems: peripheralTypes.length, uniqueItems: true }),
  version: Type.Integer({ minimum: 0 }),
};

const calls = { access: 'user', method: 'POST', object: { gwid: 'network' } } as const;

export const power = endpoint({
  ...calls,
  permission: 'network.read',
  effect: 'read',
  path: '/api/v3/peripheral/power',
  summary: 'Whether the PoE of peripheral devices of a network is restarted when they go offline, and of which types.',
  body: Type.Object({ gwid: Id }),
  data: Type.Object(rule),
  example: (seed) => ({ gwid: seed.network.gwid }),
});

export const powerSave = endpoint({
  ...calls,
  permission: 'network.write',
  effect: 'write',
  path: '/api/v3/peripheral/power/save',
  summary:
    'Lets the console restart the PoE of a peripheral device once when it goes offline: at most once in 24 h a port, never during maintenance, of an uplink, or when more than three ports of a switch go down at once. 4104 when `version` is no longer the one in force.',
  body: Type.Object({ gwid: Id, ...rule }),
  data: Type.Object({ version: Type.Integer() }),
  example: (seed) => ({ gwid: seed.network.gwid, enabled: true, types: ['camera' as const], version: 0 }),
});
