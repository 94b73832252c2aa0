import type { StationList } from '@yunxun/contract';
import { type Selectable, sql } from 'kysely';
import { announce, type Tx, tables } from '../../platform/database/index.ts';
import { containing, macContaining } from '../../platform/search/index.ts';

interface UserTables {
  station_mark: {
    account_id: string;
    mac: string;
    remark: string;
    vip: boolean;
    list: StationList | null;
    listed_at: Date | null;
    listed_by: string | null;
    /** Where it is blocked; null: all. */
    list_gwids: string[] | null;
    updated_at: Date;
    updated_by: string;
  };
}

export type Mark = Selectable<UserTables['station_mark']>;

const db = (tx: Tx) => tables<UserTables>(tx);

export async function marksOf(tx: Tx, accountId: string, macs: readonly string[]): Promise<ReadonlyMap<string, Mark>> {
  if (macs.length === 0) return new Map();
  const rows = await db(tx)
    .selectFrom('station_mark')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('mac', 'in', [...macs])
    .execute();
  return new Map(rows.map((row) => [row.mac, row]));
}

/** Serialises: lengths are limited. */
export async function lockLists(tx: Tx, accountId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`users.lists ${accountId}`}, 0))`.execute(tx);
}

export async function countListed(tx: Tx, accountId: string, list: StationList): Promise<number> {
  const row = await db(tx)
    .selectFrom('station_mark')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('list', '=', list)
    .executeTakeFirstOrThrow();
  return row.count;
}

export function blockedMarks(tx: Tx, accountId: string): Promise<Pick<Mark, 'mac' | 'list_gwids'>[]> {
  return db(tx)
    .selectFrom('station_mark')
    .select(['mac', 'list_gwids'])
    .where('account_id', '=', accountId)
    .where('list', '=', 'blocked')
    .orderBy('mac')
    .execute();
}

/** Returns the newest first, by part of MAC or remark. */
export async function listed(
  tx: Tx,
  accountId: string,
  list: StationList,
  keyword: string | undefined,
): Promise<{ mac: string }[]> {
  const query = db(tx)
    .selectFrom('station_mark')
    .select('mac')
    .where('account_id', '=', accountId)
    .where('list', '=', list)
    .orderBy('listed_at', 'desc')
    .orderBy('mac');
  if (!keyword) return query.execute();
  const mac = macContaining(keyword);
  return query
    .where((where) =>
      where.or([where('remark', 'ilike', containing(keyword)), ...(mac ? [where('mac', 'like', mac)] : [])]),
    )
    .execute();
}

/** Returns at most a thousand MACs. */
export async function macsMarked(tx: Tx, accountId: string, by: { remark: string } | { vip: true }): Promise<string[]> {
  const query = db(tx).selectFrom('station_mark').select('mac').where('account_id', '=', accountId).limit(1000);
  const rows = await ('vip' in by
    ? query.where('vip', '=', true)
    : query.where('remark', 'ilike', containing(by.remark))
  ).execute();
  return rows.map(({ mac }) => mac);
}

export const listedSubject = (accountId: string) => `users.${accountId}.listed`;

export async function isBlocked(tx: Tx, accountId: string, gwid: string, mac: string): Promise<boolean> {
  const row = await db(tx)
    .selectFrom('station_mark')
    .select('mac')
    .where('account_id', '=', accountId)
    .where('mac', '=', mac)
    .where('list', '=', 'blocked')
    .where(sql<boolean>`(list_gwids is null or ${gwid}::uuid = any(list_gwids))`)
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes empty marks. */
export async function writeMarks(
  tx: Tx,
  accountId: string,
  macs: readonly string[],
  change: Partial<Pick<Mark, 'remark' | 'vip' | 'list' | 'list_gwids' | 'listed_at' | 'listed_by'>>,
  stamp: { at: Date; by: string },
): Promise<void> {
  if (macs.length === 0) return;
  if (change.list !== undefined) announce(tx, listedSubject(accountId), { macs });
  const set = { ...change, updated_at: stamp.at, updated_by: stamp.by };
  await db(tx)
    .insertInto('station_mark')
    .values(
      macs.map((mac) => ({
        account_id: accountId,
        mac,
        remark: '',
        vip: false,
        list: null,
        list_gwids: null,
        listed_at: null,
        listed_by: null,
        ...set,
      })),
    )
    .onConflict((conflict) => conflict.columns(['account_id', 'mac']).doUpdateSet(set))
    .execute();
  await db(tx)
    .deleteFrom('station_mark')
    .where('account_id', '=', accountId)
    .where('mac', 'in', [...macs])
    .where('remark', '=', '')
    .where('vip', '=', false)
    .where('list', 'is', null)
    .execute();
}
