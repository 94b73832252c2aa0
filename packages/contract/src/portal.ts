import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { AccessPoints, GateChoice } from './portal-access-points.ts';
import { Captive, Edge } from './portal-captive.ts';
import { PasswordPeriod } from './portal-methods/dynamic-password.ts';
import { portalLimits, portalMethods } from './portal-shapes.ts';
import { Empty, FreeText, Id, ListOf, ListQuery, Nullable, Time, Words } from './shapes.ts';
import { codeLength, voucherAlphabets } from './voucher-codes.ts';

export { accessPointPreview, gateSteps } from './portal-access-points.ts';
export { type CaptiveLack, type CaptiveReason, captiveLimits } from './portal-captive.ts';
export { check } from './portal-check.ts';
export { secretEnd, secretRenew, settingsReveal } from './portal-secrets.ts';

export const portalGateways = ['edge', 'opennds_1', 'opennds_3', 'opennds_4', 'uam', 'mikrotik'] as const;
export type PortalGateway = (typeof portalGateways)[number];

/** Each counted once a visit. */
export const portalSteps = ['seen', 'opened', 'tried', 'online'] as const;

export const guestLimits = {
  batch: 1000,
  validDays: 3650,
  /** Accounts of a network. */
  members: 2000,
  devices: 100,
} as const;

const seeing = { access: 'user', method: 'POST', permission: 'network.read', effect: 'read' } as const;
const setting = { ...seeing, permission: 'config.write', effect: 'write' } as const;
const guests = { ...seeing, permission: 'user.read' } as const;
const handling = { ...seeing, permission: 'user.write', effect: 'write' } as const;
const vouchers = { ...seeing, permission: 'voucher.read' } as const;
const issuing = { ...seeing, permission: 'voucher.write', effect: 'write' } as const;
const network = { object: { gwid: 'network' } } as const;

const Gateway = Words(portalGateways);
const Template = Type.Object({ id: Id, name: Type.String(), version: Type.Integer() });

const Site = Type.Object({
  enabled: Type.Boolean(),
  /** Null: none, or no published version. */
  template: Nullable(Template),
  gateway: Gateway,
  /** Null until it is switched on once. */
  url: Nullable(Type.String()),
  /** Last request of the gateway or its guests. */
  seen_at: Nullable(Time),
  /** When the secret that the gateway may still use was replaced; null: no older one counts. */
  old_secret_since: Nullable(Time),
  /** They would not be the same if they were shown now. */
  settings_changed: Type.Boolean(),
  captive: Captive,
  access_points: Nullable(AccessPoints),
  /** Payment hosts are open to all who are not in yet. */
  pay_hosts: Type.Boolean(),
});

const Secrets = Type.Object({ settings: Type.String() });
const Job = Nullable(Id);

export const site = endpoint({
  ...seeing,
  ...network,
  path: '/api/v3/portal/site',
  summary: 'Portal of a network, and the published templates that it can use.',
  body: Type.Object({ gwid: Id }),
  data: Type.Object({ site: Site, edge: Edge, wireless: GateChoice, templates: Type.Array(Template) }),
  example: ({ network: { gwid } }) => ({ gwid }),
});

export const siteSave = endpoint({
  ...setting,
  ...network,
  path: '/api/v3/portal/site/save',
  bodyBytes: 128 * 1024,
  summary:
    'Saves the portal of a network; a field that is left out stays. The answer carries the settings of the gateway with a new secret if the portal is new or its kind of gateway changed.',
  ownTransaction: true,
  body: Type.Object({
    gwid: Id,
    enabled: Type.Optional(Type.Boolean()),
    template_id: Type.Optional(Nullable(Id)),
    gateway: Type.Optional(Gateway),
    captive: Type.Optional(Type.Partial(Captive)),
    access_points: Type.Optional(Nullable(AccessPoints)),
    pay_hosts: Type.Optional(Type.Boolean()),
  }),
  data: Type.Object({ secrets: Nullable(Secrets), job_id: Job }),
  example: ({ network: { gwid } }) => ({
    gwid,
    enabled: false,
    template_id: null,
    gateway: 'opennds_3' as const,
  }),
});

/** Without end; bought time; a gateway that takes no orders. */
export const extendHindrances = ['unlimited', 'bought', 'gateway'] as const;

export const online = endpoint({
  ...guests,
  ...network,
  path: '/api/v3/portal/guest/list',
  summary: 'Guests who are online now, newest first. Identities are masked.',
  body: ListQuery(['granted_at', 'up_bytes', 'down_bytes'], { gwid: Id }),
  data: ListOf(
    Type.Object({
      id: Id,
      mac: Nullable(Type.String()),
      /** False: the MAC is the browser's claim. */
      verified: Type.Boolean(),
      ip: Nullable(Type.String()),
      method: Words(portalMethods),
      identity: Nullable(Type.String()),
      granted_at: Time,
      expires_at: Nullable(Time),
      /** Null: no gateway has reported traffic of it. */
      up_bytes: Nullable(Type.Integer()),
      down_bytes: Nullable(Type.Integer()),
      extend_hindrance: Nullable(Words(extendHindrances)),
      /** False: the gateway takes no orders, so the device stays online until its time is over. */
      signs_out: Type.Boolean(),
    }),
  ),
  example: ({ portalNetwork: { gwid } }) => ({ gwid }),
});

