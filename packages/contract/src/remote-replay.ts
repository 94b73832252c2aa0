import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { remoteKinds } from './remote-terminal.ts';
import { Empty, Id, Nullable, Time, Words } from './shapes.ts';

const calls = {
  access: 'user',
  method: 'POST',
  interactive: true,
  effect: 'write',
  object: { id: 'remote_session' },
} as const;

export const replay = endpoint({
  ...calls,
  permission: 'remote.replay',
  path: '/api/v3/remote/recording/replay',
  limit: { max: 30, windowSeconds: 60 },
  summary:
    'Gives the recording of a terminal that has ended, and enters that in the operation log. Each of `parts` is base64 of deflated events (`recordedEvent` of the contract). 4113 while the session is open, and without a recording.',
  body: Type.Object({ id: Id }),
  data: Type.Object({
    target: Type.String(),
    kind: Words(remoteKinds),
    user: Type.String(),
    guest: Nullable(Type.String()),
    purpose: Type.String(),
    started_at: Time,
    ended_at: Time,
    /** The session went on after the end of the recording. */
    cut: Type.Boolean(),
    parts: Type.Array(Type.String()),
  }),
  example: (seed) => ({ id: seed.remote.recordedId }),
});

export const remove = endpoint({
  ...calls,
  permission: 'account.write',
  path: '/api/v3/remote/recording/delete',
  summary: 'Deletes the recording of a terminal that has ended; its session stays in the list. 4113 as for `replay`.',
  body: Type.Object({ id: Id }),
  data: Empty,
  example: (seed) => ({ id: seed.remote.recordedId }),
});
