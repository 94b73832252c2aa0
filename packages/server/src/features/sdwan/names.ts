import type { Tx } from '../../platform/database/index.ts';
import { sdwanTables } from './tables.ts';

/** Covers all accounts; unknown ids are missing. */
export async function sdwanNames(tx: Tx, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const wanted = [...new Set(ids)].filter((id) => uuid.test(id));
  if (wanted.length === 0) return new Map();
  const rows = await sdwanTables(tx)
    .selectFrom('sdwan_network')
    .select(['id', 'name'])
    .where('id', 'in', wanted)
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** A gateway may report any text. */
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
