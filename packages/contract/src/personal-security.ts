import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { AnyPassword } from './identity-shapes.ts';
import { areas } from './permissions.ts';
import { Empty, FreeText, Id, ListOf, ListQuery, Nullable, Time, Words } from './shapes.ts';

const mine = { access: 'user', permission: null, object: {}, effect: 'write', method: 'POST', personal: true } as const;
const reading = { ...mine, effect: 'read' } as const;
const perMinute = (max: number) => ({ max, windowSeconds: 60 });

export const confirm = endpoint({
  ...mine,
  interactive: true,
  ownTransaction: true,
  path: '/api/v3/security/confirm',
  unaudited: 'changes nothing but for how long this session counts as confirmed',
  limit: perMinute(20),
  token: true,
  summary:
    'Confirms the person for ten minutes, by password or a code of the second factor. Returns a new `token`; the previous one ends.',
  body: Type.Object({ password: Type.Optional(AnyPassword), code: Type.Optional(Type.String({ maxLength: 20 })) }),
  /** `remembered`: a seven-day session. */
  data: Type.Object({ until: Time, remembered: Type.Boolean() }),
  example: (seed) => ({ password: seed.account.password }),
});

/** Points; the sum is 100. */
export const scoreItems = ['password', 'two_logins', 'second_factor', 'recovery_codes', 'withdrawal', 'fresh'] as const;

export const overview = endpoint({
  ...reading,
  path: '/api/v3/security/overview',
  summary: 'Everything about how the person signs in, and a score that says what would raise it.',
  body: Empty,
  data: Type.Object({
    score: Type.Integer(),
    items: Type.Array(Type.Object({ key: Words(scoreItems), met: Type.Boolean(), points: Type.Integer() })),
    has_password: Type.Boolean(),
    password_changed_at: Nullable(Time),
    mobile: Nullable(Type.String()),
    email: Nullable(Type.String()),
    has_withdrawal_password: Type.Boolean(),
    totp_enabled_at: Nullable(Time),
    recovery_codes_left: Type.Integer(),
    passkeys: Type.Array(Type.Object({ id: Id, name: Type.String(), created_at: Time, last_used_at: Nullable(Time) })),
    /** Null: not confirmed. */
    confirmed_until: Nullable(Time),
  }),
  example: () => ({}),
});

export const totpBegin = endpoint({
  ...mine,
  path: '/api/v3/security/totp/begin',
  confirm: true,
  unaudited: 'nothing changes before totp/enable',
  summary: 'Makes the secret for an authenticator app (RFC 6238); it counts once `totp/enable` has seen a code of it.',
  body: Empty,
  data: Type.Object({ secret: Type.String(), uri: Type.String() }),
  example: () => ({}),
});

export const totpEnable = endpoint({
  ...mine,
  path: '/api/v3/security/totp/enable',
  confirm: true,
  limit: perMinute(20),
  summary: 'Switches the second factor on with a code of the app; answers recovery codes, once.',
  body: Type.Object({ code: Type.String({ pattern: '^\\d{6}$', hint: 'sixDigits' }) }),
  data: Type.Object({ recovery_codes: Type.Array(Type.String()) }),
  example: (seed) => ({ code: seed.totpCode }),
});

export const totpDisable = endpoint({
  ...mine,
  path: '/api/v3/security/totp/disable',
  confirm: true,
  summary: 'Switches the second factor off and forgets its recovery codes.',
  body: Empty,
  data: Empty,
  example: () => ({}),
});

export const recoveryRenew = endpoint({
  ...mine,
  path: '/api/v3/security/recovery/renew',
  confirm: true,
  summary: 'Makes new recovery codes; the old ones stop working.',
  body: Empty,
  data: Type.Object({ recovery_codes: Type.Array(Type.String()) }),
  example: () => ({}),
});

export const passkeyBegin = endpoint({
  ...mine,
  ownTransaction: true,
  path: '/api/v3/security/passkey/begin',
  confirm: true,
  unaudited: 'nothing changes before passkey/create',
  summary: 'What the browser needs for making a passkey (WebAuthn creation options).',
  body: Empty,
  data: Type.Object({ ticket: Type.String(), options: Type.Unknown() }),
  example: () => ({}),
});

