import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { type Database, newId, type Tx, tables } from '../database/index.ts';
import type { Log } from '../log.ts';

/** A message to a person, already in words. `params` are kept for adapters with templates of their own. */
export interface OutboxMessage {
  accountId?: string | null;
  channel: 'sms' | 'email';
  to: string;
  template: string;
  params: Readonly<Record<string, string | number>>;
  text: string;
}

/** Delivers one message; a rejection means "try again later". The id is the idempotency key. */
export interface OutboxAdapter {
  deliver(message: OutboxMessage & { id: string; at: string }): Promise<void>;
}

interface OutboxTables {
  outbox_message: {
    id: string;
    account_id: string | null;
    channel: string;
    recipient: string;
    template: string;
    params: unknown;
    body: string;
    attempts: number;
    created_at: Date;
    sent_at: Date | null;
  };
}

export interface Outbox {
  /** Whether messages end in the outbox file because no provider is configured. */
  readonly toFile: boolean;
  /** Queues a message in the caller's transaction; nothing is sent when that is rolled back. */
  queue(tx: Tx, message: OutboxMessage): Promise<string>;
  /** Delivers what is due, oldest first; called after commits and every minute. */
  flush(): Promise<void>;
  /** Forgets old messages, sent or given up: who was written to is nobody's business for ever. */
  prune(): Promise<void>;
}

const maxAttempts = 10;
/** Failures after which a flush takes the provider for away and leaves the rest to the next one. */
const mostFailures = 20;
/** Days a message is remembered. */
const keptDays = 30;

/** The outbox over an adapter. */
export function createOutbox(database: Database, adapter: OutboxAdapter, log: Log, toFile: boolean): Outbox {
  let running: Promise<void> = Promise.resolve();
  return {
    toFile,
    async queue(tx, message) {
      const id = newId();
      await tables<OutboxTables>(tx)
        .insertInto('outbox_message')
        .values({
          id,
          account_id: message.accountId ?? null,
          channel: message.channel,
          recipient: message.to,
          template: message.template,
          params: JSON.stringify(message.params),
          body: message.text,
          attempts: 0,
          created_at: new Date(),
          sent_at: null,
        })
        .execute();
      return id;
    },
    flush() {
      running = running
        .then(() => flushOnce(database, adapter, log))
        .catch((error) => log.error({ err: error }, 'outbox'));
      return running;
    },
    async prune() {
      const before = new Date(Date.now() - keptDays * 86_400_000);
      await tables<OutboxTables>(database.system)
        .deleteFrom('outbox_message')
        .where('created_at', '<', before)
        .execute();
    },
  };
}

/** Sends each message that is due once. One that fails waits for its next turn, and holds up no other. */
async function flushOnce(database: Database, adapter: OutboxAdapter, log: Log): Promise<void> {
  const failed: string[] = [];
  for (;;) {
    const done = await database.withSystem(async (tx) => {
      const db = tables<OutboxTables>(tx);
      let due = db
        .selectFrom('outbox_message')
        .selectAll()
        .where('sent_at', 'is', null)
        .where('attempts', '<', maxAttempts)
        // 10 s after the first attempt, then twice as long each time: the tenth is made after an hour and a half
        .where(sql<boolean>`created_at + (power(2, attempts) - 1) * interval '10 seconds' <= ${new Date()}`);
      if (failed.length > 0) due = due.where('id', 'not in', failed);
      const row = await due.orderBy('created_at').limit(1).forUpdate().skipLocked().executeTakeFirst();
      if (!row) return true;
      try {
        await adapter.deliver({
          id: row.id,
          at: new Date().toISOString(),
          channel: row.channel as OutboxMessage['channel'],
          to: row.recipient,
          template: row.template,
          params: row.params as OutboxMessage['params'],
          text: row.body,
        });
      } catch (error) {
        log.warn({ err: error, id: row.id, channel: row.channel }, 'message not delivered');
        failed.push(row.id);
        await db.updateTable('outbox_message').set({ attempts: sql`attempts + 1` }).where('id', '=', row.id).execute();
        return failed.length >= mostFailures;
      }
      // a delivered code has no business in the database any more
      await db
        .updateTable('outbox_message')
        .set({ sent_at: new Date(), params: '{}', body: '' })
        .where('id', '=', row.id)
        .execute();
      return false;
    });
    if (done) return;
  }
}

/** The adapter of an installation without providers: one JSON line per message in `outbox.ndjson`, and a log line. */
export function fileAdapter(dataDir: string, log: Log): OutboxAdapter {
  const path = join(dataDir, 'outbox.ndjson');
  return {
    async deliver({ at, channel, to, template, params, text }) {
      const file = await open(path, 'a', 0o600);
      try {
        await file.appendFile(`${JSON.stringify({ at, channel, to, template, params, text })}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
      // heard at the level that is on by default: nobody gets this message
      log.warn({ channel, to, template }, 'no provider is configured: message written to outbox.ndjson');
    },
  };
}
