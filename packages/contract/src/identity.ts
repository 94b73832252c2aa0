import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import {
  AnyPassword,
  Code,
  CodeSent,
  Email,
  Mobile,
  NewPassword,
  Personalization,
  Remember,
} from './identity-shapes.ts';
import { memberRoles, permissions } from './permissions.ts';
import { Empty, Id, Nullable, Time, Words } from './shapes.ts';

const SmsSignIn = Type.Object({
  mobile: Mobile,
  sms_code: Code,
  password: Type.Optional(Type.String({ maxLength: 256 })),
  confirm_password: Type.Optional(Type.String({ maxLength: 256 })),
  remember: Remember,
});

const publicSignIn = { access: 'public', permission: null, object: {}, effect: 'write', token: true } as const;

export const login = endpoint({
  ...publicSignIn,
  path: '/api/v3/login',
  method: 'POST',
  unaudited: 'sign-ins have a log of their own (logs/auth)',
  limit: { max: 120, windowSeconds: 60 },
  summary: 'Signs in with e-mail and password; 2006 asks for the second factor with `data.ticket`.',
  body: Type.Object({
    email: Type.String({ minLength: 1, maxLength: 254 }),
    password: AnyPassword,
    remember: Remember,
  }),
  data: Empty,
  example: (seed) => ({ email: seed.account.email, password: seed.account.password }),
});

export const loginCode = endpoint({
  access: 'public',
  permission: null,
  object: {},
  effect: 'write',
  path: '/api/v3/mobile_login/get_sms_code',
  method: 'POST',
  unaudited: 'no account is known yet; the outbox keeps the message',
  limit: { max: 120, windowSeconds: 60 },
  summary: 'Sends an SMS code for signing in or registering.',
  body: Type.Object({ mobile: Mobile }),
  data: CodeSent,
  example: (seed) => ({ mobile: seed.account.mobile }),
});

export const smsLogin = endpoint({
  ...publicSignIn,
  path: '/api/v3/sms_code/login',
  method: 'POST',
  unaudited: 'sign-ins have a log of their own (logs/auth)',
  limit: { max: 120, windowSeconds: 60 },
  summary: 'Signs in with a mobile and an SMS code; 2005 asks for a first password, 2006 for the second factor.',
  body: SmsSignIn,
  data: Empty,
  example: (seed) => ({ mobile: seed.account.mobile, sms_code: '000000' }),
});

export const smsRegister = endpoint({
  ...publicSignIn,
  path: '/api/v3/register_for_sms_code',
  method: 'POST',
  limit: { max: 120, windowSeconds: 60 },
  summary: 'Registers with a mobile, its SMS code and a first password, and signs in.',
  body: Type.Object({
    mobile: Mobile,
    sms_code: Code,
    password: NewPassword,
    confirm_password: Type.String(),
    remember: Remember,
  }),
  data: Empty,
  example: () => ({ mobile: '13900000000', sms_code: '000000', password: 'abcd1234', confirm_password: 'abcd1234' }),
});

export const registerEmailCode = endpoint({
  access: 'public',
  permission: null,
  object: {},
  effect: 'write',
  path: '/api/v3/register/get_email_code',
  method: 'POST',
  unaudited: 'no account is known yet; the outbox keeps the message',
  limit: { max: 120, windowSeconds: 60 },
  summary: 'Sends an e-mail code for registering; it lives five minutes.',
  body: Type.Object({ email: Email }),
  data: CodeSent,
  example: () => ({ email: 'new@example.com' }),
});

export const registerEmail = endpoint({
  ...publicSignIn,
  path: '/api/v3/register',
  method: 'POST',
  limit: { max: 120, windowSeconds: 60 },
  summary: 'Registers with an e-mail, its code and a password, and signs in.',
  body: Type.Object({
    email: Email,
    email_code: Code,
    password: NewPassword,
    confirm_password: Type.String(),
    remember: Remember,
  }),
  data: Empty,
  example: () => ({
    email: 'new@example.com',
    email_code: '000000',
    password: 'abcd1234',
    confirm_password: 'abcd1234',
  }),
});

