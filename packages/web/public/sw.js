// Service worker of the console: shows the alarms that the server pushes, and opens them on a click.
// `notificationOf` in packages/server/src/features/alarms/notify/compose.ts makes the messages.

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('push', (event) => {
  const { title, body, tag, path, lang, at } = event.data.json();
  event.waitUntil(
    self.registration.showNotification(title, {
      body,
      tag,
      // a recovery that replaces its alarm is shown and sounds too
      renotify: true,
      lang,
      timestamp: at,
      icon: '/icon-192.png',
      data: { path },
    }),
  );
});

self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renew(event.oldSubscription)));
self.addEventListener('message', (event) => event.waitUntil(renew(null)));

/** Gives the server the new subscription; the secrets of the old one prove whose it is. */
async function renew(ended) {
  const cache = await self.caches.open('push');
  const kept = await (await cache.match('/push-subscription'))?.json();
  const named = ended && { ...ended.toJSON(), publicKey: ended.options.applicationServerKey };
  const old = kept ?? (named && { endpoint: named.endpoint, auth: named.keys.auth, publicKey: named.publicKey });
  if (!old) return;
  const { pushManager } = self.registration;
  const options = { userVisibleOnly: true, applicationServerKey: old.publicKey };
  const subscription = (await pushManager.getSubscription()) ?? (await pushManager.subscribe(options));
  const { endpoint, keys } = subscription.toJSON();
  if (endpoint === old.endpoint) return;
  const body = { old_endpoint: old.endpoint, old_auth: old.auth, endpoint, p256dh: keys.p256dh, auth: keys.auth };
  const answer = await self.fetch('/api/v3/open/alarm_browser/renew', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (answer.status >= 500 || answer.status === 429) throw new Error(`HTTP ${answer.status}`);
  const renewed = { endpoint, auth: keys.auth, publicKey: old.publicKey };
  await cache.put('/push-subscription', new Response(JSON.stringify(renewed)));
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(new URL(event.notification.data.path, self.location.origin).href));
});

/** Focuses the page if it is open; else opens a new one, because an open page may hold unsaved input. */
async function open(url) {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const page = pages.find((one) => one.url === url);
  await (page ? page.focus() : self.clients.openWindow(url));
}
