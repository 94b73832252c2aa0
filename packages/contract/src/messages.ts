import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Empty, Id, ListOf, ListQuery, Nullable, Time, Words } from './shapes.ts';

export const messageTypes = ['system', 'security', 'product', 'billing', 'job', 'alarm'] as const;
export type MessageType = (typeof messageTypes)[number];

export interface MessageKind {
  type: MessageType;
  values: readonly string[];
}

export const messageKinds = {
  deviceReenrolled: { type: 'security', values: ['serial', 'address'] },
  /** Re-enrolment without proof by the old key. */
  enrolmentWaits: { type: 'security', values: ['serial', 'address'] },
  /** Two hosts with one certificate: the first keeps the session. */
  certificateShared: { type: 'security', values: ['serial', 'first', 'second'] },
  serialClaimed: { type: 'security', values: ['serial', 'hours', 'reason'] },
  serialAwaited: { type: 'security', values: ['serial', 'hours'] },
  serialMoved: { type: 'security', values: ['serial', 'reason'] },
  serialGiven: { type: 'security', values: ['serial'] },
  serialObjected: { type: 'security', values: ['serial', 'reason'] },
  serialWithdrawn: { type: 'security', values: ['serial', 'reason'] },
  /** By a factory certificate. */
  serialTaken: { type: 'security', values: ['serial'] },
  serialProven: { type: 'security', values: ['serial'] },
  newPlace: { type: 'security', values: ['ip', 'user_agent'] },
  passwordChanged: { type: 'security', values: [] },
  passwordReset: { type: 'security', values: [] },
  passwordResetSent: { type: 'security', values: [] },
  withdrawalPasswordChanged: { type: 'security', values: [] },
  mobileChanged: { type: 'security', values: ['mobile'] },
  emailChanged: { type: 'security', values: ['email'] },
  secondFactorOn: { type: 'security', values: [] },
  secondFactorOff: { type: 'security', values: [] },
  secondFactorReset: { type: 'security', values: [] },
  recoveryCodesRenewed: { type: 'security', values: [] },
  passkeyAdded: { type: 'security', values: ['name'] },
  passkeyDeleted: { type: 'security', values: ['name'] },
  tokenCreated: { type: 'security', values: ['name'] },
  invitation: { type: 'system', values: ['inviter', 'account', 'days'] },
  memberJoined: { type: 'system', values: ['person'] },
  memberLeft: { type: 'system', values: ['person'] },
  memberChanged: { type: 'system', values: ['account'] },
  memberRemoved: { type: 'system', values: ['account'] },
  wifiPasswordChanged: { type: 'system', values: ['name', 'ssid'] },
  hostingGranted: { type: 'system', values: ['account', 'by'] },
  hostingChanged: { type: 'system', values: ['account', 'by'] },
  hostingRevoked: { type: 'system', values: ['account', 'by'] },
  transferConfirmed: { type: 'billing', values: ['order', 'amount'] },
  transferRefused: { type: 'billing', values: ['order', 'amount', 'reason'] },
  clearingShort: { type: 'billing', values: ['owed', 'held'] },
  twoPersonsAsked: { type: 'security', values: ['person', 'name', 'kind'] },
  twoPersonsStoodIn: { type: 'security', values: ['person', 'name'] },
  limitAsked: { type: 'security', values: ['person', 'from', 'to'] },
  limitLoosening: { type: 'security', values: ['from', 'to'] },
  limitLoosened: { type: 'security', values: ['from', 'to'] },
  limitLooseningEnded: { type: 'security', values: ['person', 'limit'] },
  withdrawalApproved: { type: 'billing', values: ['amount'] },
  withdrawalPaid: { type: 'billing', values: ['amount', 'fee', 'receipt'] },
  withdrawalRefused: { type: 'billing', values: ['amount', 'reason'] },
  invoiceIssued: { type: 'billing', values: ['number', 'amount'] },
  fapiaoAsked: { type: 'billing', values: ['order', 'amount'] },
  fapiaoFailed: { type: 'billing', values: ['order', 'reason'] },
  invoiceRefused: { type: 'billing', values: ['amount', 'reason'] },
  sdwanExpires: { type: 'billing', values: ['days'] },
  sdwanExpired: { type: 'billing', values: ['days'] },
  smsLow: { type: 'system', values: ['left'] },
  siteSilenceEnded: { type: 'alarm', values: ['network'] },
  remoteOpened: { type: 'security', values: ['person', 'target', 'purpose'] },
  remoteLinkOpened: { type: 'security', values: ['guest', 'person', 'target', 'purpose'] },
  /** Made in the person's language. */
  alarmNotice: { type: 'alarm', values: ['subject', 'text'] },
} as const satisfies Readonly<Record<string, MessageKind>>;
export type MessageTemplate = keyof typeof messageKinds;
export type MessageText<T extends string = MessageTemplate> = `message.${T}.${'title' | 'body'}`;
export type MessageValues<T extends MessageTemplate> = Readonly<
  Record<(typeof messageKinds)[T]['values'][number], string | number>
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
