import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { remoteLimits } from './remote.ts';
import { remoteKinds } from './remote-terminal.ts';
import { Empty, FreeText, Id, ListOf, ListQuery, Nullable, Serial, Time, Words } from './shapes.ts';

/** Minutes; open ones of an account; wrong secrets of an address in an hour. */
export const linkLimits = { shortest: 15, longest: 480, perAccount: 50, guest: 64, wrongSecrets: 20 } as const;

export const linkStates = ['open', 'used', 'expired', 'revoked'] as const;

const calls = { access: 'user', method: 'POST', permission: 'remote.use', interactive: true } as const;
const open = { access: 'public', method: 'POST', permission: null, object: {} } as const;
/** 128 bits in base64url. */
const Secret = Type.String({ minLength: 22, maxLength: 22 });
const size = {
  cols: Type.Integer({ minimum: 1, maximum: remoteLimits.columns }),
  rows: Type.Integer({ minimum: 1, maximum: remoteLimits.rows }),
};

export const create = endpoint({
  ...calls,
  effect: 'write',
  object: { serial: 'device', peripheral_id: 'peripheral' },
  path: '/api/v3/remote/link/create',
  limit: { max: 30, windowSeconds: 60 },
  summary:
    'Makes a link with which a technician without an account opens one session on one target. Its address is answered once. 4106 beyond 50 open links, 4114 with a reason of `targets` other than `offline`.',
  body: Type.Object({
    serial: Type.Optional(Serial),
    peripheral_id: Type.Optional(Id),
    kind: Words(remoteKinds),
    guest: FreeText(linkLimits.guest),
    purpose: FreeText(remoteLimits.purpose),
    minutes: Type.Integer({ minimum: linkLimits.shortest, maximum: linkLimits.longest }),
  }),
  data: Type.Object({ id: Id, url: Type.String(), until: Time }),
  example: (seed) => ({
    serial: seed.remote.serial,
    kind: 'shell' as const,
    guest: 'Li Wei',
    purpose: 'Replace the firmware',
    minutes: 60,
  }),
});

export const RemoteLinkRow = Type.Object({
  id: Id,
  gwid: Id,
  network: Type.String(),
  target: Type.String(),
  kind: Words(remoteKinds),
  guest: Type.String(),
  purpose: Type.String(),
  user: Type.String(),
  state: Words(linkStates),
  created_at: Time,
  until: Time,
  opened_at: Nullable(Time),
  /** Its session is open: revoking the link ends it. */
  active: Type.Boolean(),
});

export const list = endpoint({
  ...calls,
  effect: 'read',
  object: {},
  path: '/api/v3/remote/link/list',
  summary: 'Links for technicians, the newest first; kept for 400 days.',
  body: ListQuery(['created_at', 'until'], {}),
  data: ListOf(RemoteLinkRow),
  example: () => ({ page: 1, limit: 10 }),
});

export const revoke = endpoint({
  ...calls,
  effect: 'write',
  object: { id: 'remote_link' },
  path: '/api/v3/remote/link/revoke',
  summary: 'Withdraws a link, and ends its session.',
  body: Type.Object({ id: Id }),
  data: Empty,
  example: (seed) => ({ id: seed.remote.linkId }),
});

export const look = endpoint({
  ...open,
  effect: 'read',
  path: '/api/v3/remote/link/look',
  limit: { max: 30, windowSeconds: 60 },
  summary:
    'Says to whom a link leads, without a sign-in: 4013 used, 4014 unknown, over or withdrawn, 429 after 20 wrong secrets of an address in an hour.',
  body: Type.Object({ secret: Secret }),
  data: Type.Object({
    account_name: Type.String(),
    target: Type.String(),
    network: Type.String(),
    kind: Words(remoteKinds),
    guest: Type.String(),
    purpose: Type.String(),
    until: Time,
    /** The account records its terminals. */
    recorded: Type.Boolean(),
  }),
  example: (seed) => ({ secret: seed.remote.linkSecret }),
});

export const openLink = endpoint({
  ...open,
  effect: 'device',
  path: '/api/v3/remote/link/open',
  limit: { max: 10, windowSeconds: 60 },
  summary:
    'Uses up a link, and opens its session. The first text of the WebSocket carries `page` as `link` in place of a token. Codes as for `look` and `remote/open`.',
  body: Type.Object({ secret: Secret, ...size }),
  data: Type.Object({ id: Id, page: Type.String() }),
  example: (seed) => ({ secret: seed.remote.linkSecret, cols: 80, rows: 24 }),
});

export const enterLink = endpoint({
  ...open,
  effect: 'read',
  path: '/api/v3/remote/link/enter',
  limit: { max: 120, windowSeconds: 60 },
  summary:
    'As `remote/web/enter`, for the web page that a technician has opened: `link` is the `page` of `remote/link/open`.',
  body: Type.Object({ id: Id, link: Secret }),
  data: Type.Object({ address: Nullable(Type.String()) }),
  example: (seed) => ({ id: seed.remote.openId, link: seed.remote.linkSecret }),
});
