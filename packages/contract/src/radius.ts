import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Empty, Id, ListOf, ListQuery, Nullable, Time, Words } from './shapes.ts';

const reads = { access: 'user', method: 'POST', permission: 'config.read', effect: 'read' } as const;
const writes = { access: 'user', method: 'POST', permission: 'config.write', effect: 'write' } as const;

/**
 * RADIUS clients per account; characters; the UDP port of RFC 5176; days that a client counts without a proof; seconds
 * between accounting reports, followed by uspot, CoovaChilli and MikroTik.
 */
export const radiusLimits = {
  clients: 5000,
  name: 64,
  identifier: 64,
  coaPort: 3799,
  unprovenDays: 7,
  interimSeconds: 300,
} as const;

export const radiusGuestRefusals = [
  'unknown_user',
  'account_off',
  'not_over_radius',
  'devices',
  'times',
  'closed',
  'device_blocked',
  'portal_off',
  'too_many',
] as const;
export type RadiusGuestRefusal = (typeof radiusGuestRefusals)[number];

export const radiusRefusals = [
  'wrong_secret',
  'missing_ma',
  'proxy_state',
  'no_password',
  'no_session',
  ...radiusGuestRefusals,
] as const;
export type RadiusRefusal = (typeof radiusRefusals)[number];

/** Accounting that fits no rule. */
export const radiusOddities = ['counter_fell', 'no_octets'] as const;
export type RadiusOddity = (typeof radiusOddities)[number];

const given = {
  name: Type.String({ rule: 'nameText', minLength: 1, maxLength: radiusLimits.name }),
  gwid: Id,
  /** Null: from every address, found by the identifier. */
  source: Nullable(Type.String({ rule: 'ip' })),
  /** NAS-Identifier; null: any. One of both is needed. */
  identifier: Nullable(Type.String({ rule: 'noQuotes', minLength: 1, maxLength: radiusLimits.identifier })),
  /** Switched on by the first valid one, unless an update has changed it before. */
  require_ma: Type.Boolean(),
  /** UDP port for disconnecting guests. */
  coa_port: Type.Integer({ minimum: 1, maximum: 65_535 }),
};

const Secret = Type.Object({ id: Id, secret: Type.String() });

const usual = (gwid: string) => ({
  name: 'Lobby-AP',
  gwid,
  source: '192.0.2.20',
  identifier: null,
  require_ma: false,
  coa_port: radiusLimits.coaPort,
});

export const serverInfo = endpoint({
  ...reads,
  object: {},
  path: '/api/v3/radius/server',
  summary: 'Where gateways send RADIUS to: host and UDP ports of this console; a null port is switched off.',
  body: Empty,
  data: Type.Object({
    host: Type.String(),
    auth_port: Nullable(Type.Integer()),
    acct_port: Nullable(Type.Integer()),
  }),
  example: () => ({}),
});

export const nasList = endpoint({
  ...reads,
  object: { gwid: 'network' },
  path: '/api/v3/radius/nas/list',
  summary: 'RADIUS clients with what they did last; secrets are not given out.',
  body: ListQuery(['name', 'seen_at'], { gwid: Type.Optional(Id) }),
  data: ListOf(
    Type.Object({
      id: Id,
      ...given,
      network: Type.String(),
      /** First proof since secret or source were saved. */
      proven_at: Nullable(Time),
      /** An unproven client counts until then. */
      lapses_at: Nullable(Time),
      seen_at: Nullable(Time),
      refused_at: Nullable(Time),
      refusal: Nullable(Words(radiusRefusals)),
      managed: Type.Boolean(),
      odd_at: Nullable(Time),
      oddity: Nullable(Words(radiusOddities)),
      /** Packets since the client was made. */
      accepted: Type.Integer(),
      rejected: Type.Integer(),
      accounted: Type.Integer(),
    }),
  ),
  example: () => ({ page: 1, limit: 10 }),
});

export const nasCreate = endpoint({
  ...writes,
  object: { gwid: 'network' },
  path: '/api/v3/radius/nas/create',
  summary: 'Makes a RADIUS client and its secret, which is shown once.',
  body: Type.Object(given),
  data: Secret,
  example: (seed) => usual(seed.network.gwid),
});

export const nasUpdate = endpoint({
  ...writes,
  object: { id: 'radius_nas', gwid: 'network' },
  path: '/api/v3/radius/nas/update',
  summary: 'Changes a RADIUS client; its secret stays, and so does a field that is left out.',
  body: Type.Object({ id: Id, ...Type.Partial(Type.Object(given)).properties }),
  data: Empty,
  example: (seed) => ({ id: seed.radiusNas.id, ...usual(seed.network.gwid), name: 'Cafe-AP' }),
});

export const nasRotate = endpoint({
  ...writes,
  object: { id: 'radius_nas' },
  path: '/api/v3/radius/nas/rotate_secret',
  summary: 'Makes a new secret, shown once. The old one ends at once.',
  body: Type.Object({ id: Id }),
  data: Secret,
  example: (seed) => ({ id: seed.radiusNas.id }),
});

export const nasDelete = endpoint({
  ...writes,
  object: { id: 'radius_nas' },
  path: '/api/v3/radius/nas/delete',
  summary: 'Deletes a RADIUS client. Its requests are no longer answered; guests who are online stay.',
  body: Type.Object({ id: Id }),
  data: Empty,
  example: (seed) => ({ id: seed.radiusNas.id }),
});