/** `unsupported`: stays until the time is over. */
export const kickResults = ['disconnected', 'refused', 'unreachable', 'unsupported'] as const;

export const kick = endpoint({
  ...handling,
  object: { gwid: 'network', id: 'portal_session' },
  path: '/api/v3/portal/guest/kick',
  summary: 'Disconnects a guest if the gateway takes such orders, and says what the gateway answered.',
  ownTransaction: true,
  body: Type.Object({ gwid: Id, id: Id }),
  data: Type.Object({ result: Words(kickResults) }),
  example: ({ portalNetwork: { gwid }, portalSession: { id } }) => ({ gwid, id }),
});

export const funnel = endpoint({
  ...guests,
  ...network,
  path: '/api/v3/portal/funnel',
  summary: 'Visits of today (the account’s time zone) by step, and the reasons of failed sign-ins.',
  body: Type.Object({ gwid: Id }),
  data: Type.Object({
    steps: Type.Array(Type.Object({ step: Words(portalSteps), visits: Type.Integer() })),
    failures: Type.Array(Type.Object({ reason: Type.String(), visits: Type.Integer() })),
  }),
  example: ({ portalNetwork: { gwid } }) => ({ gwid }),
});

const Devices = Type.Integer({ minimum: 1, maximum: guestLimits.devices });

const Batch = Type.Object({
  id: Id,
  name: Type.String(),
  minutes: Type.Integer(),
  devices: Type.Integer(),
  valid_until: Time,
  created_at: Time,
  created_by: Type.String(),
  total: Type.Integer(),
  used: Type.Integer(),
  voided: Type.Integer(),
  /** False: made before codes were kept. */
  kept: Type.Boolean(),
});

export const voucherNetworks = endpoint({
  ...vouchers,
  object: {},
  path: '/api/v3/portal/voucher/network/list',
  summary: 'Networks with a portal, by name: all that a reception sees of them.',
  body: ListQuery(['name'], {}),
  data: ListOf(Type.Object({ gwid: Id, name: Type.String() })),
  example: () => ({}),
});

export const batchList = endpoint({
  ...vouchers,
  ...network,
  path: '/api/v3/portal/voucher/list',
  summary: 'Batches of vouchers, newest first.',
  body: ListQuery(['created_at', 'used', 'voided', 'minutes', 'devices'], { gwid: Id }),
  data: ListOf(Batch),
  example: ({ portalNetwork: { gwid } }) => ({ gwid }),
});

export const batchCreate = endpoint({
  ...issuing,
  ...network,
  path: '/api/v3/portal/voucher/create',
  summary: 'Generates vouchers. The console keeps their codes sealed, to print them again.',
  body: Type.Object({
    gwid: Id,
    name: Type.String({ rule: 'nameText', minLength: 1, maxLength: portalLimits.name }),
    count: Type.Integer({ minimum: 1, maximum: guestLimits.batch }),
    /** From the first use; 0: no limit. */
    minutes: Type.Integer({ minimum: 0, maximum: portalLimits.minutes }),
    devices: Devices,
    valid_days: Type.Integer({ minimum: 1, maximum: guestLimits.validDays }),
    characters: Words(voucherAlphabets),
    length: Type.Integer({ minimum: codeLength.min, maximum: codeLength.max }),
  }),
  data: Type.Object({ id: Id, codes: Type.Array(Type.String()), valid_until: Time }),
  example: ({ portalNetwork: { gwid } }) => ({
    gwid,
    name: 'DayPass',
    count: 2,
    minutes: 1440,
    devices: 1,
    valid_days: 30,
    characters: 'digits' as const,
    length: 8,
  }),
});

export const batchReveal = endpoint({
  ...issuing,
  object: { gwid: 'network', id: 'voucher_batch' },
  path: '/api/v3/portal/voucher/reveal',
  limit: { max: 20, windowSeconds: 60 },
  summary:
    'Shows the codes of a batch that are not void, to print them again; the operation log records the view. 422 for a batch that was made before codes were kept.',
  body: Type.Object({ gwid: Id, id: Id }),
  data: Type.Object({ vouchers: Type.Array(Type.Object({ code: Type.String(), used: Type.Boolean() })) }),
  example: ({ portalNetwork: { gwid }, voucherBatch: { id } }) => ({ gwid, id }),
});

