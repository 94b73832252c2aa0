import { Type } from 'typebox';
import { endpoint, inInstallation } from './endpoint.ts';
import { mapDatums } from './enums.ts';
import { Email, Mobile } from './identity-shapes.ts';
import { Empty, Id, ListOf, ListQuery, Nullable, Time, Words } from './shapes.ts';
import { smsProviders } from './sms-providers.ts';

const reading = { ...inInstallation, effect: 'read' } as const;
const writing = { ...inInstallation, effect: 'write', confirm: true } as const;
const perMinute = (max: number) => ({ max, windowSeconds: 60 });

export const state = endpoint({
  access: 'public',
  permission: null,
  object: {},
  effect: 'read',
  path: '/api/v3/open/installation',
  method: 'POST',
  limit: perMinute(600),
  summary: 'What the sign-in page says about this installation.',
  body: Empty,
  data: Type.Object({
    registration_open: Type.Boolean(),
    /** No provider: codes go to the outbox file. */
    outbox_sms: Type.Boolean(),
    outbox_email: Type.Boolean(),
    has_administrator: Type.Boolean(),
    version: Type.String(),
    /** Demo history in networks; absent when finished. */
    preparing: Type.Optional(Type.Object({ done: Type.Integer(), total: Type.Integer() })),
  }),
  example: () => ({}),
});

export const claim = endpoint({
  access: 'user',
  permission: null,
  object: {},
  effect: 'write',
  personal: true,
  interactive: true,
  path: '/api/v3/install/claim',
  method: 'POST',
  limit: perMinute(10),
  summary: 'Makes the signed-in person administrator of the installation with the one-time set-up token.',
  body: Type.Object({ token: Type.String({ minLength: 20, maxLength: 100 }) }),
  data: Empty,
  example: (seed) => ({ token: seed.setupToken }),
});

export const mailProviders = ['outbox', 'smtp'] as const;
export const smtpSecurity = ['tls', 'starttls', 'none'] as const;
/** Messages that need a provider template. */
export const smsTemplates = [
  'registerCode',
  'signInCode',
  'changeMobileCode',
  'mobileChanged',
  'resetCode',
  'invitation',
  'deviceReenrolled',
  'alarm',
  'portalCode',
  'test',
] as const;

const Secret = Type.Optional(Type.String({ minLength: 1, maxLength: 256 }));
const Word = Type.String({ maxLength: 128, pattern: '^\\S*$', hint: 'noSpaces' });

type TemplateCodes = Partial<Record<(typeof smsTemplates)[number], string>>;
const Templates = Type.Unsafe<TemplateCodes>(
  Type.Object(Object.fromEntries(smsTemplates.map((name) => [name, Type.Optional(Word)])), {
    additionalProperties: false,
  }),
);

/** Passwords are write-only. */
const mailSettings = {
  provider: Words(mailProviders),
  host: Type.String({ maxLength: 253 }),
  port: Type.Integer({ minimum: 1, maximum: 65535 }),
  security: Words(smtpSecurity),
  user: Type.String({ maxLength: 254 }),
  from: Type.Union([Type.Literal(''), Email]),
};

/** `templates` are the provider's template codes. */
const smsSettings = {
  provider: Words(smsProviders),
  key_id: Word,
  /** Aliyun and Tencent: signature. Twilio: sender number. */
  sender: Type.String({ maxLength: 64 }),
  /** Tencent: SDK app id. */
  app_id: Word,
  /** Aliyun and Tencent: region; empty: default. */
  region: Type.String({ maxLength: 64, pattern: '^[a-z0-9-]*$', hint: 'region' }),
  templates: Templates,
};

/** Base maps of the map. */
export const mapPresets = ['none', 'osm', 'amap', 'tianditu', 'own'] as const;
export { mapDatums } from './enums.ts';

