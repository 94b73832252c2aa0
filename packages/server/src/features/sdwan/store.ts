import type { SdwanNodeInput } from '@yunxun/contract';
import type { EdgeSdwan } from '@yunxun/contract/device';
import type { Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import { type NetworkRow, type NodeRow, sdwanTables } from './tables.ts';

/** Locks until the end of the transaction. @throws Failure notFound */
export async function lockNetwork(tx: Tx, accountId: string, id: string): Promise<NetworkRow> {
  const row = await sdwanTables(tx)
    .selectFrom('sdwan_network')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw new Failure('notFound');
  return row;
}

/** Refuses forms of the plan that were read before. */
export async function raiseVersion(tx: Tx, accountId: string, id: string): Promise<void> {
  await sdwanTables(tx)
    .updateTable('sdwan_network')
    .set(({ eb }) => ({ version: eb('version', '+', 1) }))
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
}

export function readNodes(tx: Tx, accountId: string, networkIds?: readonly string[]): Promise<NodeRow[]> {
  const query = sdwanTables(tx).selectFrom('sdwan_node').selectAll().where('account_id', '=', accountId);
  if (networkIds?.length === 0) return Promise.resolve([]);
  return (networkIds ? query.where('network_id', 'in', [...networkIds]) : query).orderBy('gwid').execute();
}

/** Serialises addresses and slots of the account. */
async function lockAllocation(tx: Tx, accountId: string): Promise<void> {
  await sdwanTables(tx)
    .selectFrom('sdwan_network')
    .select('id')
    .where('account_id', '=', accountId)
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** Keeps address and slot of present nodes. */
export async function saveNodes(
  tx: Tx,
  accountId: string,
  networkId: string,
  nodes: readonly SdwanNodeInput[],
): Promise<void> {
  await lockAllocation(tx, accountId);
  const all = await readNodes(tx, accountId);
  const kept = new Map(all.flatMap((row) => (row.network_id === networkId ? [[row.gwid, row]] : [])));
  const wanted = new Set(nodes.map(({ key }) => key));
  await sdwanTables(tx)
    .deleteFrom('sdwan_node')
    .where('account_id', '=', accountId)
    .where('network_id', '=', networkId)
    .where((where) => (wanted.size > 0 ? where('gwid', 'not in', [...wanted]) : where.val(true)))
    .execute();
  const used = new Set(all.map(({ address }) => address));
  let next = 1;
  for (const { key, level: _level, lans, ...own } of nodes) {
    const values = { ...own, lans: JSON.stringify(lans) };
    const row = kept.get(key);
    if (row) {
      await sdwanTables(tx)
        .updateTable('sdwan_node')
        .set(values)
        .where('account_id', '=', accountId)
        .where('network_id', '=', networkId)
        .where('gwid', '=', key)
        .execute();
      continue;
    }
    while (used.has(next)) next++;
    used.add(next);
    const slots = new Set(all.flatMap(({ gwid, slot }) => (gwid === key ? [slot] : [])));
    const slot = [0, 1, 2, 3].find((free) => !slots.has(free))!;
    await sdwanTables(tx)
      .insertInto('sdwan_node')
      .values({
        account_id: accountId,
        network_id: networkId,
        gwid: key,
        ...values,
        address: next,
        slot,
        document: null,
      })
      .execute();
  }
}

export async function saveDocument(
  tx: Tx,
  row: Pick<NodeRow, 'account_id' | 'network_id' | 'gwid'>,
  document: EdgeSdwan | null,
): Promise<void> {
  await sdwanTables(tx)
    .updateTable('sdwan_node')
    .set({ document: document && JSON.stringify(document) })
    .where('account_id', '=', row.account_id)
    .where('network_id', '=', row.network_id)
    .where('gwid', '=', row.gwid)
    .execute();
}

/** Returns intended documents by `gwid`. */
export async function sdwanOf(
  tx: Tx,
  accountId: string,
  gwids: readonly string[],
): Promise<ReadonlyMap<string, readonly EdgeSdwan[]>> {
  const found = new Map<string, EdgeSdwan[]>();
  if (gwids.length === 0) return found;
  const rows = await sdwanTables(tx)
    .selectFrom('sdwan_node')
    .select(['gwid', 'document'])
    .where('account_id', '=', accountId)
    .where('gwid', 'in', [...gwids])
    .where('document', 'is not', null)
    .orderBy('slot')
    .execute();
  for (const { gwid, document } of rows) {
    if (document) found.set(gwid, [...(found.get(gwid) ?? []), document]);
  }
  return found;
}
