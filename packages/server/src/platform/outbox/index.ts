import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import { type Database, newId, type Tx } from '../database/index.ts';
import type { Log } from '../log.ts';
import {
  type Adapter,
  type Channel,
  channels,
  DeliveryError,
  messageText,
  type OutboxMessage,
  type OwnReason,
  plain,
} from './message.ts';
import * as store from './store.ts';

export { fileAdapter, type TellCode } from './file.ts';
export {
  type Adapter,
  type Channel,
  DeliveryError,
  type OutboxMessage,
  type Outgoing,
  type OwnReason,
  reasonOf,
} from './message.ts';
export type { MessageState } from './store.ts';

export type ProviderOf = (channel: Channel) => Promise<Adapter | null>;

export interface OutboxDeps {
  database: Database;
  clock: Clock;
  log: Log;
  file: Adapter;
  providerOf: ProviderOf;
}

export interface Outbox {
  toFile(channel: Channel): Promise<boolean>;
  /** Queues in the caller's transaction, for its own account. */
  queue(tx: Tx, message: OutboxMessage): Promise<string>;
  /** Delivers oldest first. Does not wait: response times must not reveal sending. */
  flush(): Promise<void>;
  /** Bypasses the queue. @returns the provider's answer @throws DeliveryError */
  sendNow(message: OutboxMessage): Promise<string>;
  /** Returns states by id; old ones are missing. */
  statesOf(ids: readonly string[]): ReturnType<typeof store.statesOf>;
  troubles(): ReturnType<typeof store.troubles>;
  /** Deletes old ones, for privacy. */
  prune(): Promise<void>;
  /** Waits 5 s; another process retries the rest. */
  stop(): Promise<void>;
}

const maxAttempts = 10;
const maxUnderWay = 8;
/** Consecutive failures after which a flush stops. */
const maxFailures = 20;
/** Milliseconds, longer than any provider time-out. */
const leaseMs = 60_000;
const stopMs = 5000;
const dayMs = 86_400_000;
const keptDays = 30;
const shown = 10;

interface ChannelQueue {
  channel: Channel;
  looking: Promise<void>;
  underWay: Set<Promise<void>>;
  more: boolean;
  failures: number;
}

export function createOutbox({ database, clock, log, file, providerOf }: OutboxDeps): Outbox {
  const channelQueues = channels.map(
    (channel): ChannelQueue => ({ channel, looking: Promise.resolve(), underWay: new Set(), more: false, failures: 0 }),
  );
  let stopped = false;

  function look(channelQueue: ChannelQueue): Promise<void> {
    channelQueue.looking = channelQueue.looking
      .then(() => takeDue(channelQueue))
      .catch((error) => log.error({ err: error, channel: channelQueue.channel }, 'outbox'));
    return channelQueue.looking;
  }

  async function takeDue(channelQueue: ChannelQueue): Promise<void> {
    while (!stopped && channelQueue.failures < maxFailures) {
      const provider = await providerOf(channelQueue.channel);
      const capacity = maxUnderWay - channelQueue.underWay.size;
      channelQueue.more = capacity <= 0;
      if (capacity <= 0) return;
      const due = await store.claim(database.system, channelQueue.channel, capacity, clock.now(), leaseMs);
      channelQueue.more = due.length === capacity;
      if (!provider) for (const row of due) await deliver(channelQueue, file, row);
      else for (const row of due) start(channelQueue, provider, row);
      if (due.length < capacity || provider) return;
    }
  }

  function start(channelQueue: ChannelQueue, provider: Adapter, row: store.OutboxRow): void {
    const work = deliver(channelQueue, provider, row).finally(() => {
      channelQueue.underWay.delete(work);
      if (channelQueue.more) void look(channelQueue);
    });
    channelQueue.underWay.add(work);
  }

  async function deliver(channelQueue: ChannelQueue, adapter: Adapter, row: store.OutboxRow): Promise<void> {
    const { id, channel, attempts } = row;
    try {
      const error = await attempt(adapter, row);
      const now = clock.now();
      if (!error) {
        channelQueue.failures = 0;
        return await store.markSent(database.system, id, now, adapter === file);
      }
      channelQueue.failures += error.permanent ? 0 : 1;
      log.warn({ id, channel, reason: error.message, permanent: error.permanent }, 'message not delivered');
      // doubles from 10 s: the tenth follows after 1.4 h
      const again = new Date(now.getTime() + 2 ** (attempts - 1) * 10_000);
      const last = error.permanent || attempts >= maxAttempts;
      await store.markFailed(database.system, id, error.message.slice(0, 500), now, last ? null : again);
    } catch (error) {
      // retried after the lease
      log.error({ err: error, id, channel }, 'outbox');
    }
  }

  async function attempt(adapter: Adapter, row: store.OutboxRow): Promise<DeliveryError | null> {
    if (row.expires_at && row.expires_at <= clock.now()) return new DeliveryError('expired' satisfies OwnReason, true);
    try {
      await adapter.send({
        id: row.id,
        at: clock.now().toISOString(),
        channel: row.channel,
        to: row.recipient,
        template: row.template,
        params: row.params as OutboxMessage['params'],
        subject: row.subject ?? '',
        text: row.body,
        html: row.html,
        attachment: row.attachment && { name: row.attachment_name ?? '', content: row.attachment },
      });
      return null;
    } catch (error) {
      return error instanceof DeliveryError ? error : new DeliveryError((error as Error).message);
    }
  }

  return {
    toFile: async (channel) => (await providerOf(channel)) === null,
    async queue(tx, foreign) {
      const message = plain(foreign);
      const id = newId();
      const { subject, text } = messageText(message);
      await store.insert(tx, {
        id,
        account_id: message.accountId ?? null,
        channel: message.channel,
        recipient: message.to,
        template: message.template,
        params: JSON.stringify(message.params),
        subject,
        body: text,
        html: message.html ?? null,
        attachment: message.attachment?.content ?? null,
        attachment_name: message.attachment?.name ?? null,
        expires_at: message.expiresAt ?? null,
        at: clock.now(),
      });
      return id;
    },
    async flush() {
      for (const channelQueue of channelQueues) channelQueue.failures = 0;
      await Promise.all(channelQueues.map(look));
    },
    async sendNow(foreign) {
      const message = plain(foreign);
      const adapter = (await providerOf(message.channel)) ?? file;
      const { channel, to, template, params } = message;
      return adapter.send({
        id: newId(),
        at: clock.now().toISOString(),
        channel,
        to,
        template,
        params,
        ...messageText(message),
        html: message.html ?? null,
        attachment: message.attachment ?? null,
      });
    },
    statesOf: (ids) => store.statesOf(database.system, ids),
    troubles: () => store.troubles(database.system, new Date(clock.now().getTime() - dayMs), shown),
    prune: () => store.deleteBefore(database.system, new Date(clock.now().getTime() - keptDays * dayMs)),
    async stop() {
      stopped = true;
      await Promise.all(channelQueues.map((channelQueue) => channelQueue.looking));
      const work = Promise.all(channelQueues.flatMap((channelQueue) => [...channelQueue.underWay]));
      await Promise.race([work, delay(stopMs, undefined, { ref: false })]);
    },
  };
}
