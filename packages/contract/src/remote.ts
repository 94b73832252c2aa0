import { Type } from 'typebox';
import { remoteLimits as wire } from './device/remote.ts';
import { endpoint } from './endpoint.ts';
import { remoteEndReasons, remoteKinds, remoteReasons, remoteRecordings, remoteStates } from './remote-terminal.ts';
import { Empty, FreeText, Id, ListOf, ListQuery, Nullable, Serial, Time, Version, Words } from './shapes.ts';

/** Milliseconds, bytes, characters and days. */
export const remoteLimits = {
  ...wire,
  hello: 10_000,
  inputBytes: 64 * 1024,
  purpose: 200,
  signIns: 3,
  keptDays: 400,
  recordDays: 90,
} as const;

const calls = { access: 'user', method: 'POST', permission: 'remote.use', interactive: true } as const;
const target = { serial: Type.Optional(Serial), peripheral_id: Type.Optional(Id) };
const named = { serial: 'device', peripheral_id: 'peripheral' } as const;
const recording = {
  record: Type.Boolean(),
  record_days: Type.Integer({ minimum: 1, maximum: remoteLimits.keptDays }),
};
const Fingerprint = Type.String({ pattern: '^SHA256:[A-Za-z0-9+/]{43}$', hint: 'fingerprint' });

export const settings = endpoint({
  ...calls,
  effect: 'read',
  object: {},
  path: '/api/v3/remote/settings',
  summary: 'Whether the account allows remote access, records terminals, and for how many days it keeps recordings.',
  body: Empty,
  data: Type.Object({ enabled: Type.Boolean(), ...recording, version: Version }),
  example: () => ({}),
});

export const saveSettings = endpoint({
  ...calls,
  permission: 'account.write',
  effect: 'write',
  object: {},
  path: '/api/v3/remote/settings/save',
  summary:
    'Allows remote access, or forbids it and ends all open sessions. It is off until it is allowed. `record` holds for terminals that are opened later; what is left out stays.',
  body: Type.Object({
    enabled: Type.Boolean(),
    record: Type.Optional(recording.record),
    record_days: Type.Optional(recording.record_days),
    version: Version,
  }),
  data: Type.Object({ version: Version }),
  example: (seed) => ({ enabled: true, version: seed.remote.version }),
});

export const targets = endpoint({
  ...calls,
  effect: 'read',
  object: named,
  path: '/api/v3/remote/targets',
  summary: 'What can be opened on a device or a peripheral device, and what stands in the way.',
  body: Type.Object(target),
  data: Type.Object({
    name: Type.String(),
    /** Name of its network; empty without one. */
    network: Type.String(),
    list: Type.Array(Type.Object({ kind: Words(remoteKinds), reason: Nullable(Words(remoteReasons)) })),
    /** SSH has a kept sign-in, and no key of its host is trusted yet: only a member can open it. */
    waits_for_key: Type.Boolean(),
  }),
  example: (seed) => ({ serial: seed.remote.serial }),
});

export const open = endpoint({
  ...calls,
  effect: 'device',
  ownTransaction: true,
  object: named,
  path: '/api/v3/remote/open',
  limit: { max: 30, windowSeconds: 60 },
  summary:
    'Asks a device for a terminal; a page joins it within 60 s by a WebSocket at `/api/v3/remote/terminal?session=<id>`. 4102 while the device is offline, 4106 beyond 20 sessions of an account, 3 of a gateway or 1 of an access point, 4114 with the reason that `targets` gives.',
  body: Type.Object({
    ...target,
    kind: Words(remoteKinds),
    purpose: FreeText(remoteLimits.purpose),
    cols: Type.Integer({ minimum: 1, maximum: remoteLimits.columns }),
    rows: Type.Integer({ minimum: 1, maximum: remoteLimits.rows }),
  }),
  data: Type.Object({ id: Id }),
  example: (seed) => ({
    serial: seed.remote.serial,
    kind: 'shell' as const,
    purpose: 'Check the uplink',
    cols: 80,
    rows: 24,
  }),
});

const sorts = ['created_at', 'bytes_up', 'bytes_down'] as const;

export const RemoteSessionRow = Type.Object({
  id: Id,
  gwid: Id,
  network: Type.String(),
  serial: Type.String(),
  peripheral_id: Nullable(Id),
  target: Type.String(),
  kind: Words(remoteKinds),
  purpose: Type.String(),
  user: Type.String(),
  /** Technician who opened a link of `user`. */
  guest: Nullable(Type.String()),
  /** The caller opened it, and can return to it while it is open. */
  mine: Type.Boolean(),
  state: Words(remoteStates),
  created_at: Time,
  connected_at: Nullable(Time),
  ended_at: Nullable(Time),
  end_reason: Nullable(Words(remoteEndReasons)),
  /** To the device. */
  bytes_up: Type.Integer(),
  bytes_down: Type.Integer(),
  recording: Words(remoteRecordings),
});

export const list = endpoint({
  ...calls,
  effect: 'read',
  object: { gwid: 'network' },
  path: '/api/v3/remote/list',
  summary: 'Open and past sessions, the newest first; kept for 400 days.',
  body: ListQuery(sorts, { gwid: Type.Optional(Id), open: Type.Optional(Type.Boolean()) }),
  data: ListOf(RemoteSessionRow),
  example: () => ({ page: 1, limit: 10 }),
});

export const end = endpoint({
  ...calls,
  effect: 'write',
  object: { id: 'remote_session' },
  path: '/api/v3/remote/end',
  summary: 'Ends a session; one that has ended stays as it is.',
  body: Type.Object({ id: Id }),
  data: Empty,
  example: (seed) => ({ id: seed.remote.openId }),
});

export const enterWeb = endpoint({
  ...calls,
  effect: 'read',
  ownTransaction: true,
  object: { id: 'remote_session' },
  path: '/api/v3/remote/web/enter',
  limit: { max: 60, windowSeconds: 60 },
  summary:
    'Gives the address of a web page that the caller has opened. It works once, for 60 s; a later one takes the page away from the browser before. Null until the device has connected, and for the session of another person; 4113 when it is over.',
  body: Type.Object({ id: Id }),
  data: Type.Object({ address: Nullable(Type.String()) }),
  example: (seed) => ({ id: seed.remote.webId }),
});

export const acceptHostKey = endpoint({
  ...calls,
  effect: 'write',
  object: { id: 'remote_session' },
  path: '/api/v3/remote/host_key/accept',
  summary: 'Trusts the key by which a session found its peripheral device changed. 4104 for another key.',
  body: Type.Object({ id: Id, fingerprint: Fingerprint }),
  data: Empty,
  example: (seed) => ({ id: seed.remote.sessionId, fingerprint: seed.remote.fingerprint }),
});
