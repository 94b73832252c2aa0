import { remote as contract, type DataOf, type InputOf } from '@yunxun/contract';
import { sql } from 'kysely';
import { bySystem } from '../../platform/acting.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import { readPage } from '../../platform/database/page.ts';
import { containing, macContaining } from '../../platform/search/index.ts';
import { fleetNetworks } from '../fleet/index.ts';
import type { SessionEnds } from './ends.ts';
import { type RemoteSession, remoteTables } from './tables.ts';

export async function knownSessions(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await remoteTables(tx)
    .selectFrom('remote_session')
    .select('id')
    .where('id', 'in', [...ids])
    .execute();
  return new Set(rows.map((row) => row.id));
}

export function findSession(tx: Tx, accountId: string, id: string): Promise<RemoteSession | undefined> {
  return remoteTables(tx)
    .selectFrom('remote_session')
    .selectAll()
    .select(sql<string | null>`host(host)`.as('host'))
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Milliseconds without a sign of the process that held a session. */
const forgottenAfter = 60_000;

const isForgotten = (now: Date) => sql<boolean>`coalesce(
  case when connected_at is null then token_until < ${now} else seen_at < ${new Date(now.getTime() - forgottenAfter)} end, false)`;

export async function countOpen(
  tx: Tx,
  accountId: string,
  serial: string,
  now: Date,
): Promise<{ account: number; device: number }> {
  const { rows } = await sql<{ account: number; device: number }>`
    select count(*)::int as account, (count(*) filter (where serial = ${serial}))::int as device
    from remote_session where account_id = ${accountId} and ended_at is null and not ${isForgotten(now)}`.execute(tx);
  return rows[0]!;
}

/** Uses up the token. @returns undefined if it is wrong, used or over */
export function claimSession(
  tx: Tx,
  { accountId, id, hash, now }: { accountId: string; id: string; hash: Buffer; now: Date },
): Promise<RemoteSession | undefined> {
  return remoteTables(tx)
    .updateTable('remote_session')
    .set({ token_hash: null, connected_at: now, seen_at: now })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('token_hash', '=', hash)
    .where('token_until', '>', now)
    .where('ended_at', 'is', null)
    .returningAll()
    .returning(sql<string | null>`host(host)`.as('host'))
    .executeTakeFirst();
}

/** System role: a device names no account. */
export function findWaiting(tx: Tx, id: string, hash: Buffer): Promise<RemoteSession | undefined> {
  return remoteTables(tx)
    .selectFrom('remote_session')
    .selectAll()
    .where('id', '=', id)
    .where('token_hash', '=', hash)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
}

export async function touchSessions(
  tx: Tx,
  held: readonly { accountId: string; id: string; bytesUp: number; bytesDown: number }[],
  now: Date,
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    update remote_session s set seen_at = ${now}, bytes_up = h."bytesUp", bytes_down = h."bytesDown"
    from json_to_recordset(${JSON.stringify(held)}::json)
      as h ("accountId" uuid, id uuid, "bytesUp" bigint, "bytesDown" bigint)
    where s.account_id = h."accountId" and s.id = h.id and s.ended_at is null
    returning s.id`.execute(tx);
  return new Set(rows.map((row) => row.id));
}

type ListInput = InputOf<typeof contract.list>;
type Row = DataOf<typeof contract.list>['list'][number];

export async function listSessions(
  tx: Tx,
  { accountId, userId }: { accountId: string; userId: string | null },
  { page = 1, limit = 10, sort = 'created_at', order = 'desc', keyword, gwid, open }: ListInput,
): Promise<DataOf<typeof contract.list>> {
  const conditions = [
    sql`account_id = ${accountId}`,
    ...(gwid ? [sql`gwid = ${gwid}`] : []),
    ...(open === undefined ? [] : [open ? sql`ended_at is null` : sql`ended_at is not null`]),
    ...(keyword ? [matches(keyword)] : []),
  ];
  const direction = sql.raw(order === 'asc' ? 'asc' : 'desc');
  const { rows, total } = await readPage<RemoteSession>(
    tx,
    sql`select * from remote_session where ${sql.join(conditions, sql` and `)}`,
    sql`${sql.ref(sort)} ${direction}, created_at ${direction}, id ${direction}`,
    { page, limit },
  );
  const names = await fleetNetworks.names(
    tx,
    accountId,
    rows.map((row) => row.gwid),
  );
  return { list: rows.map((row) => present(row, names.get(row.gwid) ?? '', userId)), total };
}

function matches(keyword: string) {
  const mac = macContaining(keyword);
  const texts = sql`concat_ws(' ', target, user_name, guest, purpose) ilike ${containing(keyword)}`;
  return mac ? sql`(${texts} or serial like ${mac})` : texts;
}

function present(row: RemoteSession, network: string, userId: string | null): Row {
  return {
    id: row.id,
    gwid: row.gwid,
    network,
    serial: row.serial,
    peripheral_id: row.peripheral_id,
    target: row.target,
    kind: row.kind,
    purpose: row.purpose,
    user: row.user_name,
    guest: row.guest,
    mine: row.user_id === userId && row.link_id === null,
    state: row.ended_at ? 'ended' : row.connected_at ? 'open' : 'waiting',
    created_at: row.created_at.toISOString(),
    connected_at: row.connected_at?.toISOString() ?? null,
    ended_at: row.ended_at?.toISOString() ?? null,
    end_reason: row.end_reason,
    bytes_up: row.bytes_up,
    bytes_down: row.bytes_down,
    recording: row.recording,
  };
}

/** Ends sessions that no device joined in time, and those of a process that is gone. */
export async function endForgotten(database: Database, ends: SessionEnds, now: Date): Promise<void> {
  const { rows } = await sql<{ accountId: string; id: string; joined: boolean }>`
    select account_id as "accountId", id, connected_at is not null as joined from remote_session
    where ended_at is null and ${isForgotten(now)}
    order by account_id, id limit 1000`.execute(database.system);
  for (const { accountId, id, joined } of rows) {
    const reason = joined ? 'process' : 'silent';
    await database.withSystem((tx) => ends.end(tx, bySystem(accountId), { accountId, ids: [id] }, reason));
  }
}

export async function pruneSessions(database: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - contract.remoteLimits.keptDays * 86_400_000);
  await sql`delete from remote_session where created_at < ${before} and ended_at is not null`.execute(database.system);
}
