import { type Static, Type } from 'typebox';
import { alarmKinds } from './alarms.ts';
import { endpoint } from './endpoint.ts';
import { alarmLevels } from './enums.ts';
import { Name } from './fleet-shapes.ts';
import { locales } from './messages/format.ts';
import { Empty, Id, ListOf, ListQuery, Nullable, Time, Version, Words } from './shapes.ts';

export const memberChannels = ['console', 'email', 'sms', 'web_push'] as const;
export type MemberChannel = (typeof memberChannels)[number];
export const endpointTypes = ['webhook', 'wecom', 'dingtalk', 'feishu', 'slack'] as const;
export type EndpointType = (typeof endpointTypes)[number];

export const noticeEvents = ['opened', 'repeated', 'recovered', 'silence_ended', 'test'] as const;
export type NoticeEvent = (typeof noticeEvents)[number];

export const deliveryStates = ['waiting', 'sent', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

export const noticeLimits = {
  subscriptions: 50,
  members: 20,
  endpoints: 5,
  /** Networks or groups of a scope. */
  scope: 200,
  /** Rows of a weekly schedule. */
  periods: 7,
  digestMinutes: 120,
  repeatHours: 168,
  /** The rest is counted. */
  items: 50,
  /** Per account and day (UTC). */
  smsPerDay: 100,
  /** Days that the record is kept. */
  keptDays: 90,
} as const;

const reading = { access: 'user', method: 'POST', permission: 'message.read', effect: 'read' } as const;
const writing = { ...reading, permission: 'message.write', effect: 'write' } as const;

const unique = { uniqueItems: true } as const;
const Period = Type.String({ rule: 'timeBucket' });
const given = {
  name: Name,
  enabled: Type.Boolean(),
  /** Of messages to addresses; members have their own. */
  locale: Words(locales),
  levels: Type.Array(Words(alarmLevels), { ...unique, minItems: 1, maxItems: alarmLevels.length }),
  /** Empty: every kind. */
  kinds: Type.Array(Words(alarmKinds), { ...unique, maxItems: alarmKinds.length }),
  scope: Type.Object({
    type: Words(['all', 'networks', 'groups']),
    /** Empty for `all`. */
    ids: Type.Array(Id, { ...unique, maxItems: noticeLimits.scope }),
  }),
  members: Type.Array(Id, { ...unique, maxItems: noticeLimits.members }),
  member_channels: Type.Array(Words(memberChannels), { ...unique, maxItems: memberChannels.length }),
  /** In the account's zone; empty: always. 1 is Monday; a period belongs to the day it begins. */
  schedule: Type.Array(
    Type.Object({
      days: Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), { ...unique, minItems: 1, maxItems: 7 }),
      period: Period,
    }),
    { maxItems: noticeLimits.periods },
  ),
  /** `FATAL` only. */
  quiet: Nullable(Period),
  /** Minutes; 0: at once. */
  digest_minutes: Type.Integer({ minimum: 0, maximum: noticeLimits.digestMinutes }),
  /** Hours until an unacknowledged alarm is sent again; 0: never. */
  repeat_hours: Type.Integer({ minimum: 0, maximum: noticeLimits.repeatHours }),
  recovery: Type.Boolean(),
};

const Subscription = Type.Object({
  id: Id,
  version: Version,
  ...given,
  endpoints: Type.Array(
    Type.Object({
      id: Id,
      type: Words(endpointTypes),
      /** Host and last characters; the rest is secret. */
      shown: Type.String(),
      has_secret: Type.Boolean(),
    }),
  ),
  /** Of the latest message: `failed` if one recipient did not get it, else `waiting` if one waits for it. */
  last: Nullable(
    Type.Object({ at: Time, state: Words(deliveryStates), sent: Type.Integer(), recipients: Type.Integer() }),
  ),
});
export type AlarmSubscription = Static<typeof Subscription>;

export const subscriptionList = endpoint({
  ...reading,
  object: {},
  path: '/api/v3/alarm_subscription/list',
  summary: 'Subscriptions to alarms. Only for people who see the whole account.',
  body: Empty,
  data: Type.Object({ list: Type.Array(Subscription), time_zone: Type.String() }),
  example: () => ({}),
});

