import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Empty, Id, ListOf, ListQuery, Nullable, Time, Words } from './shapes.ts';

export const messageTypes = ['system', 'security', 'product', 'billing', 'job'] as const;
export type MessageType = (typeof messageTypes)[number];

/**
 * Every kind of message that is written, with the values that it takes. The console words it in both languages, under
 * `message.<template>.title` and `.body`.
 */
export const messageTemplates = {
  deviceReenrolled: ['serial', 'address'],
  /** From where somebody signed in, and what the browser says it is. */
  newPlace: ['ip', 'user_agent'],
  passwordChanged: [],
  passwordReset: [],
  /** The installation's administrator had a link or a code sent. */
  passwordResetSent: [],
  withdrawalPasswordChanged: [],
  mobileChanged: ['mobile'],
  emailChanged: ['email'],
  secondFactorOn: [],
  secondFactorOff: [],
  /** The installation's administrator switched it off. */
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
  /** A rule has changed the password of an SSID. */
  wifiPasswordChanged: ['name', 'ssid'],
  hostingGranted: ['account', 'by'],
  hostingChanged: ['account', 'by'],
  hostingRevoked: ['account', 'by'],
} as const satisfies Readonly<Record<string, readonly string[]>>;
export type MessageTemplate = keyof typeof messageTemplates;
/** The values that a template takes. */
export type MessageValues<T extends MessageTemplate> = Readonly<
  Record<(typeof messageTemplates)[T][number], string | number>
>;

const inAccount = { access: 'user', object: {}, method: 'POST' } as const;
const reading = { ...inAccount, permission: 'message.read', effect: 'read' } as const;
/** Read and deleted are a person's own marks: who may read the inbox may set them. */
const marking = {
  ...inAccount,
  permission: 'message.read',
  effect: 'write',
  unaudited: 'marks of one person on the inbox; nobody else sees them',
} as const;
const Ids = Type.Array(Id, { minItems: 1, maxItems: 200, uniqueItems: true });

const MessageRow = Type.Object({
  id: Id,
  type: Words(messageTypes),
  /** A key of the console's catalogue: `message.<template>.title` and `.body`, with `params`. */
  template: Type.String(),
  params: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
  /** A path of the console: the object it is about. */
  link: Nullable(Type.String()),
  is_read: Type.Boolean(),
  created_at: Time,
});

export const list = endpoint({
  ...reading,
  path: '/api/v3/message/list',
  summary: 'The inbox of the account acted in, newest first.',
  body: ListQuery(['created_at'], {
    type: Type.Optional(Words(messageTypes)),
    unread: Type.Optional(Type.Boolean()),
    /** Templates that the keyword finds beside what it finds in the values: those whose text in the caller’s language has it. */
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
  example: (world) => ({ id: world.message.id }),
});

export const read = endpoint({
  ...marking,
  object: { ids: 'message' },
  path: '/api/v3/message/read',
  summary: 'Marks messages as read.',
  body: Type.Object({ ids: Ids }),
  data: Type.Object({ unread: Type.Integer() }),
  example: (world) => ({ ids: [world.message.id] }),
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
  example: (world) => ({ id: world.message.id }),
});

export const batchRemove = endpoint({
  ...marking,
  object: { ids: 'message' },
  path: '/api/v3/message/batch_delete',
  summary: 'Takes messages out of the person’s inbox.',
  body: Type.Object({ ids: Ids }),
  data: Type.Object({ deleted: Type.Integer() }),
  example: (world) => ({ ids: [world.message.id] }),
});

export const unreadCount = endpoint({
  ...reading,
  path: '/api/v3/message/unread_count',
  summary: 'How many messages are unread, and the newest five of them.',
  body: Empty,
  data: Type.Object({ unread: Type.Integer(), newest: Type.Array(MessageRow) }),
  example: () => ({}),
});
