import { type Kysely, sql } from 'kysely';
import { newId, type Tx } from '../../platform/database/index.ts';
import { jsonOf, textOf } from './device-words.ts';
import { fleet } from './tables.ts';

/** Days that a device's own events are kept. */
const keepDays = 30;
/** Rows that one statement of the clean-up deletes. */
const pruneBatch = 10_000;
/** An event's text in the table is cut to this many characters; a crash log can be long. */
const largestPayload = 64 * 1024;

export interface NewEvent {
  accountId: string;
  serial: string;
  at: Date;
  type: string;
  payload: unknown;
}

/** Keeps an event; one of a device that was unbound meanwhile is dropped. */
export async function insertEvent(db: Tx | Kysely<unknown>, event: NewEvent): Promise<void> {
  const { accountId, serial, at } = event;
  await sql`
    insert into device_event (account_id, serial, id, at, type, payload)
    select account_id, serial, ${newId()}, ${at}, ${textOf(event.type.slice(0, 64))}, ${payloadText(event.payload)}::jsonb
    from device where account_id = ${accountId} and serial = ${serial}
  `.execute(db);
}

function payloadText(payload: unknown): string {
  const text = jsonOf(payload);
  return text.length <= largestPayload ? text : jsonOf({ cut: text.slice(0, largestPayload) });
}

/** The newest events of a device. */
export async function latestEvents(tx: Tx, accountId: string, serial: string, limit: number) {
  return fleet(tx)
    .selectFrom('device_event')
    .select(['at', 'type', 'payload'])
    .where('account_id', '=', accountId)
    .where('serial', '=', serial)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** Deletes events older than they are kept, a batch at a time. @returns how many */
export async function pruneEvents(db: Kysely<unknown>, now: Date): Promise<number> {
  const before = new Date(now.getTime() - keepDays * 86_400_000);
  let deleted = 0;
  for (;;) {
    const result = await sql`
      delete from device_event where ctid in (select ctid from device_event where at < ${before} limit ${pruneBatch})
    `.execute(db);
    const count = Number(result.numAffectedRows ?? 0);
    deleted += count;
    if (count < pruneBatch) return deleted;
  }
}
