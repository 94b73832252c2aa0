import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Empty, Id, Nullable, Time } from './shapes.ts';

export const browserLimits = {
  perPerson: 10,
  /** Characters of a name. */
  name: 60,
} as const;

const mine = { access: 'user', permission: null, object: {}, effect: 'write', method: 'POST', personal: true } as const;
const limit = { max: 20, windowSeconds: 60 } as const;

const Subscription = {
  /** Address of the browser's push service. */
  endpoint: Type.String({ rule: 'url', maxLength: 1000 }),
  /** Keys of `PushSubscription.toJSON()` (RFC 8291). */
  p256dh: Type.String({ pattern: '^[\\w-]{87}$', hint: 'pushKey' }),
  auth: Type.String({ pattern: '^[\\w-]{22}$', hint: 'pushKey' }),
};

// subscription of RFC 8291, appendix A
const exampleKeys = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
};

export const browserList = endpoint({
  ...mine,
  effect: 'read',
  path: '/api/v3/alarm_browser/list',
  summary: 'Browsers that show alarms as notifications to the person (Web Push), and the key for adding one.',
  body: Empty,
  data: Type.Object({
    list: Type.Array(
      Type.Object({
        id: Id,
        name: Type.String(),
        /** SHA-256 of the endpoint in hexadecimal digits: a browser finds itself by it. */
        fingerprint: Type.String(),
        created_at: Time,
        /** Latest message; `error` is in the caller's language, null for a delivered one. */
        last: Nullable(Type.Object({ at: Time, error: Nullable(Type.String()) })),
      }),
    ),
    /** VAPID key (RFC 8292) in base64url: `applicationServerKey` of the browser. */
    public_key: Type.String(),
  }),
  example: () => ({}),
});

export const browserSave = endpoint({
  ...mine,
  interactive: true,
  ownTransaction: true,
  path: '/api/v3/alarm_browser/save',
  limit,
  summary: 'Adds the browser of a push subscription, or renames it. Takes it from the person who had it.',
  body: Type.Object({
    name: Type.String({ rule: 'noQuotes', minLength: 1, maxLength: browserLimits.name }),
    ...Subscription,
  }),
  data: Type.Object({ id: Id }),
  example: (world) => ({
    name: 'Phone',
    endpoint: `https://push.example.org/${world.account.id}`,
    ...exampleKeys,
  }),
});

export const browserRenew = endpoint({
  access: 'public',
  permission: null,
  object: {},
  effect: 'write',
  method: 'POST',
  path: '/api/v3/open/alarm_browser/renew',
  limit,
  summary: 'Replaces a push subscription that the browser has renewed; the secrets of the old one are the proof.',
  body: Type.Object({
    old_endpoint: Subscription.endpoint,
    old_auth: Subscription.auth,
    ...Subscription,
  }),
  data: Empty,
  example: (world) => ({
    old_endpoint: `https://push.example.org/${world.account.id}/old`,
    old_auth: exampleKeys.auth,
    endpoint: `https://push.example.org/${world.account.id}`,
    ...exampleKeys,
  }),
});

export const browserDelete = endpoint({
  ...mine,
  interactive: true,
  object: { id: 'alarm_browser' },
  path: '/api/v3/alarm_browser/delete',
  limit,
  summary: 'Removes a browser: it shows no more alarms.',
  body: Type.Object({ id: Id }),
  data: Empty,
  example: (world) => ({ id: world.alarmBrowser.id }),
});
