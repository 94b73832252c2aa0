import type { AssetClass } from '@yunxun/contract';
import type { Selectable } from 'kysely';
import { type Tx, tables } from '../../platform/database/index.ts';
import { distinctTags } from '../../platform/search/index.ts';

interface AssetTables {
  asset_mark: {
    account_id: string;
    gwid: string;
    mac: string;
    class: AssetClass | null;
    name: string;
    tags: string[];
    note: string;
    known_at: Date | null;
    updated_at: Date;
    updated_by: string;
  };
}

export type AssetMark = Selectable<AssetTables['asset_mark']>;
export type GivenMark = Pick<AssetMark, 'class' | 'name' | 'tags' | 'note' | 'known_at'>;

export const unsaid: GivenMark = { class: null, name: '', tags: [], note: '', known_at: null };

const db = (tx: Tx) => tables<AssetTables>(tx);

/** Locks marks until the transaction ends; omits unmarked assets. */
export async function lockMarks(
  tx: Tx,
  where: { accountId: string; gwid: string },
  macs: readonly string[],
): Promise<ReadonlyMap<string, AssetMark>> {
  const rows = await db(tx)
    .selectFrom('asset_mark')
    .selectAll()
    .where('account_id', '=', where.accountId)
    .where('gwid', '=', where.gwid)
    .where('mac', 'in', [...macs])
    .orderBy('mac')
    .forUpdate()
    .execute();
  return new Map(rows.map((row) => [row.mac, row]));
}

export async function writeMark(
  tx: Tx,
  key: { accountId: string; gwid: string; mac: string },
  mark: GivenMark,
  stamp: { at: Date; by: string },
): Promise<void> {
  const set = { ...mark, updated_at: stamp.at, updated_by: stamp.by };
  await db(tx)
    .insertInto('asset_mark')
    .values({ account_id: key.accountId, gwid: key.gwid, mac: key.mac, ...set })
    .onConflict((conflict) => conflict.columns(['account_id', 'gwid', 'mac']).doUpdateSet(set))
    .execute();
}

/** Returns them sorted. */
export async function tagsOf(tx: Tx, accountId: string, gwid: string): Promise<string[]> {
  const rows = await db(tx)
    .selectFrom('asset_mark')
    .select('tags')
    .where('account_id', '=', accountId)
    .where('gwid', '=', gwid)
    .execute();
  return distinctTags(rows.flatMap(({ tags }) => tags).toSorted());
}
