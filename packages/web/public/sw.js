// Service worker of the console: shows the alarms that the server pushes, and opens them on a click. Caches nothing.
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
