import { call } from './client.ts';

// sw.js renews from it
const keptCache = 'push';
const keptPath = '/push-subscription';

/** Why this browser cannot show alarms; null: it can. */
export type PushObstacle = 'insecure' | 'unsupported' | 'denied' | null;

export function pushObstacle(): PushObstacle {
  if (!isSecureContext) return 'insecure';
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)) return 'unsupported';
  return Notification.permission === 'denied' ? 'denied' : null;
}

/**
 * Asks for the permission and subscribes at the browser's push service, from a click.
 * @returns null if refused @throws DOMException if the push service cannot be reached
 */
export async function subscribeBrowser(publicKey: string) {
  // first: browsers ask only while the click lasts
  if ((await Notification.requestPermission()) !== 'granted') return null;
  await navigator.serviceWorker.register('/sw.js');
  const { pushManager } = await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey: publicKey };
  const subscription = await pushManager.subscribe(options).catch(async (error: unknown) => {
    // a subscription to another key is left over, as of a console that was installed anew
    const old = await pushManager.getSubscription();
    if (!old) throw error;
    await old.unsubscribe();
    return pushManager.subscribe(options);
  });
  const { endpoint = '', keys: { p256dh = '', auth = '' } = {} } = subscription.toJSON();
  const kept = { endpoint, auth, publicKey };
  await (await caches.open(keptCache)).put(keptPath, new Response(JSON.stringify(kept)));
  return { endpoint, p256dh, auth };
}

async function currentSubscription(): Promise<PushSubscription | null> {
  if (pushObstacle() === 'insecure' || pushObstacle() === 'unsupported') return null;
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** Returns the server's fingerprint of this browser; null without a subscription. */
export async function currentFingerprint(): Promise<string | null> {
  const subscription = await currentSubscription();
  if (!subscription) return null;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(subscription.endpoint));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

export async function endSubscription(): Promise<void> {
  const subscription = await currentSubscription();
  if (!subscription) return;
  await caches.delete(keptCache);
  await subscription.unsubscribe();
}

/** Ends this browser's notifications at server and push service, before the sign-out. */
export async function forgetBrowser(): Promise<void> {
  const fingerprint = await currentFingerprint();
  if (fingerprint === null) return;
  try {
    const { list } = await call('/api/v3/alarm_browser/list', {}, { home: true });
    const own = list.find((one) => one.fingerprint === fingerprint);
    if (own) await call('/api/v3/alarm_browser/delete', { id: own.id }, { home: true });
  } finally {
    await endSubscription();
  }
}
