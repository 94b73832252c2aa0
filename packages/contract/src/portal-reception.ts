import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { extendHindrances, kickResults } from './portal.ts';
import { portalLimits, portalMethods } from './portal-shapes.ts';
import { Id, ListOf, ListQuery, Nullable, Time, Words } from './shapes.ts';

const reads = { access: 'user', method: 'POST', permission: 'guest.reception', effect: 'read' } as const;
const acts = { ...reads, effect: 'write', ownTransaction: true } as const;

/** `waitingMinutes`: since the device opened the page. */
export const receptionLimits = { waitingMinutes: 30, triesHours: 24 } as const;

/** `closing`: the opening hours end then already. */
export const extendResults = ['extended', 'refused', 'unreachable', 'closing'] as const;

/** `ready`: the new device has to open its page again. */
export const moveResults = ['online', 'ready', 'refused', 'unreachable'] as const;

/** `over`: its time is used up; `expired`: never used in time. */
export const codeStates = ['unknown', 'unused', 'running', 'over', 'expired', 'void'] as const;

export const guestSystems = ['iphone', 'ipad', 'android', 'harmony', 'windows', 'mac', 'linux'] as const;
const System = Nullable(Words(guestSystems));

const ofGuest = { object: { gwid: 'network', id: 'portal_session' } } as const;
const Guest = Type.Object({ gwid: Id, id: Id });

const device = {
  mac: Nullable(Type.String()),
  /** False: the MAC is the browser's claim. */
  verified: Type.Boolean(),
  ip: Nullable(Type.String()),
};

export const networks = endpoint({
  ...reads,
  object: {},
  path: '/api/v3/portal/reception/network/list',
  summary: 'Networks with a portal, by name: all that a reception sees of them.',
  body: ListQuery(['name'], {}),
  data: ListOf(Type.Object({ gwid: Id, name: Type.String() })),
  example: () => ({}),
});

export const guests = endpoint({
  ...reads,
  object: { gwid: 'network' },
  path: '/api/v3/portal/reception/guest/list',
  summary:
    'Guests who are online now, newest first, without their phone numbers. The keyword finds a part of a MAC in any notation, of an address or a name, and a whole phone number or voucher code.',
  body: ListQuery(['granted_at', 'expires_at'], { gwid: Id }),
  data: ListOf(
    Type.Object({
      id: Id,
      ...device,
      method: Words(portalMethods),
      /** Numbers are masked. */
      identity: Nullable(Type.String()),
      granted_at: Time,
      expires_at: Nullable(Time),
      extend_hindrance: Nullable(Words(extendHindrances)),
      /** False: the gateway takes no orders. */
      signs_out: Type.Boolean(),
    }),
  ),
  example: ({ portalNetwork: { gwid } }) => ({ gwid }),
});

export const extend = endpoint({
  ...acts,
  ...ofGuest,
  path: '/api/v3/portal/reception/guest/extend',
  summary:
    'Adds minutes to the session of a guest, until the template closes at the latest, and says what the gateway answered. It is no sign-in of the day.',
  body: Type.Object({
    gwid: Id,
    id: Id,
    minutes: Type.Integer({ minimum: 1, maximum: portalLimits.minutes }),
  }),
  data: Type.Object({
    result: Words([...extendResults, ...extendHindrances]),
    until: Nullable(Time),
  }),
  example: ({ portalNetwork: { gwid }, portalSession: { id } }) => ({ gwid, id, minutes: 60 }),
});

export const signOut = endpoint({
  ...acts,
  ...ofGuest,
  path: '/api/v3/portal/reception/guest/sign_out',
  summary: 'Ends the session of a guest if the gateway takes such orders, and says what the gateway answered.',
  body: Guest,
  data: Type.Object({ result: Words(kickResults) }),
  example: ({ portalNetwork: { gwid }, portalSession: { id } }) => ({ gwid, id }),
});

export const waiting = endpoint({
  ...reads,
  object: { gwid: 'network' },
  path: '/api/v3/portal/reception/waiting/list',
  summary: 'Devices that opened the sign-in page in the last 30 minutes and are not online, newest first.',
  body: ListQuery(['at'], { gwid: Id }),
  data: ListOf(
    Type.Object({
      id: Id,
      ...device,
      system: System,
      at: Time,
      /** Of the last try; null: none was refused. */
      reason: Nullable(Type.String()),
    }),
  ),
  example: ({ portalNetwork: { gwid } }) => ({ gwid }),
});

export const move = endpoint({
  ...acts,
  object: { ...ofGuest.object, visit: 'portal_visit' },
  path: '/api/v3/portal/reception/guest/move',
  summary:
    'Moves the session of a guest, with the time and data that are left, to a device that waits on the sign-in page. The Yunxun gateway lets it in at once; with other gateways it gets online when its page is opened again within ten minutes.',
  body: Type.Object({
    gwid: Id,
    id: Id,
    visit: Id,
  }),
  data: Type.Object({
    result: Words(moveResults),
    /** False: the old device stays online until its time is over. */
    old_ends: Type.Boolean(),
  }),
  example: ({ portalNetwork: { gwid }, portalSession: { id }, portalVisit }) => ({ gwid, id, visit: portalVisit.id }),
});

export const tries = endpoint({
  ...reads,
  object: { gwid: 'network', id: 'portal_session' },
  path: '/api/v3/portal/reception/try/list',
  summary:
    'Refused sign-ins of the last 24 hours, newest first, with their reasons; of the device of a session, or of all. The keyword finds a part of a MAC in any notation or of an address, and a whole voucher code, phone number or account name.',
  body: ListQuery(['at'], { gwid: Id, id: Type.Optional(Id) }),
  data: ListOf(
    Type.Object({
      id: Id,
      at: Time,
      ...device,
      system: System,
      /** Null: refused before a method was tried. */
      way: Nullable(Type.String()),
      reason: Type.String(),
      online: Type.Boolean(),
      /** The gateway lets it past without a sign-in now. */
      exempt: Type.Boolean(),
    }),
  ),
  example: ({ portalNetwork: { gwid } }) => ({ gwid }),
});

export const code = endpoint({
  ...reads,
  object: { gwid: 'network' },
  path: '/api/v3/portal/reception/code',
  limit: { max: 10, windowSeconds: 60 },
  summary: 'What a voucher code of a network is worth: its state, its end, and the devices that are online with it.',
  body: Type.Object({ gwid: Id, code: Type.String({ minLength: 1, maxLength: 64 }) }),
  data: Type.Object({
    state: Words(codeStates),
    batch: Nullable(Type.String()),
    /** End of its time, or of the first use; null: no limit. */
    until: Nullable(Time),
    devices: Type.Object({ online: Type.Integer(), of: Type.Integer() }),
  }),
  example: ({ portalNetwork: { gwid } }) => ({ gwid, code: '00000000' }),
});