export const voucherCount = endpoint({
  ...vouchers,
  ...network,
  path: '/api/v3/portal/voucher/count',
  summary: 'How many codes of a network are valid: the more there are, the longer new ones must be.',
  body: Type.Object({ gwid: Id }),
  data: Type.Object({ valid: Type.Integer() }),
  example: ({ portalNetwork: { gwid } }) => ({ gwid }),
});

export const batchVoid = endpoint({
  ...issuing,
  object: { gwid: 'network', id: 'voucher_batch' },
  path: '/api/v3/portal/voucher/void',
  summary:
    'Voids a batch, or one voucher of it by its code. Guests who are online with it stay until their time is over.',
  body: Type.Object({ gwid: Id, id: Id, code: Type.Optional(Type.String({ maxLength: 64 })) }),
  data: Type.Object({ voided: Type.Integer() }),
  example: ({ portalNetwork: { gwid }, voucherBatch: { id } }) => ({ gwid, id }),
});

export const dynamicPassword = endpoint({
  ...vouchers,
  ...network,
  path: '/api/v3/portal/dynamic_password',
  summary: 'How often the dynamic password of a network changes, and when next; null without one.',
  body: Type.Object({ gwid: Id }),
  data: Type.Object({ every: Nullable(PasswordPeriod), until: Nullable(Time) }),
  example: ({ portalNetwork: { gwid } }) => ({ gwid }),
});

export const dynamicPasswordReveal = endpoint({
  ...issuing,
  ...network,
  path: '/api/v3/portal/dynamic_password/reveal',
  summary: 'Shows the dynamic password of a network; the operation log records the view.',
  body: Type.Object({ gwid: Id }),
  data: Type.Object({ password: Type.String(), until: Time }),
  example: ({ portalNetwork: { gwid } }) => ({ gwid }),
});

const Member = Type.Object({
  id: Id,
  name: Type.String(),
  enabled: Type.Boolean(),
  until: Nullable(Time),
  devices: Type.Integer(),
  last_at: Nullable(Time),
  /** Real name and ID card are kept, sealed. */
  real_name: Type.Boolean(),
  /** Kept, sealed, for RADIUS. */
  radius: Type.Boolean(),
});
const RealName = Type.Object({
  name: FreeText(32),
  id_card: Type.String({ rule: 'idCard', minLength: 15, maxLength: 18 }),
});
const memberFields = {
  enabled: Type.Boolean(),
  /** Null: without end. */
  until: Nullable(Time),
  devices: Devices,
  /** Absent: unchanged; null: none. Each session of the account keeps it, sealed. */
  real: Type.Optional(Nullable(RealName)),
  /** Keeps the password, sealed, so that RADIUS can check it. Absent: unchanged; the first time needs a password. */
  radius: Type.Optional(Type.Boolean()),
};
const Password = Type.String({ rule: 'passwordFilter', minLength: 6, maxLength: 64 });

export const memberList = endpoint({
  ...guests,
  ...network,
  path: '/api/v3/portal/member/list',
  summary: 'Accounts with which guests of a network sign in, by name.',
  body: ListQuery(['name', 'devices'], { gwid: Id }),
  data: ListOf(Member),
  example: ({ portalNetwork: { gwid } }) => ({ gwid }),
});

export const memberCreate = endpoint({
  ...handling,
  ...network,
  path: '/api/v3/portal/member/create',
  summary: 'Creates an account for guests of a network.',
  ownTransaction: true,
  body: Type.Object({
    gwid: Id,
    name: Type.String({ rule: 'nameText', minLength: 1, maxLength: portalLimits.name }),
    password: Password,
    ...memberFields,
  }),
  data: Type.Object({ id: Id }),
  example: ({ portalNetwork: { gwid } }) => ({
    gwid,
    name: 'reception',
    password: 'open4guests',
    enabled: true,
    until: null,
    devices: 3,
  }),
});

export const memberSave = endpoint({
  ...handling,
  object: { gwid: 'network', id: 'portal_member' },
  path: '/api/v3/portal/member/save',
  summary: 'Changes an account; a field that is left out stays, its password too. Guests who are online with it stay.',
  ownTransaction: true,
  body: Type.Object({
    gwid: Id,
    id: Id,
    password: Type.Optional(Password),
    ...Type.Partial(Type.Object(memberFields)).properties,
  }),
  data: Empty,
  example: ({ portalNetwork: { gwid }, portalMember: { id } }) => ({
    gwid,
    id,
    enabled: false,
    until: null,
    devices: 1,
  }),
});

export const memberDelete = endpoint({
  ...handling,
  object: { gwid: 'network', ids: 'portal_member' },
  path: '/api/v3/portal/member/delete',
  summary: 'Deletes accounts of guests.',
  body: Type.Object({ gwid: Id, ids: Type.Array(Id, { minItems: 1, maxItems: 200, uniqueItems: true }) }),
  data: Empty,
  example: ({ portalNetwork: { gwid }, portalMember: { id } }) => ({ gwid, ids: [id] }),
});
