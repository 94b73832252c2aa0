import { type remoteLinks as contract, type DataOf, type InputOf, remote } from '@yunxun/contract';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import { readPage } from '../../../platform/database/page.ts';
import { containing } from '../../../platform/search/index.ts';
import { fleetNetworks } from '../../fleet/index.ts';
import { type RemoteLink, type RemoteSession, remoteTables } from '../tables.ts';

export async function knownLinks(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await remoteTables(tx)
    .selectFrom('remote_link')
    .select('id')
    .where('id', 'in', [...ids])
    .execute();
  return new Set(rows.map((row) => row.id));
}

/** System role: a secret names no account. */
export function findLink(tx: Tx, secretHash: Buffer): Promise<RemoteLink | undefined> {
  return remoteTables(tx)
    .selectFrom('remote_link')
    .selectAll()
    .where('secret_hash', '=', secretHash)
    .executeTakeFirst();
}

/** System role. */
export function findGuestSession(tx: Tx, id: string, pageHash: Buffer): Promise<RemoteSession | undefined> {
  return remoteTables(tx)
    .selectFrom('remote_session')
    .selectAll()
    .select(sql<string | null>`host(host)`.as('host'))
    .where('id', '=', id)
    .where('page_hash', '=', pageHash)
    .executeTakeFirst();
}

export async function countOpenLinks(tx: Tx, accountId: string, now: Date): Promise<number> {
  const { used } = await remoteTables(tx)
    .selectFrom('remote_link')
    .select((select) => select.fn.countAll<number>().as('used'))
    .where('account_id', '=', accountId)
    .where('until', '>', now)
    .where('opened_at', 'is', null)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow();
  return used;
}

/** @returns false if it was used or withdrawn meanwhile */
export async function useLink(tx: Tx, { account_id, id }: RemoteLink, sessionId: string, now: Date): Promise<boolean> {
  const used = await remoteTables(tx)
    .updateTable('remote_link')
    .set({ opened_at: now, session_id: sessionId })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .where('opened_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('until', '>', now)
    .executeTakeFirst();
  return used.numUpdatedRows === 1n;
}

type Row = DataOf<typeof contract.list>['list'][number];

export async function listLinks(
  tx: Tx,
  accountId: string,
  { page = 1, limit = 10, sort = 'created_at', order = 'desc', keyword }: InputOf<typeof contract.list>,
  now: Date,
): Promise<DataOf<typeof contract.list>> {
  const found = keyword
    ? sql`and concat_ws(' ', l.target, l.guest, l.user_name, l.purpose) ilike ${containing(keyword)}`
    : sql``;
  const direction = sql.raw(order === 'asc' ? 'asc' : 'desc');
  const { rows, total } = await readPage<RemoteLink & { active: boolean }>(
    tx,
    sql`select l.*, s.id is not null as active from remote_link l
      left join remote_session s on s.account_id = l.account_id and s.id = l.session_id and s.ended_at is null
      where l.account_id = ${accountId} ${found}`,
    sql`${sql.ref(sort)} ${direction}, created_at ${direction}, id ${direction}`,
    { page, limit },
  );
  const names = await fleetNetworks.names(
    tx,
    accountId,
    rows.map((row) => row.gwid),
  );
  return { list: rows.map((row) => present(row, names.get(row.gwid) ?? '', now)), total };
}

function present(row: RemoteLink & { active: boolean }, network: string, now: Date): Row {
  return {
    id: row.id,
    gwid: row.gwid,
    network,
    target: row.target,
    kind: row.kind,
    guest: row.guest,
    purpose: row.purpose,
    user: row.user_name,
    state: row.revoked_at ? 'revoked' : row.opened_at ? 'used' : row.until <= now ? 'expired' : 'open',
    created_at: row.created_at.toISOString(),
    until: row.until.toISOString(),
    opened_at: row.opened_at?.toISOString() ?? null,
    active: row.active,
  };
}

export async function pruneLinks(tx: Tx, now: Date): Promise<void> {
  const before = new Date(now.getTime() - remote.remoteLimits.keptDays * 86_400_000);
  await remoteTables(tx).deleteFrom('remote_link').where('created_at', '<', before).execute();
}
