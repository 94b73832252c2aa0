import { type Kysely, sql } from 'kysely';
import { newId, type Tx } from '../../../platform/database/index.ts';
import { all } from '../../../platform/database/paging.ts';
import { containing, macContaining } from '../../../platform/search/index.ts';
import { jsonOf, textOf } from '../device-fields.ts';
import { fleet } from '../tables.ts';

const keepDays = 30;
const pruneBatch = 10_000;
/** Characters; crash logs can be long. */
const largestPayload = 64 * 1024;

export interface NewEvent {
  accountId: string;
  serial: string;
  at: Date;
  type: string;
  payload: unknown;
}

/** Drops events of devices unbound meanwhile. */
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

export interface ReportedEvent {
  id: string;
  serial: string;
  remark: string;
  kind: string;
  at: Date;
  type: string;
  payload: unknown;
}

export async function listEvents(
  tx: Tx,
  accountId: string,
  query: {
    serial?: string | undefined;
    gwid?: string | undefined;
    type?: string | undefined;
    keyword?: string | undefined;
  },
  page: { limit: number; offset: number },
): Promise<{ list: ReportedEvent[]; total: number }> {
  const terms = [sql`e.account_id = ${accountId}`];
  if (query.serial) terms.push(sql`e.serial = ${query.serial}`);
  if (query.gwid) terms.push(sql`d.gwid = ${query.gwid}`);
  if (query.type) terms.push(sql`starts_with(e.type, ${query.type})`);
  if (query.keyword) {
    const pattern = containing(query.keyword);
    const mac = macContaining(query.keyword);
    terms.push(
      sql`(e.type ilike ${pattern} or d.remark ilike ${pattern} ${mac ? sql`or d.serial like ${mac}` : sql``})`,
    );
  }
  const from = sql`from device_event e join device d on d.account_id = e.account_id and d.serial = e.serial where ${all(terms)}`;
  const { rows } = await sql<ReportedEvent>`
    select e.id, e.serial, d.remark, d.kind, e.at, e.type, e.payload ${from}
    order by e.at desc, e.id desc limit ${page.limit} offset ${page.offset}
  `.execute(tx);
  const counted = await sql<{ total: number }>`select count(*)::int as total ${from}`.execute(tx);
  return { list: rows, total: counted.rows[0]?.total ?? 0 };
}

/** Marks the begin of a replacement's own events. */
const replacedType = 'console.replaced';

/** Moves events and adds a marker; an earlier marker of another place goes. */
export async function carryEvents(tx: Tx, accountId: string, from: string, to: string, at: Date): Promise<void> {
  await sql`
    delete from device_event where account_id = ${accountId} and serial = ${to} and type = ${replacedType}
  `.execute(tx);
  await sql`update device_event set serial = ${to} where account_id = ${accountId} and serial = ${from}`.execute(tx);
  await insertEvent(tx, { accountId, serial: to, at, type: replacedType, payload: { serial: from } });
}

/** Finds devices replaced since a time, oldest first, with their end. */
export async function placesTaken(tx: Tx, accountId: string, serial: string, since: Date) {
  const { rows } = await sql<{ serial: string; until: Date }>`
    select payload ->> 'serial' as serial, at as until from device_event
    where account_id = ${accountId} and serial = ${serial} and type = ${replacedType} and at >= ${since}
      and payload ->> 'serial' is not null
    order by at, id
  `.execute(tx);
  return rows;
}

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
