import type { portal as contract, DataOf, InputOf } from '@yunxun/contract';
import { sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import { voidMembers } from './radius/proof-voids.ts';
import { portal } from './tables.ts';
import type { SiteKey } from './visit-store.ts';

/** Ignores letter case, outer blanks and width. */
export async function findMemberByName(tx: Tx, { accountId, gwid }: SiteKey, typed: string) {
  const name = typed.trim().toLowerCase();
  const ofSite = portal(tx)
    .selectFrom('portal_member')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('gwid', '=', gwid);
  const exact = await ofSite.where('name_key', '=', name).executeTakeFirst();
  if (exact) return exact;
  const plain = name.normalize('NFKC').trim();
  const wide = await ofSite.where('name_plain', '=', plain).limit(2).execute();
  return wide.length === 1 ? wide[0] : undefined;
}

export async function findMember(tx: Tx, { accountId, gwid }: SiteKey, id: string) {
  return portal(tx)
    .selectFrom('portal_member')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('gwid', '=', gwid)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

type Row = DataOf<typeof contract.memberList>['list'][number];

export async function listMembers(
  tx: Tx,
  accountId: string,
  { gwid, page = 1, limit = 10, keyword = '', sort = 'name', order = 'asc' }: InputOf<typeof contract.memberList>,
): Promise<{ list: Row[]; total: number }> {
  const query = portal(tx)
    .selectFrom('portal_member')
    .where('account_id', '=', accountId)
    .where('gwid', '=', gwid)
    .where(sql<boolean>`strpos(lower(name), ${keyword.toLowerCase()}) > 0`);
  const { total } = await query.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await query
    .select(['id', 'name', 'enabled', 'until', 'devices', 'last_at'])
    .select(sql<boolean>`real_sealed is not null`.as('real_name'))
    .select(sql<boolean>`radius_sealed is not null`.as('radius'))
    .orderBy(sort === 'devices' ? 'devices' : sql`lower(name)`, order)
    .orderBy('id')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute();
  const time = (at: Date | null) => at?.toISOString() ?? null;
  return { list: rows.map((row) => ({ ...row, until: time(row.until), last_at: time(row.last_at) })), total };
}

export async function countMembers(tx: Tx, { accountId, gwid }: SiteKey): Promise<number> {
  const row = await portal(tx)
    .selectFrom('portal_member')
    .select((select) => select.fn.countAll<number>().as('used'))
    .where('account_id', '=', accountId)
    .where('gwid', '=', gwid)
    .executeTakeFirstOrThrow();
  return row.used;
}

export async function deleteMembers(tx: Tx, { accountId, gwid }: SiteKey, ids: readonly string[]) {
  voidMembers(tx, accountId, ids);
  return portal(tx)
    .deleteFrom('portal_member')
    .where('account_id', '=', accountId)
    .where('gwid', '=', gwid)
    .where('id', 'in', [...ids])
    .returning(['id', 'name'])
    .execute();
}

export async function knownMembers(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await portal(tx)
    .selectFrom('portal_member')
    .select('id')
    .where('id', 'in', [...ids])
    .execute();
  return new Set(rows.map((row) => row.id));
}
