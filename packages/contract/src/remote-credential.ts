import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Empty, FreeText, Id, Nullable, Time, Words } from './shapes.ts';

/** Characters. */
export const remoteCredentialLimits = { user: 64, password: 1024, key: 12_000 } as const;
export const remoteCredentialKinds = ['password', 'key'] as const;

const calls = {
  access: 'user',
  method: 'POST',
  permission: 'remote.use',
  interactive: true,
  object: { peripheral_id: 'peripheral' },
} as const;
/** 0: none is kept. */
const KeptVersion = Type.Integer({ minimum: 0 });
const Secret = Type.String({ minLength: 1, maxLength: remoteCredentialLimits.password });

export const detail = endpoint({
  ...calls,
  effect: 'read',
  path: '/api/v3/remote/credential/detail',
  summary: 'The sign-in that is kept for SSH to a peripheral device, without its secret.',
  body: Type.Object({ peripheral_id: Id }),
  data: Type.Object({
    version: KeptVersion,
    kept: Nullable(
      Type.Object({
        user: Type.String(),
        kind: Words(remoteCredentialKinds),
        set_at: Time,
        set_by: Type.String(),
        /** False: network, address or port have changed since; it is not used. */
        fits: Type.Boolean(),
      }),
    ),
  }),
  example: (seed) => ({ peripheral_id: seed.peripheral.id }),
});

export const save = endpoint({
  ...calls,
  effect: 'write',
  path: '/api/v3/remote/credential/save',
  limit: { max: 10, windowSeconds: 60 },
  bodyBytes: 48 * 1024,
  summary:
    'Keeps a user with a password or with a private key (OpenSSH or PEM), for the present network, address and shell port of the peripheral device; replaces the kept one. Also needs `network.write`. It is never returned. 4104 for another version than the kept one.',
  body: Type.Object({
    peripheral_id: Id,
    version: KeptVersion,
    user: FreeText(remoteCredentialLimits.user),
    password: Type.Optional(Secret),
    key: Type.Optional(Type.String({ minLength: 1, maxLength: remoteCredentialLimits.key })),
    passphrase: Type.Optional(Secret),
  }),
  data: Empty,
  example: (seed) => ({ peripheral_id: seed.peripheral.id, version: 1, user: 'admin', password: 'correct1horse' }),
});

export const remove = endpoint({
  ...calls,
  effect: 'write',
  path: '/api/v3/remote/credential/delete',
  summary: 'Deletes the kept sign-in of a peripheral device. Also needs `network.write`.',
  body: Type.Object({ peripheral_id: Id }),
  data: Empty,
  example: (seed) => ({ peripheral_id: seed.peripheral.id }),
});
