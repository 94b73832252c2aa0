import type { StationList } from '@yunxun/contract';
import { type Selectable, sql } from 'kysely';
import { type Tx, tables } from '../../platform/database/index.ts';

interface UserTables {
  station_mark: {
    account_id: string;
    mac: string;
    remark: string;
    vip: boolean;
    list: StationList | null;
    listed_at: Date | null;
    listed_by: string | null;
    updated_at: Date;
    updated_by: string;
  };
}

/** What the operator says of a terminal. */
export type Mark = Selectable<UserTables['station_mark']>;

const db = (tx: Tx) => tables<UserTables>(tx);

/** Marks of terminals by their MACs; one of which nothing is said is missing. */
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

/** Keeps others from changing the lists of an account until the transaction ends: their lengths are limited. */
export async function lockLists(tx: Tx, accountId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`users.lists ${accountId}`}, 0))`.execute(tx);
}

/** How many terminals are on a list. */
export async function countListed(tx: Tx, accountId: string, list: StationList): Promise<number> {
  const row = await db(tx)
    .selectFrom('station_mark')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('list', '=', list)
    .executeTakeFirstOrThrow();
  return row.count;
}

/** The MACs of a list, in their own order. */
export async function listedMacs(tx: Tx, accountId: string, list: StationList): Promise<string[]> {
  const rows = await db(tx)
    .selectFrom('station_mark')
    .select('mac')
    .where('account_id', '=', accountId)
    .where('list', '=', list)
    .orderBy('mac')
    .execute();
  return rows.map(({ mac }) => mac);
}

/** A list, who was put on it last first; narrowed by part of a MAC or of a remark. */
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
  const digits = keyword.replace(/[:.-]/g, '').toLowerCase();
  return query
    .where((where) =>
      where.or([
        where('remark', 'ilike', containing(keyword)),
        ...(/^[0-9a-f]{2,12}$/.test(digits) ? [where('mac', 'like', `%${digits}%`)] : []),
      ]),
    )
    .execute();
}

/** The MACs whose remark holds a text, or that are VIPs; at most a thousand. */
export async function macsMarked(tx: Tx, accountId: string, by: { remark: string } | { vip: true }): Promise<string[]> {
  const query = db(tx).selectFrom('station_mark').select('mac').where('account_id', '=', accountId).limit(1000);
  const rows = await ('vip' in by
    ? query.where('vip', '=', true)
    : query.where('remark', 'ilike', containing(by.remark))
  ).execute();
  return rows.map(({ mac }) => mac);
}

const containing = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** Says something else of terminals from now on. A mark that says nothing any more is removed. */
export async function writeMarks(
  tx: Tx,
  accountId: string,
  macs: readonly string[],
  change: Partial<Pick<Mark, 'remark' | 'vip' | 'list' | 'listed_at' | 'listed_by'>>,
  stamp: { at: Date; by: string },
): Promise<void> {
  if (macs.length === 0) return;
  const set = { ...change, updated_at: stamp.at, updated_by: stamp.by };
  await db(tx)
    .insertInto('station_mark')
    .values(
      macs.map((mac) => ({
        ...{ account_id: accountId, mac, remark: '', vip: false, list: null, listed_at: null, listed_by: null },
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
