// Runs the service worker's file against a browser's interfaces: headless Chromium has no push service and no clicks on
// notifications.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { beforeEach, expect, it } from 'vitest';

const origin = 'https://console.example.org';
const alarm = `${origin}/alarm?alarm=a1`;

type Handler = (event: object) => void;

let handlers: Record<string, Handler>;
let shown: unknown[];
let opened: string[];
let focused: string[];
let pages: string[];
let kept: object | undefined;
let current: ReturnType<typeof subscription> | null;
let sent: { url: string; body: object }[];
let status: number;

const subscription = (name: string) => ({
  endpoint: `https://push.example.org/${name}`,
  options: { applicationServerKey: 'key' },
  toJSON: () => ({ endpoint: `https://push.example.org/${name}`, keys: { p256dh: `p-${name}`, auth: `a-${name}` } }),
});
const keep = (name: string) => ({ endpoint: `https://push.example.org/${name}`, auth: `a-${name}`, publicKey: 'key' });
const renewal = {
  url: '/api/v3/open/alarm_browser/renew',
  body: {
    old_endpoint: 'https://push.example.org/old',
    old_auth: 'a-old',
    endpoint: 'https://push.example.org/new',
    p256dh: 'p-new',
    auth: 'a-new',
  },
};

beforeEach(() => {
  [handlers, shown, opened, focused, pages, sent] = [{}, [], [], [], [], []];
  [kept, current, status] = [undefined, null, 200];
  const self = {
    location: { origin },
    addEventListener: (type: string, handler: Handler) => {
      handlers[type] = handler;
    },
    skipWaiting: () => undefined,
    registration: {
      showNotification: async (...given: unknown[]) => shown.push(given),
      pushManager: {
        getSubscription: async () => current,
        subscribe: async ({ applicationServerKey }: { applicationServerKey: string }) => {
          expect(applicationServerKey).toBe('key');
          return subscription('new');
        },
      },
    },
    caches: {
      open: async () => ({
        match: async () => kept && new Response(JSON.stringify(kept)),
        put: async (_: string, value: Response) => {
          kept = (await value.json()) as object;
        },
      }),
    },
    fetch: async (url: string, { body }: { body: string }) => {
      sent.push({ url, body: JSON.parse(body) as object });
      return { status };
    },
    clients: {
      claim: async () => undefined,
      matchAll: async () => pages.map((url) => ({ url, focus: async () => focused.push(url) })),
      openWindow: async (url: string) => opened.push(url),
    },
  };
  runInNewContext(readFileSync(join(import.meta.dirname, 'public/sw.js'), 'utf8'), { self, URL, Response });
});

async function dispatch(type: string, event: object): Promise<void> {
  let work: Promise<unknown> | undefined;
  handlers[type]!({ ...event, waitUntil: (given: Promise<unknown>) => (work = given) });
  await work;
}

const click = () => {
  let isClosed = false;
  const notification = { data: { path: '/alarm?alarm=a1' }, close: () => (isClosed = true) };
  return dispatch('notificationclick', { notification }).then(() => expect(isClosed).toBe(true));
};

it('shows a message as it came', async () => {
  const message = {
    title: '[Critical] Gateway GW-1 of West-Lake is offline',
    body: 'Since 10:02',
    tag: 'alarm a1',
    path: '/alarm?alarm=a1',
    lang: 'en',
    at: 1000,
  };
  await dispatch('push', { data: { json: () => message } });
  expect(shown).toMatchObject([
    [
      message.title,
      { body: 'Since 10:02', tag: 'alarm a1', renotify: true, lang: 'en', data: { path: '/alarm?alarm=a1' } },
    ],
  ]);
});

it('opens the alarm of a clicked notification', async () => {
  pages = [`${origin}/networks`];
  await click();
  expect({ opened, focused }).toEqual({ opened: [alarm], focused: [] });
});

it('focuses the alarm where it is open', async () => {
  pages = [`${origin}/networks`, alarm];
  await click();
  expect({ opened, focused }).toEqual({ opened: [], focused: [alarm] });
});

it.each([
  ['of a console that kept the old one', () => (kept = keep('old')), null],
  ['of a browser that names the old one', () => undefined, subscription('old')],
])('gives the server the renewed subscription %s', async (_, prepare, oldSubscription) => {
  prepare();
  await dispatch('pushsubscriptionchange', { oldSubscription });
  expect(sent).toEqual([renewal]);
  expect(kept).toEqual(keep('new'));
});

it('tries again with the next page if the server was out of reach', async () => {
  [kept, current, status] = [keep('old'), subscription('new'), 503];
  await expect(dispatch('pushsubscriptionchange', {})).rejects.toThrow('503');
  status = 200;
  await dispatch('message', { data: 'renew' });
  await dispatch('message', { data: 'renew' });
  expect(sent).toEqual([renewal, renewal]);
});

it('subscribes no browser that its person has removed', async () => {
  await dispatch('message', { data: 'renew' });
  expect({ sent, kept }).toEqual({ sent: [], kept: undefined });
});
