import type { Tx } from '../../platform/database/index.ts';
import { networksById } from './device-store.ts';

/** The names of networks of an account by their ids; those that are gone, or that the transaction may not see, are missing. */
export async function networkNames(
  tx: Tx,
  accountId: string,
  gwids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (gwids.length === 0) return new Map();
  const rows = await networksById(tx, accountId, [...new Set(gwids)]);
  return new Map(rows.map((row) => [row.gwid, row.remark]));
}
