import { Type } from 'typebox';
import { buyerKinds, fapiaoStates } from './billing-fapiao.ts';
import { endpoint } from './endpoint.ts';
import { portalMethods } from './portal-shapes.ts';
import { Empty, Id, Nullable, Time, Words } from './shapes.ts';

const reads = { access: 'user', method: 'POST', permission: 'user.read', effect: 'read', object: {} } as const;
const writes = { ...reads, permission: 'user.write', effect: 'write' } as const;

/** Days. The shortest is longer than a device is remembered; Chinese law asks for six months. */
export const retentionLimits = { min: 100, usual: 180, max: 1095 } as const;

export const personKinds = ['phone', 'account', 'login', 'mac'] as const;

export const sponsorStates = ['asked', 'approved', 'refused', 'used'] as const;

const Person = Type.Object({
  kind: Words(personKinds),
  /** Whole: a number, an account name, what an identity provider says of the guest, or a MAC in any notation. */
  value: Type.String({ minLength: 1, maxLength: 255 }),
});

export const retention = endpoint({
  ...reads,
  path: '/api/v3/portal/retention',
  summary: 'Days for which sessions and sign-in codes of guests are kept.',
  body: Empty,
  data: Type.Object({ days: Type.Integer() }),
  example: () => ({}),
});

export const retentionSave = endpoint({
  ...writes,
  permission: 'config.write',
  path: '/api/v3/portal/retention/save',
  summary: 'Sets for how many days sessions and sign-in codes of guests are kept; older ones are deleted at night.',
  body: Type.Object({ days: Type.Integer({ minimum: retentionLimits.min, maximum: retentionLimits.max }) }),
  data: Empty,
  example: () => ({ days: 365 }),
});

export const personExport = endpoint({
  ...writes,
  path: '/api/v3/portal/person/export',
  limit: { max: 20, windowSeconds: 60 },
  summary:
    'All that the portal keeps of one guest, whole numbers and accepted terms included; the operation log records it.',
  body: Person,
  data: Type.Object({
    sessions: Type.Array(
      Type.Object({
        network: Type.String(),
        method: Words(portalMethods),
        identity: Nullable(Type.String()),
        mac: Nullable(Type.String()),
        ip: Nullable(Type.String()),
        made_at: Time,
        granted_at: Nullable(Time),
        ended_at: Nullable(Time),
        up_bytes: Type.Integer(),
        down_bytes: Type.Integer(),
        terms: Nullable(Type.Object({ version: Type.Integer(), locale: Type.String(), text: Type.String() })),
      }),
    ),
    codes: Type.Array(Type.Object({ network: Type.String(), sent_at: Time })),
    accounts: Type.Array(Type.Object({ id: Id, network: Type.String(), name: Type.String(), last_at: Nullable(Time) })),
    /** To hosts, from the devices of these sessions. */
    requests: Type.Array(
      Type.Object({
        network: Type.String(),
        guest: Type.String(),
        sponsor: Type.String(),
        asked_at: Time,
        state: Words(sponsorStates),
      }),
    ),
    /** Of a week, from the devices of these sessions or with the number or account. */
    visits: Type.Array(
      Type.Object({
        network: Type.String(),
        at: Time,
        mac: Nullable(Type.String()),
        ip: Nullable(Type.String()),
        system: Nullable(Type.String()),
        way: Nullable(Type.String()),
        /** Null: none was refused. */
        reason: Nullable(Type.String()),
      }),
    ),
    /** For what these devices bought. */
    invoices: Type.Array(
      Type.Object({
        order_no: Type.String(),
        state: Words(fapiaoStates),
        kind: Words(buyerKinds),
        name: Type.String(),
        tax_no: Type.String(),
        email: Type.String(),
        amount: Type.String(),
        number: Nullable(Type.String()),
        asked_at: Time,
      }),
    ),
  }),
  example: () => ({ kind: 'phone' as const, value: '13900000000' }),
});

export const personErase = endpoint({
  ...writes,
  path: '/api/v3/portal/person/erase',
  limit: { max: 20, windowSeconds: 60 },
  summary:
    'Erases one guest: ended sessions lose number, name, MAC and addresses and stay as figures; codes, accounts, refused sign-ins and requests to hosts from the devices of these sessions are deleted; settled invoices lose e-mails and titles of persons. Sessions that are online stay and are counted.',
  body: Person,
  data: Type.Object({
    sessions: Type.Integer(),
    codes: Type.Integer(),
    accounts: Type.Integer(),
    requests: Type.Integer(),
    tries: Type.Integer(),
    invoices: Type.Integer(),
    online: Type.Integer(),
  }),
  example: () => ({ kind: 'phone' as const, value: '13900000000' }),
});