export const UserData = Type.Object({
  id: Id,
  /** The current account; `home_…` is the person's own. */
  account_id: Id,
  account_name: Type.String(),
  home_account_id: Id,
  name: Type.String(),
  email: Nullable(Type.String()),
  mobile: Nullable(Type.String()),
  created_at: Time,
  qq: Type.String(),
  /** Null without permission to bind devices. */
  account_code: Nullable(Type.String()),
  sdwan_status: Type.Boolean(),
  personalization: Personalization,
  /** Null: access by delegation. */
  role: Nullable(Words(memberRoles)),
  /** As checked by the endpoints. */
  permissions: Type.Array(Words(permissions)),
  gwids: Nullable(Type.Array(Id)),
  /** View-as mode. */
  viewing: Type.Boolean(),
  time_zone: Type.String(),
  /** Books and their files are in it. */
  account_time_zone: Type.String(),
  /** Progress in `open/installation`. */
  preparing: Type.Optional(Type.Literal(true)),
  /** Reports and uploads are refused. */
  storage_full: Type.Optional(Type.Literal(true)),
});

export const user = endpoint({
  access: 'user',
  permission: null,
  object: {},
  effect: 'read',
  path: '/api/v3/user',
  method: 'GET',
  summary: 'The signed-in person; 4003 with a missing or dead token.',
  body: Empty,
  data: UserData,
  example: () => ({}),
});

export const logout = endpoint({
  access: 'user',
  permission: null,
  object: {},
  effect: 'write',
  path: '/api/v3/logout',
  method: 'GET',
  unaudited: 'sign-outs have a log of their own (logs/auth)',
  summary: 'Ends the session of the token.',
  body: Empty,
  data: Empty,
  example: () => ({}),
});

const open = { access: 'public', permission: null, object: {}, effect: 'write', method: 'POST' } as const;
const beforeSignIn = 'nothing of an account changes; what comes of it is logged';
const perMinute = (max: number) => ({ max, windowSeconds: 60 });

export const secondFactor = endpoint({
  ...publicSignIn,
  path: '/api/v3/login/second_factor',
  method: 'POST',
  unaudited: 'sign-ins have a log of their own (logs/auth)',
  limit: perMinute(60),
  summary: 'Ends a sign-in that answered 2006: with a code of the authenticator app, or a recovery code.',
  body: Type.Object({
    ticket: Type.String({ minLength: 20, maxLength: 100 }),
    code: Type.String({ minLength: 6, maxLength: 20 }),
  }),
  data: Empty,
  example: () => ({ ticket: 'x'.repeat(43), code: '000000' }),
});

export const passkeyOptions = endpoint({
  ...open,
  path: '/api/v3/login/passkey_options',
  unaudited: beforeSignIn,
  limit: perMinute(60),
  summary: 'What the browser needs for signing in with a passkey (WebAuthn request options).',
  body: Empty,
  data: Type.Object({ ticket: Type.String(), options: Type.Unknown() }),
  example: () => ({}),
});

export const passkeyLogin = endpoint({
  ...publicSignIn,
  path: '/api/v3/login/passkey',
  method: 'POST',
  unaudited: 'sign-ins have a log of their own (logs/auth)',
  limit: perMinute(60),
  summary: 'Signs in with a passkey; it is both factors by itself.',
  body: Type.Object({
    ticket: Type.String({ minLength: 20, maxLength: 100 }),
    response: Type.Unknown(),
    remember: Remember,
  }),
  data: Empty,
  example: () => ({ ticket: 'x'.repeat(43), response: {} }),
});

export const qrCreate = endpoint({
  ...open,
  path: '/api/v3/qrcode/create',
  unaudited: beforeSignIn,
  limit: perMinute(30),
  summary: 'Starts a sign-in by QR code: the page polls `qruuid`, a signed-in phone opens `url`.',
  body: Empty,
  data: Type.Object({ qruuid: Id, url: Type.String(), expire_at: Time }),
  example: () => ({}),
});