const mapSettings = {
  preset: Words(mapPresets),
  /** Tianditu: key for browsers. Everyone who sees the map can read it. */
  key: Word,
  /** Own tiles: with `{z}`, `{x}` and `{y}`. */
  url: Type.String({ maxLength: 500 }),
  attribution: Type.String({ maxLength: 200 }),
  datum: Words(mapDatums),
};

/** Raw reports; five-minute, hourly, daily values; flow and signal of clients; sessions; daily presence; clients. */
export const retentionKinds = [
  'reports',
  'fine',
  'hours',
  'days',
  'terminals',
  'sessions',
  'visits',
  'stations',
] as const;

/** Days; the minimum covers what the pages show. */
export const retentionLimits: Readonly<Record<(typeof retentionKinds)[number], readonly [number, number]>> = {
  reports: [2, 30],
  fine: [3, 400],
  hours: [32, 3660],
  days: [366, 36_600],
  terminals: [2, 90],
  sessions: [7, 3660],
  visits: [32, 3660],
  stations: [32, 3660],
};

export const detail = endpoint({
  ...reading,
  path: '/api/v3/install/detail',
  summary: 'The installation: registration, addresses and TLS, providers, the device port and its authorities.',
  body: Empty,
  data: Type.Object({
    version: Type.String(),
    registration_open: Type.Boolean(),
    public_url: Type.String(),
    /** `console`: own TLS, `proxy`: upstream TLS. */
    tls: Words(['console', 'proxy', 'none']),
    tls_expires_at: Nullable(Time),
    device: Type.Object({
      host: Type.String(),
      port: Type.Integer(),
      names: Type.Array(Type.String()),
      certificate_expires_at: Time,
      authorities: Type.Array(
        Type.Object({ name: Type.String(), ours: Type.Boolean(), fingerprint: Type.String(), expires_at: Time }),
      ),
    }),
    mail: Type.Object({ ...mailSettings, has_password: Type.Boolean() }),
    sms: Type.Object({ ...smsSettings, has_secret: Type.Boolean() }),
    /** Texts and parameter order for provider approval. */
    sms_letters: Type.Array(
      Type.Object({ template: Words(smsTemplates), text: Type.String(), values: Type.Array(Type.String()) }),
    ),
    map: Type.Object(mapSettings),
    accounts: Type.Integer(),
    administrators: Type.Array(Type.String()),
    retention: Type.Array(
      Type.Object({
        kind: Words(retentionKinds),
        days: Type.Integer(),
        min: Type.Integer(),
        max: Type.Integer(),
      }),
    ),
    /** Waiting for a retry, and given up in the last day. */
    outbox_waiting: Type.Integer(),
    outbox_failed: Type.Integer(),
    outbox_troubles: Type.Array(
      Type.Object({
        at: Time,
        channel: Words(['sms', 'email']),
        to: Type.String(),
        template: Type.String(),
        reason: Type.String(),
        attempts: Type.Integer(),
        given_up: Type.Boolean(),
      }),
    ),
  }),
  example: () => ({}),
});

export const saveRegistration = endpoint({
  ...writing,
  path: '/api/v3/install/registration',
  summary: 'Opens or closes registration by strangers; invitations work either way.',
  body: Type.Object({ open: Type.Boolean() }),
  data: Type.Object({ open: Type.Boolean() }),
  example: () => ({ open: true }),
});

const days = ([minimum, maximum]: readonly [number, number]) => Type.Optional(Type.Integer({ minimum, maximum }));

export const saveRetention = endpoint({
  ...writing,
  path: '/api/v3/install/retention',
  summary: 'Sets how many days of the devices’ reports are kept, kind by kind; older data is deleted within the hour.',
  body: Type.Object({
    reports: days(retentionLimits.reports),
    fine: days(retentionLimits.fine),
    hours: days(retentionLimits.hours),
    days: days(retentionLimits.days),
    terminals: days(retentionLimits.terminals),
    sessions: days(retentionLimits.sessions),
    visits: days(retentionLimits.visits),
    /** Kept longer while sessions or visits exist. */
    stations: days(retentionLimits.stations),
  }),
  data: Empty,
  example: () => ({ fine: 30 }),
});

