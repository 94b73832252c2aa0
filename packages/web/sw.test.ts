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

beforeEach(() => {
  [handlers, shown, opened, focused, pages] = [{}, [], [], [], []];
  const self = {
    location: { origin },
    addEventListener: (type: string, handler: Handler) => {
      handlers[type] = handler;
    },
    skipWaiting: () => undefined,
    registration: { showNotification: async (...given: unknown[]) => shown.push(given) },
    clients: {
      claim: async () => undefined,
      matchAll: async () => pages.map((url) => ({ url, focus: async () => focused.push(url) })),
      openWindow: async (url: string) => opened.push(url),
    },
  };
  runInNewContext(readFileSync(join(import.meta.dirname, 'public/sw.js'), 'utf8'), { self, URL });
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
    ...{ title: '[Critical] Gateway GW-1 of West-Lake is offline', body: 'Since 10:02', tag: 'alarm a1' },
    ...{ path: '/alarm?alarm=a1', lang: 'en', at: 1000 },
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