export const subscriptionPeople = endpoint({
  ...reading,
  object: {},
  path: '/api/v3/alarm_subscription/people',
  summary:
    'Members of the account, and whether they have an e-mail address, a mobile number and a browser for notifications.',
  body: Empty,
  data: Type.Object({
    list: Type.Array(
      Type.Object({
        id: Id,
        name: Type.String(),
        email: Type.Boolean(),
        mobile: Type.Boolean(),
        browser: Type.Boolean(),
      }),
    ),
  }),
  example: () => ({}),
});

export const subscriptionSave = endpoint({
  ...writing,
  object: { id: 'subscription' },
  path: '/api/v3/alarm_subscription/save',
  bodyBytes: 32 * 1024,
  summary:
    'Makes or changes a subscription; 4104 when `version` is no longer the newest. The secret of a new webhook is in this answer only.',
  body: Type.Object({
    /** Absent: a new one. */
    id: Type.Optional(Id),
    version: Type.Optional(Version),
    ...given,
    endpoints: Type.Array(
      Type.Object({
        /** Absent: a new one. */
        id: Type.Optional(Id),
        type: Words(endpointTypes),
        /** Absent: unchanged. */
        url: Type.Optional(Type.String({ rule: 'url', maxLength: 1000 })),
        /** DingTalk and Feishu: signing secret. Absent: unchanged; empty: removed. */
        secret: Type.Optional(Type.String({ maxLength: 200, pattern: '^\\S*$', hint: 'noSpaces' })),
      }),
      { maxItems: noticeLimits.endpoints },
    ),
  }),
  data: Type.Object({
    id: Id,
    /** Of new webhooks. */
    secrets: Type.Array(Type.Object({ endpoint: Id, shown: Type.String(), secret: Type.String() })),
  }),
  example: (seed) => ({
    id: seed.subscription.id,
    version: 1,
    name: 'Night',
    enabled: true,
    locale: 'en' as const,
    levels: ['FATAL' as const],
    kinds: [],
    scope: { type: 'all' as const, ids: [] },
    members: [],
    member_channels: [],
    schedule: [{ days: [1, 2, 3, 4, 5], period: '20:00-08:00' }],
    quiet: null,
    digest_minutes: 0,
    repeat_hours: 0,
    recovery: true,
    endpoints: [{ type: 'slack' as const, url: 'https://chat.example.org/a' }],
  }),
});

export const subscriptionDelete = endpoint({
  ...writing,
  object: { id: 'subscription' },
  path: '/api/v3/alarm_subscription/delete',
  summary: 'Deletes a subscription. Sent messages stay in the log.',
  body: Type.Object({ id: Id }),
  data: Empty,
  example: (seed) => ({ id: seed.subscription.id }),
});

export const subscriptionTest = endpoint({
  ...writing,
  object: { id: 'subscription' },
  path: '/api/v3/alarm_subscription/test',
  summary: 'Sends a test message to every recipient of a subscription, once; the record of this batch has the result.',
  limit: { max: 10, windowSeconds: 60 },
  ownTransaction: true,
  body: Type.Object({ id: Id }),
  data: Type.Object({ batch_id: Id }),
  example: (seed) => ({ id: seed.subscription.id }),
});

export const noticeList = endpoint({
  ...reading,
  object: { subscription_id: 'subscription', alarm_id: 'alarm' },
  path: '/api/v3/alarm_notice/list',
  summary:
    'Messages that were sent, newest first, with their attempts. Without an alarm only for people who see the whole account.',
  body: ListQuery(['created_at'], {
    subscription_id: Type.Optional(Id),
    alarm_id: Type.Optional(Id),
    batch_id: Type.Optional(Id),
    state: Type.Optional(Words(deliveryStates)),
  }),
  data: ListOf(
    Type.Object({
      id: Id,
      batch_id: Id,
      subscription: Type.String(),
      channel: Words([...memberChannels, ...endpointTypes]),
      /** Masked. */
      recipient: Type.String(),
      state: Words(deliveryStates),
      /** In the caller's language; null without a failed attempt. */
      error: Nullable(Type.String()),
      created_at: Time,
      sent_at: Nullable(Time),
      next_at: Nullable(Time),
      /** A query for one alarm gets only this one. */
      items: Type.Array(Type.Object({ alarm_id: Nullable(Id), event: Words(noticeEvents), text: Type.String() })),
      total: Type.Integer(),
      attempts: Type.Array(Type.Object({ at: Time, ok: Type.Boolean(), error: Nullable(Type.String()) })),
    }),
  ),
  example: (seed) => ({ page: 1, limit: 10, alarm_id: seed.alarm.id }),
});
