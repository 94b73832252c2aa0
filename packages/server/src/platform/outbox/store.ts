import { sql } from 'kysely';
import { type Tx, tables } from '../database/index.ts';
import type { Channel, OwnReason } from './message.ts';

export interface OutboxRow {
  id: string;
  account_id: string | null;
  channel: Channel;
  recipient: string;
  template: string;
  params: unknown;
  subject: string | null;
  body: string;
  html: string | null;
  attachment: Buffer | null;
  attachment_name: string | null;
  attempts: number;
  created_at: Date;
  next_at: Date;
  expires_at: Date | null;
  sent_at: Date | null;
  failed_at: Date | null;
  error: string | null;
}

interface OutboxTables {
  outbox_message: OutboxRow;
}

type Db = Parameters<typeof tables>[0];

/** A finished message keeps no code and no content. */
const forgotten = {
  params: '{}',
  body: '',
  subject: null,
  html: null,
  attachment: null,
  attachment_name: null,
} as const;

export async function insert(
  tx: Tx,
  row: Pick<
    OutboxRow,
    | ('id' | 'account_id' | 'channel' | 'recipient' | 'template' | 'subject' | 'body' | 'expires_at')
    | ('html' | 'attachment' | 'attachment_name')
  > & {
    params: string;
    at: Date;
  },
): Promise<void> {
  const { id, account_id: account, channel, recipient, template, params, subject, body, at } = row;
  const { html, attachment, attachment_name: attached, expires_at: expires } = row;
  await sql`select platform.queue_message(${id}, ${account}, ${channel}, ${recipient}, ${template}, ${params}::jsonb,
    ${subject}, ${body}, ${html}, ${attachment}, ${attached}, ${expires}, ${at})`.execute(tx);
}

/** Counts the attempt. The lease ends if the process dies. */
export async function claim(db: Db, channel: Channel, max: number, now: Date, leaseMs: number): Promise<OutboxRow[]> {
  const due = tables<OutboxTables>(db)
    .selectFrom('outbox_message')
    .select('id')
    .where('channel', '=', channel)
    .where('sent_at', 'is', null)
    .where('failed_at', 'is', null)
    .where('next_at', '<=', now)
    .orderBy('created_at')
    .limit(max)
    .forUpdate()
    .skipLocked();
  const rows = await tables<OutboxTables>(db)
    .updateTable('outbox_message')
    .set({ attempts: sql`attempts + 1`, next_at: new Date(now.getTime() + leaseMs) })
    // array() evaluates once; a join might exceed the limit
    .where(sql<boolean>`id = any (array(${due}))`)
    .returningAll()
    .execute();
  return rows.toSorted((a, b) => a.created_at.getTime() - b.created_at.getTime());
}

const toFile: OwnReason = 'to_file';

export async function markSent(db: Db, id: string, now: Date, isInFile: boolean): Promise<void> {
  await tables<OutboxTables>(db)
    .updateTable('outbox_message')
    .set({ ...forgotten, sent_at: now, error: isInFile ? toFile : null })
    .where('id', '=', id)
    .execute();
}

/** Without `nextAt` gives up and erases the content. */
export async function markFailed(db: Db, id: string, error: string, now: Date, nextAt: Date | null): Promise<void> {
  await tables<OutboxTables>(db)
    .updateTable('outbox_message')
    .set(nextAt ? { error, next_at: nextAt } : { ...forgotten, error, failed_at: now })
    .where('id', '=', id)
    .execute();
}

export async function deleteBefore(db: Db, before: Date): Promise<void> {
  await tables<OutboxTables>(db).deleteFrom('outbox_message').where('created_at', '<', before).execute();
}

export async function troubles(db: Db, since: Date, max: number) {
  const rows = tables<OutboxTables>(db).selectFrom('outbox_message');
  const count = (from: typeof rows) =>
    from.select((select) => select.fn.countAll<number>().as('n')).executeTakeFirstOrThrow();
  const waiting = await count(rows.where('sent_at', 'is', null).where('failed_at', 'is', null));
  const failed = await count(rows.where('failed_at', '>', since));
  const recent = await rows
    .select(['channel', 'recipient', 'template', 'error', 'attempts', 'created_at', 'failed_at'])
    .where('error', 'is not', null)
    .where('sent_at', 'is', null)
    .where('created_at', '>', since)
    .orderBy('created_at', 'desc')
    .limit(max)
    .execute();
  return { waiting: Number(waiting.n), failed: Number(failed.n), recent };
}

export interface MessageState {
  state: 'waiting' | 'sent' | 'failed';
  /** Written to the outbox file, for want of a provider. */
  isInFile: boolean;
  attempts: number;
  error: string | null;
  sentAt: Date | null;
  nextAt: Date;
}

export async function statesOf(db: Db, ids: readonly string[]): Promise<Map<string, MessageState>> {
  if (ids.length === 0) return new Map();
  const rows = await tables<OutboxTables>(db)
    .selectFrom('outbox_message')
    .select(['id', 'attempts', 'error', 'sent_at', 'failed_at', 'next_at'])
    .where(sql<boolean>`id = any(${[...ids]}::uuid[])`)
    .execute();
  return new Map(
    rows.map(({ id, attempts, error: noted, sent_at: sentAt, failed_at: failedAt, next_at: nextAt }) => {
      const isInFile = noted === toFile;
      const error = isInFile ? null : noted;
      return [
        id,
        { state: sentAt ? 'sent' : failedAt ? 'failed' : 'waiting', isInFile, attempts, error, sentAt, nextAt },
      ];
    }),
  );
}
