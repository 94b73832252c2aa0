import { sql } from 'kysely';
import type { Database, Tx } from '../../platform/database/index.ts';
import type { AccountingEvent } from './accounting-event.ts';
import type { Report } from './accounting-order.ts';
import { radiusTables, type SessionTable } from './tables.ts';

export const sessionKey = (row: Pick<SessionTable, 'account_id' | 'nas_id' | 'origin' | 'session_id'>): string =>
  JSON.stringify([row.account_id, row.nas_id, row.origin, row.session_id]);

export function reportOf(event: AccountingEvent, at: Date): Report {
  const { nas, origin, serial, address, status, session, up, down, delaySeconds } = event;
  const row = {
    account_id: nas.accountId,
    nas_id: nas.id,
    origin,
    session_id: session.acctSessionId,
    gwid: nas.gwid,
    status,
    serial,
    address,
    at,
    username: session.username,
    mac: session.mac,
    ip: session.ip,
    seconds: session.seconds,
    event_time: event.eventTime,
    sent_at: new Date(at.getTime() - delaySeconds * 1000),
  };
  return { row, up, down, delaySeconds };
}

export async function findSessions(
  { system }: Pick<Database, 'system'>,
  rows: readonly Report['row'][],
): Promise<Map<string, SessionTable>> {
  const column = <K extends keyof Report['row']>(key: K) => rows.map((row) => row[key]);
  const found = await sql<SessionTable>`
    select s.* from unnest(
      ${column('account_id')}::uuid[], ${column('nas_id')}::uuid[], ${column('origin')}::text[], ${column('session_id')}::text[]
    ) as k(account_id, nas_id, origin, session_id)
    join radius_session s using (account_id, nas_id, origin, session_id)
  `.execute(system);
  return new Map(found.rows.map((row) => [sessionKey(row), row]));
}

const columns =
  'account_id nas_id origin session_id gwid status username mac ip serial address seconds up_bytes down_bytes raw_up raw_down begun event_time sent_at at'.split(
    ' ',
  ) as (keyof SessionTable)[];

/** Writes one row per key; omits deleted clients. */
export async function writeSessions(
  { system }: Pick<Database, 'system'>,
  rows: readonly SessionTable[],
): Promise<void> {
  if (rows.length === 0) return;
  const types: Partial<Record<keyof SessionTable, string>> = {
    account_id: 'uuid',
    nas_id: 'uuid',
    gwid: 'uuid',
    at: 'timestamptz',
    seconds: 'bigint',
    up_bytes: 'bigint',
    down_bytes: 'bigint',
    raw_up: 'bigint',
    raw_down: 'bigint',
    begun: 'integer',
    event_time: 'bigint',
    sent_at: 'timestamptz',
  };
  const names = sql.join(columns.map((name) => sql.ref(name)));
  const arrays = columns.map((name) => sql`${rows.map((row) => row[name])}::${sql.raw(types[name] ?? 'text')}[]`);
  const changed = columns.slice(4).map((name) => sql`${sql.ref(name)} = excluded.${sql.ref(name)}`);
  // sorted by key, against deadlocks
  await sql`
    insert into radius_session (${names})
    select ${names} from unnest(${sql.join(arrays)}) as v(${names})
    where exists (select from radius_nas n where n.account_id = v.account_id and n.id = v.nas_id)
    order by account_id, nas_id, origin, session_id
    on conflict (account_id, nas_id, origin, session_id) do update set ${sql.join(changed)}
  `.execute(system);
}

export function openSessions(
  { system }: Pick<Database, 'system'>,
  { account_id: accountId, nas_id: nasId, origin }: SessionTable,
): Promise<SessionTable[]> {
  return radiusTables(system)
    .selectFrom('radius_session')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('nas_id', '=', nasId)
    .where('origin', '=', origin)
    .where('status', 'in', ['start', 'interim'])
    .execute();
}

export function findOpenSession(
  { system }: Pick<Database, 'system'>,
  { accountId, gwid, acctSessionId }: { accountId: string; gwid: string; acctSessionId: string },
): Promise<SessionTable | undefined> {
  return radiusTables(system)
    .selectFrom('radius_session')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('gwid', '=', gwid)
    .where('session_id', '=', acctSessionId)
    .where('status', 'in', ['start', 'interim'])
    .orderBy('at', 'desc')
    .executeTakeFirst();
}

/** Days: ended ones recognise repeats; silent ones. */
const keptDays = { ended: 1, silent: 30 } as const;
const day = 24 * 60 * 60 * 1000;

export async function pruneSessions(tx: Tx, now: Date): Promise<void> {
  const before = (days: number) => new Date(now.getTime() - days * day);
  await radiusTables(tx)
    .deleteFrom('radius_session')
    .where('at', '<', before(keptDays.ended))
    .where((where) => where.or([where('status', 'in', ['stop', 'reset']), where('at', '<', before(keptDays.silent))]))
    .execute();
}
