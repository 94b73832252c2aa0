import type { Tx } from '../../platform/database/index.ts';
import { backupTables } from './tables.ts';

export async function lastBackups(
  tx: Tx,
  accountId: string,
  { gwids = null, since, before }: { gwids?: readonly string[] | null; since?: Date | null; before?: Date },
): Promise<Map<string, Date>> {
  if (gwids?.length === 0) return new Map();
  let query = backupTables(tx)
    .selectFrom('backup')
    .select(({ fn }) => ['gwid', fn.max('created_at').as('at')])
    .where('account_id', '=', accountId)
    .groupBy('gwid');
  if (gwids) query = query.where('gwid', 'in', [...gwids]);
  if (since) query = query.where('created_at', '>=', since);
  if (before) query = query.where('created_at', '<', before);
  return new Map((await query.execute()).map(({ gwid, at }) => [gwid, at]));
}
