import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Empty, Id, ListOf, ListQuery, Nullable, Time, Words } from './shapes.ts';

export const messageTypes = ['system', 'security', 'product', 'billing', 'job', 'alarm'] as const;
export type MessageType = (typeof messageTypes)[number];

/** Texts: `message.<template>.title`, `.body`. */
export const messageTemplates = {
  deviceReenrolled: ['serial', 'address'],
  /** Re-enrolment without proof by the old key. */
  enrolmentWaits: ['serial', 'address'],
  /** Two hosts with one certificate: the first keeps the session. */
  certificateShared: ['serial', 'first', 'second'],
  serialClaimed: ['serial', 'hours', 'reason'],
  serialAwaited: ['serial', 'hours'],
  serialMoved: ['serial', 'reason'],
  serialGiven: ['serial'],
  serialObjected: ['serial', 'reason'],
  serialWithdrawn: ['serial', 'reason'],
  /** By a factory certificate. */
  serialTaken: ['serial'],
  serialProven: ['serial'],
  newPlace: ['ip', 'user_agent'],
  passwordChanged: [],
  passwordReset: [],
  passwordResetSent: [],
  withdrawalPasswordChanged: [],
  mobileChanged: ['mobile'],
  emailChanged: ['email'],
  secondFactorOn: [],
  secondFactorOff: [],
  secondFactorReset: [],
  recoveryCodesRenewed: [],
  passkeyAdded: ['name'],
  passkeyDeleted: ['name'],
  tokenCreated: ['name'],
  invitation: ['inviter', 'account', 'days'],
  memberJoined: ['person'],
  memberLeft: ['person'],
  memberChanged: ['account'],
  memberRemoved: ['account'],
  wifiPasswordChanged: ['name', 'ssid'],
  hostingGranted: ['account', 'by'],
  hostingChanged: ['account', 'by'],
  hostingRevoked: ['account', 'by'],
  transferConfirmed: ['order', 'amount'],
  transferRefused: ['order', 'amount', 'reason'],
  twoPersonsAsked: ['person', 'name', 'kind'],
  twoPersonsStoodIn: ['person', 'name'],
  limitAsked: ['person', 'from', 'to'],
  limitLoosening: ['from', 'to'],
  limitLoosened: ['from', 'to'],
  limitLooseningEnded: ['person', 'limit'],
  withdrawalApproved: ['amount'],
  withdrawalPaid: ['amount', 'fee', 'receipt'],
  withdrawalRefused: ['amount', 'reason'],
  invoiceIssued: ['number', 'amount'],
  invoiceRefused: ['amount', 'reason'],
  sdwanExpires: ['days'],
  sdwanExpired: ['days'],
  smsLow: ['left'],
  siteSilenceEnded: ['network'],
  /** Made in the person's language. */
  alarmNotice: ['subject', 'text'],
} as const satisfies Readonly<Record<string, readonly string[]>>;
export type MessageTemplate = keyof typeof messageTemplates;
export type MessageValues<T extends MessageTemplate> = Readonly<
  Record<(typeof messageTemplates)[T][number], string | number>
>;

const inAccount = { access: 'user', object: {}, method: 'POST' } as const;
const reading = { ...inAccount, permission: 'message.read', effect: 'read' } as const;
/** Marks are per person; inbox access suffices. */
const marking = {
  ...inAccount,
  permission: 'message.read',
  effect: 'write',
  unaudited: 'marks of one person on the inbox; only that person sees them',
} as const;
const Ids = Type.Array(Id, { minItems: 1, maxItems: 200, uniqueItems: true });

const MessageRow = Type.Object({
  id: Id,
  type: Words(messageTypes),
  /** Texts: `message.<template>.title` and `.body`. */
  template: Type.String(),
  params: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
  /** Console path of the subject. */
  link: Nullable(Type.String()),
  is_read: Type.Boolean(),
  created_at: Time,
});

export const list = endpoint({
  ...reading,
  path: '/api/v3/message/list',
  bodyBytes: 40 * 1024,
  summary: 'The inbox of the account acted in, newest first.',
  body: ListQuery(['created_at'], {
    type: Type.Optional(Words(messageTypes)),
    unread: Type.Optional(Type.Boolean()),
    /** Their localized text matches the keyword. */
    keyword_templates: Type.Optional(Type.Array(Type.String({ maxLength: 64 }), { maxItems: 200 })),
  }),
  data: ListOf(MessageRow),
  example: () => ({ page: 1, limit: 10 }),
});

export const detail = endpoint({
  ...reading,
  object: { id: 'message' },
  path: '/api/v3/message/detail',
  summary: 'One message, with the ones before and after it.',
  body: Type.Object({ id: Id }),
  data: Type.Object({ message: MessageRow, newer: Nullable(Id), older: Nullable(Id) }),
  example: (seed) => ({ id: seed.message.id }),
});

export const read = endpoint({
  ...marking,
  object: { ids: 'message' },
  path: '/api/v3/message/read',
  summary: 'Marks messages as read.',
  body: Type.Object({ ids: Ids }),
  data: Type.Object({ unread: Type.Integer() }),
  example: (seed) => ({ ids: [seed.message.id] }),
});

export const readAll = endpoint({
  ...marking,
  path: '/api/v3/message/read_all',
  summary: 'Marks every message as read, or every one of a type.',
  body: Type.Object({ type: Type.Optional(Words(messageTypes)) }),
  data: Type.Object({ unread: Type.Integer() }),
  example: () => ({}),
});

export const remove = endpoint({
  ...marking,
  object: { id: 'message' },
  path: '/api/v3/message/delete',
  summary: 'Takes a message out of the person’s inbox.',
  body: Type.Object({ id: Id }),
  data: Empty,
  example: (seed) => ({ id: seed.message.id }),
});

export const batchRemove = endpoint({
  ...marking,
  object: { ids: 'message' },
  path: '/api/v3/message/batch_delete',
  summary: 'Takes messages out of the person’s inbox.',
  body: Type.Object({ ids: Ids }),
  data: Type.Object({ deleted: Type.Integer() }),
  example: (seed) => ({ ids: [seed.message.id] }),
});

export const unreadCount = endpoint({
  ...reading,
  path: '/api/v3/message/unread_count',
  summary: 'How many messages are unread, and the newest five of them.',
  body: Empty,
  data: Type.Object({ unread: Type.Integer(), newest: Type.Array(MessageRow) }),
  example: () => ({}),
});
