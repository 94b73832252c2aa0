import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import { type Database, newId, type Tx } from '../database/index.ts';
import type { Log } from '../log.ts';
import {
  type Adapter,
  type Channel,
  channels,
  DeliveryError,
  type OutboxMessage,
  type OwnReason,
  wordsOf,
} from './message.ts';
import * as store from './store.ts';

export { fileAdapter } from './file.ts';
export { type Adapter, type Channel, DeliveryError, type OutboxMessage, type Outgoing, reasonOf } from './message.ts';

/** The provider that messages of a channel leave by at this moment; null when none is configured. */
export type ProviderOf = (channel: Channel) => Promise<Adapter | null>;

export interface OutboxDeps {
  database: Database;
  clock: Clock;
  log: Log;
  /** Where messages end without a provider. */
  file: Adapter;
  providerOf: ProviderOf;
}

export interface Outbox {
  /** Whether messages of a channel end in the outbox file because no provider is configured. */
  toFile(channel: Channel): Promise<boolean>;
  /**
   * Queues a message in the caller's transaction; nothing is sent when that is rolled back. A request's transaction queues
   * messages of its own account only.
   */
  queue(tx: Tx, message: OutboxMessage): Promise<string>;
  /**
   * Starts to deliver what is due, oldest first; called after commits and every minute. Resolves when what goes to the
   * file is written; providers are not waited for, so that their slowness, and whether anything was sent, shows nowhere.
   */
  flush(): Promise<void>;
  /** Hands one message over at once, past the queue. @returns the provider's words @throws DeliveryError with its reason */
  sendNow(message: OutboxMessage): Promise<string>;
  /** What waits, and what went wrong in the last day. */
  troubles(): ReturnType<typeof store.troubles>;
  /** Forgets old messages, sent or given up: who was written to is nobody's business for ever. */
  prune(): Promise<void>;
  /** Begins nothing new and waits a moment for what is under way; what then is not done is done by the next process. */
  stop(): Promise<void>;
}

const maxAttempts = 10;
/** Messages of one channel that are with a provider at the same time. */
const mostUnderWay = 8;
/** Failures in a row after which a flush takes the provider for away and leaves the rest to the next one. */
const mostFailures = 20;
/** Milliseconds a message under way is left alone by others: longer than any provider is waited for. */
const leaseMs = 60_000;
/** Milliseconds a stop waits for what is under way. */
const stopMs = 5000;
const dayMs = 86_400_000;
/** Days a message is remembered. */
const keptDays = 30;
/** Troubles shown. */
const shown = 10;

/** One channel's deliveries of this process. */
interface Lane {
  channel: Channel;
  /** Looks for what is due, one after the other. */
  looking: Promise<void>;
  underWay: Set<Promise<void>>;
  /** Whether the last look left some behind. */
  more: boolean;
  failures: number;
}

/** The outbox: a queue in the database, the file, and the providers that are chosen when a message leaves. */
export function createOutbox({ database, clock, log, file, providerOf }: OutboxDeps): Outbox {
  const lanes = channels.map(
    (channel): Lane => ({ channel, looking: Promise.resolve(), underWay: new Set(), more: false, failures: 0 }),
  );
  let stopped = false;

  function look(lane: Lane): Promise<void> {
    lane.looking = lane.looking
      .then(() => takeDue(lane))
      .catch((error) => log.error({ err: error, channel: lane.channel }, 'outbox'));
    return lane.looking;
  }

  async function takeDue(lane: Lane): Promise<void> {
    while (!stopped && lane.failures < mostFailures) {
      const provider = await providerOf(lane.channel);
      const room = mostUnderWay - lane.underWay.size;
      lane.more = room <= 0;
      if (room <= 0) return;
      const due = await store.claim(database.system, lane.channel, room, clock.now(), leaseMs);
      lane.more = due.length === room;
      if (!provider) for (const row of due) await deliver(lane, file, row);
      else for (const row of due) start(lane, provider, row);
      if (due.length < room || provider) return;
    }
  }

  /** Others are not kept waiting; the last that finishes looks for more. */
  function start(lane: Lane, provider: Adapter, row: store.OutboxRow): void {
    const work = deliver(lane, provider, row).finally(() => {
      lane.underWay.delete(work);
      if (lane.more) void look(lane);
    });
    lane.underWay.add(work);
  }

  async function deliver(lane: Lane, adapter: Adapter, row: store.OutboxRow): Promise<void> {
    const { id, channel, attempts } = row;
    try {
      const error = await attempt(adapter, row);
      const now = clock.now();
      if (!error) {
        lane.failures = 0;
        return await store.markSent(database.system, id, now);
      }
      lane.failures += error.permanent ? 0 : 1;
      log.warn({ id, channel, reason: error.message, permanent: error.permanent }, 'message not delivered');
      // 10 s after the first try, then twice as long each time: the tenth is made after an hour and a half
      const again = new Date(now.getTime() + 2 ** (attempts - 1) * 10_000);
      const last = error.permanent || attempts >= maxAttempts;
      await store.markFailed(database.system, id, error.message.slice(0, 500), now, last ? null : again);
    } catch (error) {
      // the database is away: the lease ends, and the message is tried again
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
      });
      return null;
    } catch (error) {
      return error instanceof DeliveryError ? error : new DeliveryError((error as Error).message);
    }
  }

  return {
    toFile: async (channel) => (await providerOf(channel)) === null,
    async queue(tx, message) {
      const id = newId();
      const { subject, text } = wordsOf(message);
      await store.insert(tx, {
        id,
        account_id: message.accountId ?? null,
        channel: message.channel,
        recipient: message.to,
        template: message.template,
        params: JSON.stringify(message.params),
        subject,
        body: text,
        expires_at: message.expiresAt ?? null,
        at: clock.now(),
      });
      return id;
    },
    async flush() {
      for (const lane of lanes) lane.failures = 0;
      await Promise.all(lanes.map(look));
    },
    async sendNow(message) {
      const adapter = (await providerOf(message.channel)) ?? file;
      const { channel, to, template, params } = message;
      return adapter.send({
        ...{ id: newId(), at: clock.now().toISOString(), channel, to, template, params },
        ...wordsOf(message),
      });
    },
    troubles: () => store.troubles(database.system, new Date(clock.now().getTime() - dayMs), shown),
    prune: () => store.deleteBefore(database.system, new Date(clock.now().getTime() - keptDays * dayMs)),
    async stop() {
      stopped = true;
      await Promise.all(lanes.map((lane) => lane.looking));
      const work = Promise.all(lanes.flatMap((lane) => [...lane.underWay]));
      await Promise.race([work, delay(stopMs, undefined, { ref: false })]);
    },
  };
}
