import { withoutBidi } from '@yunxun/contract/plain-text';
import webPush from 'web-push';
import type { AccountKeys } from '../../../platform/crypto/account-keys.ts';
import type { Database } from '../../../platform/database/index.ts';
import { DeliveryError } from '../../../platform/outbox/message.ts';
import { exchange } from '../../../platform/outgoing/exchange.ts';
import { postTimeoutMs } from '../../../platform/outgoing/post.ts';
import { findBrowser } from './browser-store.ts';
import { requireSuccess } from './channels.ts';
import { notificationOf } from './compose.ts';
import type { DeliveryTable } from './tables.ts';
import type { VapidKeys } from './vapid-keys.ts';

/** Push subscription of a browser; sealed in the database. */
export interface PushTarget {
  endpoint: string;
  keys: { p256dh: string; auth: string };
}

export interface PushDeps {
  database: Database;
  keys: AccountKeys;
  vapid: VapidKeys;
  config: { publicUrl: string; privateWebhooks: boolean };
}

/** Reason of an attempt after which the browser gets no more messages. */
export const browserGone = 'browser_gone';

/** Seconds that a push service keeps a message for a browser that is offline. */
const keptSeconds = 24 * 3600;
const maxAnswer = 4096;

/** Context of the seal of a browser's endpoint and keys. */
export function browserContext(id: string): string {
  return `alarm browser ${id}`;
}

/**
 * Sends messages to browsers by Web Push (RFC 8030, 8291, 8292). The library encrypts and signs; the request goes
 * through `exchange`, which connects to checked addresses only.
 */
export function createPushSender({ database, keys, vapid, config }: PushDeps) {
  const vapidDetails = { ...vapid, subject: subjectOf(config.publicUrl) };

  async function targetOf(id: string): Promise<PushTarget> {
    const target = await database.withSystem(async (tx) => {
      const row = await findBrowser(tx, id);
      if (!row) return null;
      const sealer = await keys.of(tx, row.account_id);
      return JSON.parse(sealer.open(row.sealed, browserContext(id)).toString()) as PushTarget;
    });
    if (!target) throw new DeliveryError('browser_removed', true);
    return target;
  }

  return {
    /** @throws DeliveryError */
    async send({ id, endpoint_id, content, created_at }: Omit<DeliveryTable, 'attempts'>): Promise<void> {
      const target = await targetOf(endpoint_id!);
      const payload = withoutBidi(JSON.stringify(notificationOf(content, id, created_at)));
      const isUrgent = content.items.some(({ event, level }) => level === 'FATAL' && event !== 'recovered');
      const { headers, body } = webPush.generateRequestDetails(target, payload, {
        vapidDetails,
        TTL: keptSeconds,
        urgency: isUrgent ? 'high' : 'normal',
      });
      const answer = await exchange({
        method: 'POST',
        url: target.endpoint,
        body,
        maxAnswer,
        timeoutMs: postTimeoutMs,
        headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
        privateAddresses: config.privateWebhooks,
      });
      // RFC 8030, section 7.3: the subscription has ended
      if (answer.status === 404 || answer.status === 410) throw new DeliveryError(browserGone, true);
      requireSuccess(answer);
    },
  };
}

/** Returns the contact for push services, which accept https and mailto addresses only. */
function subjectOf(publicUrl: string): string {
  const { protocol, hostname, origin } = new URL(publicUrl);
  return protocol === 'https:' ? origin : `mailto:console@${hostname}`;
}
