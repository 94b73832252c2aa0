import { Type } from 'typebox';
import { PreviewAnswer } from './configuration.ts';
import { endpoint } from './endpoint.ts';
import { Id, Nullable, Words } from './shapes.ts';

export const gateObstacles = ['captive_keys', 'captive_second'] as const;

const maxSsids = 16;

export const AccessPoints = Type.Object({
  ssids: Type.Array(Id, { minItems: 1, maxItems: maxSsids, uniqueItems: true }),
});

export const GateChoice = Type.Object({
  ssids: Type.Array(
    Type.Object({
      id: Id,
      name: Type.String(),
      vlan: Nullable(Type.Integer()),
      enabled: Type.Boolean(),
      obstacle: Nullable(Words(gateObstacles)),
    }),
  ),
  access_points: Type.Integer(),
  unable: Type.Array(Type.Object({ serial: Type.String(), name: Type.String() })),
});

/** In the order of a push, then of a guest's way. */
export const gateSteps = ['document', 'applied', 'read_back', 'redirect', 'radius'] as const;
export const gateFindings = [
  'fine',
  'unneeded',
  'unable',
  'left_out',
  'no_ssid',
  'waits',
  'offline',
  'refused',
  'not_reported',
  'no_redirect',
  'no_radius',
] as const;
export type GateFinding = (typeof gateFindings)[number];

export const GateCheck = Type.Object({
  serial: Type.String(),
  name: Type.String(),
  steps: Type.Array(
    Type.Object({
      step: Words(gateSteps),
      state: Words(['ok', 'wrong', 'unknown', 'unneeded'] as const),
      finding: Words(gateFindings),
    }),
  ),
});

export const accessPointPreview = endpoint({
  access: 'user',
  method: 'POST',
  permission: 'config.write',
  effect: 'read',
  object: { gwid: 'network' },
  path: '/api/v3/portal/access_point/preview',
  summary:
    'Previews what guest sign-in on these SSIDs would change on each access point of the network. A new secret appears like any other change.',
  body: Type.Object({ gwid: Id, template_id: Id, ...AccessPoints.properties }),
  data: PreviewAnswer,
  example: ({ portalNetwork: { gwid }, portalTemplate: { id } }) => ({ gwid, template_id: id, ssids: [gwid] }),
});
