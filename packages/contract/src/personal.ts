import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import {
  AnyPassword,
  Code,
  CodeSent,
  densities,
  Email,
  HomeLayout,
  homeSections,
  locales,
  Mobile,
  NewPassword,
  type PageSize,
  Personalization,
  themes,
  Zone,
} from './identity-shapes.ts';
import { Empty, FreeText, Nullable, pageSizes, Words } from './shapes.ts';

const mine = { access: 'user', permission: null, object: {}, effect: 'write', personal: true } as const;
const perMinute = (max: number) => ({ max, windowSeconds: 60 });

export const mobileCode = endpoint({
  ...mine,
  ownTransaction: true,
  path: '/api/v3/sms_code_for_mobile/:mobile',
  method: 'GET',
  confirm: true,
  unaudited: 'nothing changes yet; the outbox keeps the message',
  limit: perMinute(60),
  summary:
    'Sends an SMS code to the mobile that is to be bound; asks for a session that was confirmed in the last ten minutes.',
  body: Type.Object({ mobile: Mobile }),
  data: CodeSent,
  example: (seed) => ({ mobile: seed.newMobile }),
});

export const mobileCheck = endpoint({
  ...mine,
  path: '/api/v3/profile/mobile_check',
  method: 'POST',
  confirm: true,
  unaudited: 'step 1 of the change of the mobile; nothing changes yet',
  limit: perMinute(20),
  summary: 'Step 1 of the dialog that changes the mobile: whether this is the bound one; 4016 when it is another.',
  body: Type.Object({ mobile: Mobile }),
  data: Empty,
  example: (seed) => ({ mobile: seed.account.mobile }),
});

export const saveMobile = endpoint({
  ...mine,
  ownTransaction: true,
  path: '/api/v3/profile/mobile',
  method: 'POST',
  confirm: true,
  limit: perMinute(20),
  summary: 'Step 2 of changing the mobile: binds a new one with its SMS code.',
  body: Type.Object({ mobile: Mobile, sms_code: Code }),
  data: Type.Object({ mobile: Type.String() }),
  example: (seed) => ({ mobile: seed.newMobile, sms_code: seed.codes.mobile }),
});

export const emailCode = endpoint({
  ...mine,
  ownTransaction: true,
  path: '/api/v3/profile/email_code',
  method: 'POST',
  confirm: true,
  unaudited: 'nothing changes yet; the outbox keeps the message',
  limit: perMinute(60),
  summary: 'Sends a code to the e-mail that is to be bound.',
  body: Type.Object({ email: Email }),
  data: CodeSent,
  example: (seed) => ({ email: `new.${seed.account.email}` }),
});

export const saveEmail = endpoint({
  ...mine,
  ownTransaction: true,
  path: '/api/v3/profile/email',
  method: 'POST',
  confirm: true,
  limit: perMinute(20),
  summary: 'Binds an e-mail with its code.',
  body: Type.Object({ email: Email, email_code: Code }),
  data: Type.Object({ email: Type.String() }),
  example: (seed) => ({ email: seed.newEmail, email_code: seed.codes.email }),
});

export const saveQq = endpoint({
  ...mine,
  path: '/api/v3/profile/qq',
  method: 'POST',
  summary: 'Saves the QQ number; empty removes it.',
  body: Type.Object({ qq: Type.String({ pattern: '^([1-9]\\d{4,11})?$', hint: 'qq' }) }),
  data: Type.Object({ qq: Type.String() }),
  example: () => ({ qq: '10001' }),
});

export const saveName = endpoint({
  ...mine,
  path: '/api/v3/profile/name',
  method: 'POST',
  summary: 'Saves how the person is named to others; empty removes it.',
  body: Type.Object({ name: Type.Union([Type.Literal(''), FreeText(32)]) }),
  data: Type.Object({ name: Type.String() }),
  example: () => ({ name: 'Ms-Li' }),
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
  ...mine,
  path: '/api/v3/personalization/save',
  method: 'POST',
  summary: 'Saves the person’s preferences; omitted ones stay.',
  body: Type.Object({
    theme: Type.Optional(Words(themes)),
    home_section: Type.Optional(Words(homeSections)),
    home_layout: Type.Optional(HomeLayout),
    language: Type.Optional(Words(locales)),
    density: Type.Optional(Words(densities)),
    time_zone: Type.Optional(Nullable(Zone)),
    page_size: Type.Optional(Type.Unsafe<PageSize>({ type: 'integer', enum: [...pageSizes] })),
  }),
  data: Personalization,
  example: () => ({ theme: 'dark' as const }),
});

export const savePassword = endpoint({
  ...mine,
  interactive: true,
  ownTransaction: true,
  path: '/api/v3/security/password',
  method: 'POST',
  limit: perMinute(20),
  summary: 'Changes the password; 4006 if the old one is wrong. Ends the other sessions unless disabled.',
  body: Type.Object({
    old_password: AnyPassword,
    password: NewPassword,
    confirm_password: Type.String(),
    keep_others: Type.Optional(Type.Boolean()),
  }),
  data: Empty,
  example: (seed) => ({
    old_password: seed.account.password,
    password: 'another2Horse',
    confirm_password: 'another2Horse',
  }),
});

export const saveWithdrawalPassword = endpoint({
  ...mine,
  ownTransaction: true,
  path: '/api/v3/security/withdrawal_password',
  method: 'POST',
  confirm: true,
  summary: 'Sets the withdrawal password: six digits.',
  body: Type.Object({ password: Type.String({ rule: 'withdrawalPassword' }), confirm_password: Type.String() }),
  data: Empty,
  example: () => ({ password: '135790', confirm_password: '135790' }),
});