export const saveMap = endpoint({
  ...writing,
  path: '/api/v3/install/map',
  summary: 'Chooses the base map that browsers load; a field that is left out stays.',
  body: Type.Partial(Type.Object(mapSettings)),
  data: Empty,
  example: () => ({ preset: 'osm' as const }),
});

export const saveMail = endpoint({
  ...writing,
  path: '/api/v3/install/mail/save',
  summary: 'Sets how mail leaves; a field that is left out stays.',
  body: Type.Object({ ...Type.Partial(Type.Object(mailSettings)).properties, password: Secret }),
  data: Empty,
  example: () => ({
    provider: 'outbox' as const,
    host: '',
    port: 587,
    security: 'starttls' as const,
    user: '',
    from: '' as const,
  }),
});

export const saveSms = endpoint({
  ...writing,
  path: '/api/v3/install/sms/save',
  summary: 'Sets how SMS leave; a field that is left out stays.',
  body: Type.Object({ ...Type.Partial(Type.Object(smsSettings)).properties, secret: Secret }),
  data: Empty,
  example: () => ({ provider: 'outbox' as const, key_id: '', sender: '', app_id: '', region: '', templates: {} }),
});

export const testMail = endpoint({
  ...writing,
  path: '/api/v3/install/mail/test',
  limit: perMinute(10),
  summary: 'Sends a test mail at once and returns the server’s answer; 4020 if it was refused.',
  body: Type.Object({ to: Email }),
  data: Type.Object({ answer: Type.String() }),
  example: (seed) => ({ to: seed.account.email }),
});

export const testSms = endpoint({
  ...writing,
  path: '/api/v3/install/sms/test',
  limit: perMinute(10),
  summary: 'Sends a test SMS at once and returns the provider’s answer; 4020 if it was refused.',
  body: Type.Object({ to: Mobile }),
  data: Type.Object({ answer: Type.String() }),
  example: () => ({ to: '13900000000' }),
});

export const accountList = endpoint({
  ...reading,
  path: '/api/v3/install/account/list',
  summary: 'The accounts of the installation; the keyword finds names, e-mails, mobiles and binding codes.',
  body: ListQuery(['created_at', 'members'], { locked: Type.Optional(Type.Boolean()) }),
  data: ListOf(
    Type.Object({
      account_id: Id,
      name: Type.String(),
      owner: Type.String(),
      created_at: Time,
      members: Type.Integer(),
      sdwan_status: Type.Boolean(),
      second_factor: Type.Boolean(),
      locked: Type.Boolean(),
      last_active_at: Nullable(Time),
    }),
  ),
  example: () => ({ page: 1, limit: 10 }),
});

export const accountLock = endpoint({
  ...writing,
  object: { account_id: 'account' },
  path: '/api/v3/install/account/lock',
  summary: 'Locks an account: its people cannot sign in and its sessions end; its devices stay. Or unlocks it.',
  body: Type.Object({ account_id: Id, locked: Type.Boolean() }),
  data: Empty,
  example: (seed) => ({ account_id: seed.otherAccount.id, locked: true }),
});

export const accountReset = endpoint({
  ...writing,
  object: { account_id: 'account' },
  path: '/api/v3/install/account/reset',
  summary:
    'Helps an owner without access: sends a link for a new password, or switches the second factor off. Ends the sessions.',
  body: Type.Object({ account_id: Id, what: Words(['password', 'second_factor']) }),
  data: Type.Object({ sent_to: Nullable(Type.String()) }),
  example: (seed) => ({ account_id: seed.otherAccount.id, what: 'password' as const }),
});

export const accountSdwan = endpoint({
  ...writing,
  object: { account_id: 'account' },
  path: '/api/v3/install/account/sdwan',
  summary: 'Switches SD-WAN on or off for an account.',
  body: Type.Object({ account_id: Id, on: Type.Boolean() }),
  data: Empty,
  example: (seed) => ({ account_id: seed.otherAccount.id, on: false }),
});