export const passkeyCreate = endpoint({
  ...mine,
  ownTransaction: true,
  path: '/api/v3/security/passkey/create',
  confirm: true,
  limit: perMinute(20),
  summary: 'Keeps a passkey that the browser has made.',
  body: Type.Object({
    ticket: Type.String({ minLength: 20, maxLength: 100 }),
    name: FreeText(32),
    response: Type.Unknown(),
  }),
  data: Type.Object({ id: Id }),
  example: (seed) => ({ ticket: seed.newPasskey.ticket, name: 'Laptop', response: seed.newPasskey.response }),
});

export const passkeyDelete = endpoint({
  ...mine,
  ownTransaction: true,
  path: '/api/v3/security/passkey/delete',
  object: { id: 'passkey' },
  confirm: true,
  summary: 'Forgets a passkey.',
  body: Type.Object({ id: Id }),
  data: Empty,
  example: (seed) => ({ id: seed.passkey.id }),
});

export const sessionList = endpoint({
  ...reading,
  path: '/api/v3/security/session/list',
  summary: 'Where the person is signed in now.',
  body: ListQuery([], {}),
  data: ListOf(
    Type.Object({
      id: Id,
      current: Type.Boolean(),
      method: Type.String(),
      ip: Nullable(Type.String()),
      user_agent: Nullable(Type.String()),
      created_at: Time,
      last_active_at: Time,
      expires_at: Time,
    }),
  ),
  example: () => ({ page: 1, limit: 10 }),
});

export const sessionEnd = endpoint({
  ...mine,
  ownTransaction: true,
  confirm: true,
  path: '/api/v3/security/session/end',
  object: { id: 'session' },
  summary: 'Ends one session; its pages leave within seconds.',
  body: Type.Object({ id: Id }),
  data: Empty,
  example: (seed) => ({ id: seed.session.id }),
});

export const sessionEndOthers = endpoint({
  ...mine,
  ownTransaction: true,
  confirm: true,
  path: '/api/v3/security/session/end_others',
  summary: 'Ends every session of the person but this one.',
  body: Empty,
  data: Type.Object({ ended: Type.Integer() }),
  example: () => ({}),
});

const TokenRow = Type.Object({
  id: Id,
  name: Type.String(),
  scope: Words(['read', 'write']),
  areas: Nullable(Type.Array(Words(areas))),
  gwids: Nullable(Type.Array(Id)),
  created_at: Time,
  expires_at: Time,
  last_used_at: Nullable(Time),
  last_ip: Nullable(Type.String()),
});

export const tokenList = endpoint({
  ...reading,
  path: '/api/v3/security/token/list',
  summary: 'The API tokens of the person.',
  body: ListQuery([], {}),
  data: ListOf(TokenRow),
  example: () => ({ page: 1, limit: 10 }),
});

export const tokenDays = [7, 30, 90, 365] as const;

export const tokenCreate = endpoint({
  ...mine,
  ownTransaction: true,
  path: '/api/v3/security/token/create',
  bodyBytes: 40 * 1024,
  object: { gwids: 'network' },
  confirm: true,
  limit: perMinute(20),
  summary: 'Makes an API token for the person’s own account; it is shown once.',
  body: Type.Object({
    name: FreeText(32),
    scope: Words(['read', 'write']),
    areas: Nullable(Type.Array(Words(areas), { minItems: 1, uniqueItems: true })),
    gwids: Nullable(Type.Array(Id, { minItems: 1, maxItems: 1000, uniqueItems: true })),
    days: Type.Unsafe<(typeof tokenDays)[number]>({ type: 'integer', enum: [...tokenDays] }),
  }),
  data: Type.Object({ id: Id, token: Type.String() }),
  example: (seed) => ({
    name: 'Backup',
    scope: 'read' as const,
    areas: null,
    gwids: [seed.network.gwid],
    days: 30 as const,
  }),
});

export const tokenRevoke = endpoint({
  ...mine,
  ownTransaction: true,
  path: '/api/v3/security/token/revoke',
  // a leaked token must not revoke its replacements
  interactive: true,
  object: { id: 'token' },
  summary: 'Ends an API token at once.',
  body: Type.Object({ id: Id }),
  data: Empty,
  example: (seed) => ({ id: seed.token.id }),
});
