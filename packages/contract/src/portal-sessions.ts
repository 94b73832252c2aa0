import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { portalMethods } from './portal-shapes.ts';
import { Id, ListOf, ListQuery, Nullable, Time, Words } from './shapes.ts';

const reads = { access: 'user', method: 'POST', permission: 'user.read', effect: 'read' } as const;
const writes = { ...reads, permission: 'user.write', effect: 'write' } as const;

export const portalSessionStates = ['online', 'ended'] as const;

const TermsLocale = Words(['zh-CN', 'en']);

const PortalSession = Type.Object({
  id: Id,
  gwid: Id,
  network: Type.String(),
  mac: Nullable(Type.String()),
  /** False: the MAC is the browser's claim. */
  verified: Type.Boolean(),
  ip: Nullable(Type.String()),
  method: Words(portalMethods),
  /** Numbers are masked. */
  identity: Nullable(Type.String()),
  /** The whole number is kept, sealed. */
  masked: Type.Boolean(),
  state: Words(portalSessionStates),
  granted_at: Time,
  expires_at: Nullable(Time),
  ended_at: Nullable(Time),
  /** A word of the console, or the gateway's RADIUS cause. */
  end_reason: Nullable(Type.String()),
  /** Null: no gateway has reported traffic of it. */
  up_bytes: Nullable(Type.Integer()),
  down_bytes: Nullable(Type.Integer()),
  /** That the guest accepted by signing in; null: the page had none. */
  terms: Nullable(Type.Object({ version: Type.Integer(), locale: TermsLocale })),
});

export const list = endpoint({
  ...reads,
  object: { gwid: 'network' },
  path: '/api/v3/portal/session/list',
  summary:
    'Sessions of guests, newest first, of one network or all. The keyword finds a part of a MAC in any notation, of an address or a name, and a whole phone number, voucher code, or address or ID at an identity provider.',
  body: ListQuery(['granted_at', 'ended_at', 'up_bytes', 'down_bytes'], {
    gwid: Type.Optional(Id),
    state: Type.Optional(Words(portalSessionStates)),
    method: Type.Optional(Words(portalMethods)),
    from: Type.Optional(Time),
    to: Type.Optional(Time),
  }),
  data: ListOf(PortalSession),
  example: ({ portalNetwork: { gwid } }) => ({ gwid }),
});

export const terms = endpoint({
  ...reads,
  object: { gwid: 'network', id: 'portal_session' },
  path: '/api/v3/portal/session/terms',
  summary: 'The terms that a guest accepted with a session, in the language and version of the page.',
  body: Type.Object({ gwid: Id, id: Id }),
  data: Type.Object({
    terms: Nullable(Type.Object({ version: Type.Integer(), locale: TermsLocale, text: Type.String(), first_at: Time })),
  }),
  example: ({ portalNetwork: { gwid }, portalSession: { id } }) => ({ gwid, id }),
});

export const reveal = endpoint({
  ...writes,
  object: { gwid: 'network', id: 'portal_session' },
  path: '/api/v3/portal/session/reveal',
  summary: 'Shows the whole phone number of a session; the operation log records the view.',
  body: Type.Object({ gwid: Id, id: Id }),
  data: Type.Object({ identity: Nullable(Type.String()) }),
  example: ({ portalNetwork: { gwid }, portalSession: { id } }) => ({ gwid, id }),
});
