import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Empty, Id, Nullable } from './shapes.ts';

const setting = {
  access: 'user',
  method: 'POST',
  permission: 'config.write',
  effect: 'write',
  object: { gwid: 'network' },
} as const;

export const secretRenew = endpoint({
  ...setting,
  path: '/api/v3/portal/secret/renew',
  summary:
    'Makes a new secret for the gateway. The earlier one counts until the gateway uses the new one. An edge gateway and managed access points get it by a push.',
  ownTransaction: true,
  body: Type.Object({ gwid: Id }),
  data: Type.Object({ settings: Nullable(Type.String()), job_id: Nullable(Id) }),
  example: ({ portalNetwork: { gwid } }) => ({ gwid }),
});

export const secretEnd = endpoint({
  ...setting,
  path: '/api/v3/portal/secret/end',
  summary: 'Ends the earlier secret of the gateway, which is refused from then on unless it has the new one.',
  body: Type.Object({ gwid: Id }),
  data: Empty,
  example: ({ portalNetwork: { gwid } }) => ({ gwid }),
});

export const settingsReveal = endpoint({
  ...setting,
  permission: 'config.secret',
  path: '/api/v3/portal/settings/reveal',
  summary:
    'Shows the settings of the gateway with its secret, the whitelist and the addresses of now; the operation log records the view. An edge gateway and managed access points have none to enter.',
  ownTransaction: true,
  body: Type.Object({ gwid: Id }),
  data: Type.Object({ settings: Type.String() }),
  example: ({ portalNetwork: { gwid } }) => ({ gwid }),
});
