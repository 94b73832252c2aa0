import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { permissions, roles } from './permissions.ts';
import { Empty, Id, Nullable, Time, Words } from './shapes.ts';

export const themes = ['light', 'dark', 'system'] as const;
export const homeSections = ['revenue', 'network', 'users', 'alarms'] as const;
export type Theme = (typeof themes)[number];
export type HomeSection = (typeof homeSections)[number];
export const locales = ['zh-CN', 'en'] as const;
export type Locale = (typeof locales)[number];

const Mobile = Type.String({ rule: 'mobile' });
const Email = Type.String({ rule: 'email', maxLength: 254 });
const Code = Type.String({ pattern: '^\\d{6}$' });
const NewPassword = Type.String({ rule: 'password' });
const AnyPassword = Type.String({ minLength: 1, maxLength: 256 });
const Remember = Type.Optional(Type.Boolean());

/** Codes left today for a mobile, and when the next may be asked for. */
const CodeSent = Type.Object({
  /** Seconds until another code may be asked for. */
  retry_after: Type.Integer(),
  /** SMS codes left today for this mobile; null for e-mail. */
  left_today: Nullable(Type.Integer()),
  /** Whether codes go to the outbox file because no provider is configured. */
  outbox: Type.Boolean(),
});

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
  summary: 'Signs in with e-mail and password.',
  body: Type.Object({
    email: Type.String({ minLength: 1, maxLength: 254 }),
    password: AnyPassword,
    remember: Remember,
  }),
  data: Empty,
  example: (world) => ({ email: world.account.email, password: world.account.password }),
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
  example: (world) => ({ mobile: world.account.mobile }),
});

export const smsLogin = endpoint({
  ...publicSignIn,
  path: '/api/v3/sms_code/login',
  method: 'POST',
  unaudited: 'sign-ins have a log of their own (logs/auth)',
  limit: { max: 120, windowSeconds: 60 },
  summary: 'Signs in with a mobile and an SMS code; 2005 asks for a first password.',
  body: SmsSignIn,
  data: Empty,
  example: (world) => ({ mobile: world.account.mobile, sms_code: '000000' }),
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

/** The signed-in person, with what the acted-in account allows. */
export const UserData = Type.Object({
  id: Id,
  account_id: Id,
  email: Nullable(Type.String()),
  mobile: Nullable(Type.String()),
  created_at: Time,
  qq: Type.String(),
  /** The binding code that devices enrol with; null when the person may not bind devices here. */
  account_code: Nullable(Type.String()),
  sdwan_status: Type.Boolean(),
  personalization: Type.Object({ theme: Words(themes), home_section: Words(homeSections) }),
  role: Nullable(Words(roles)),
  permissions: Type.Array(Words(permissions)),
  time_zone: Type.String(),
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

export const rotateBindingCode = endpoint({
  access: 'user',
  permission: 'network.bind',
  object: {},
  effect: 'write',
  path: '/api/v3/profile/binding_code/rotate',
  method: 'POST',
  summary: 'Replaces the binding code; the old one stops working at once.',
  body: Empty,
  data: Type.Object({ account_code: Type.String() }),
  example: () => ({}),
});

export const savePersonalization = endpoint({
  access: 'user',
  permission: null,
  object: {},
  effect: 'write',
  path: '/api/v3/personalization/save',
  method: 'POST',
  summary: 'Saves theme and home section.',
  body: Type.Object({ theme: Type.Optional(Words(themes)), home_section: Type.Optional(Words(homeSections)) }),
  data: Type.Object({ theme: Words(themes), home_section: Words(homeSections) }),
  example: () => ({ theme: 'dark' as const }),
});

export const installationState = endpoint({
  access: 'public',
  permission: null,
  object: {},
  effect: 'read',
  path: '/api/v3/open/installation',
  method: 'POST',
  summary: 'What the sign-in page says about this installation.',
  body: Empty,
  data: Type.Object({
    registration_open: Type.Boolean(),
    outbox: Type.Boolean(),
    has_administrator: Type.Boolean(),
    version: Type.String(),
  }),
  example: () => ({}),
});

export const claimInstallation = endpoint({
  access: 'user',
  permission: null,
  object: {},
  effect: 'write',
  path: '/api/v3/install/claim',
  method: 'POST',
  limit: { max: 10, windowSeconds: 60 },
  summary: 'Makes the signed-in person administrator of the installation with the one-time set-up token.',
  body: Type.Object({ token: Type.String({ minLength: 20, maxLength: 100 }) }),
  data: Empty,
  example: (world) => ({ token: world.setupToken }),
});