export const qrStates = ['waiting', 'confirmed', 'refused', 'expired'] as const;

export const qrCheck = endpoint({
  ...publicSignIn,
  path: '/api/v3/check_qrcode_id',
  method: 'POST',
  unaudited: 'sign-ins have a log of their own (logs/auth)',
  limit: perMinute(600),
  summary: 'State of a sign-in by QR code; `token` is returned once, with `confirmed`.',
  body: Type.Object({ qruuid: Id, remember: Remember }),
  data: Type.Object({ status: Words(qrStates) }),
  example: () => ({ qruuid: '00000000-0000-7000-8000-000000000000' }),
});

export const qrLook = endpoint({
  access: 'user',
  permission: null,
  object: {},
  effect: 'read',
  personal: true,
  interactive: true,
  path: '/api/v3/qrcode/look',
  method: 'POST',
  limit: perMinute(60),
  summary: 'Which browser asks to be signed in, for the phone that is to confirm it; 4014 when it no longer asks.',
  body: Type.Object({ code: Type.String({ minLength: 20, maxLength: 100 }) }),
  data: Type.Object({ ip: Type.String(), user_agent: Type.String(), created_at: Time, expire_at: Time }),
  example: (seed) => ({ code: seed.qrCode }),
});

export const qrAnswer = endpoint({
  access: 'user',
  permission: null,
  object: {},
  effect: 'write',
  personal: true,
  interactive: true,
  path: '/api/v3/qrcode/answer',
  method: 'POST',
  unaudited: 'sign-ins have a log of their own (logs/auth)',
  limit: perMinute(60),
  summary: 'Confirms or refuses the sign-in of the browser that shows the QR code.',
  body: Type.Object({ code: Type.String({ minLength: 20, maxLength: 100 }), accept: Type.Boolean() }),
  data: Empty,
  example: (seed) => ({ code: seed.qrCode, accept: true }),
});

export const forgot = endpoint({
  ...open,
  path: '/api/v3/password/forgot',
  unaudited: beforeSignIn,
  limit: perMinute(60),
  summary: 'Sends a link (e-mail) or a code (mobile) for a new password; the answer is the same for an unknown one.',
  body: Type.Object({ email: Type.Optional(Email), mobile: Type.Optional(Mobile) }),
  data: CodeSent,
  example: (seed) => ({ email: seed.account.email }),
});

export const forgotCode = endpoint({
  ...open,
  path: '/api/v3/password/forgot_code',
  unaudited: beforeSignIn,
  limit: perMinute(60),
  summary: 'Exchanges the SMS code of `password/forgot` for the token of the reset page.',
  body: Type.Object({ mobile: Mobile, sms_code: Code }),
  data: Type.Object({ reset_token: Type.String() }),
  example: () => ({ mobile: '13900000000', sms_code: '000000' }),
});

const ResetToken = Type.String({ minLength: 20, maxLength: 100 });

export const resetCheck = endpoint({
  ...open,
  effect: 'read',
  path: '/api/v3/password/reset_check',
  limit: perMinute(60),
  summary: 'Whether a reset token still works: 4013 used, 4014 expired or unknown.',
  body: Type.Object({ token: ResetToken }),
  data: Type.Object({ login: Type.String(), expire_at: Time }),
  example: () => ({ token: 'x'.repeat(43) }),
});

export const reset = endpoint({
  ...open,
  path: '/api/v3/password/reset',
  limit: perMinute(60),
  summary: 'Sets a new password with a reset token, once; ends every session of the person.',
  body: Type.Object({ token: ResetToken, password: NewPassword, confirm_password: Type.String() }),
  data: Type.Object({ login: Type.String() }),
  example: () => ({ token: 'x'.repeat(43), password: 'abcd1234', confirm_password: 'abcd1234' }),
});
