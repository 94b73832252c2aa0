import type { backup } from '@yunxun/contract';
import type { Tx } from '../../platform/database/index.ts';
import { backupTables, type RestoreTable } from './tables.ts';

export const usualPlan: backup.BackupPlan = { cycle: 'daily', hour: 3, weekday: 1 };

export async function plansOf(
  tx: Tx,
  accountId: string,
  gwids: readonly string[] | null,
): Promise<Map<string, backup.BackupPlan>> {
  let query = backupTables(tx).selectFrom('backup_plan').selectAll().where('account_id', '=', accountId);
  if (gwids) {
    if (gwids.length === 0) return new Map();
    query = query.where('gwid', 'in', [...gwids]);
  }
  const rows = await query.execute();
  return new Map(rows.map(({ gwid, cycle, hour, weekday }) => [gwid, { cycle, hour, weekday }]));
}

export async function savePlan(
  tx: Tx,
  saved: { accountId: string; gwids: readonly string[]; plan: Partial<backup.BackupPlan>; at: Date; by: string },
): Promise<void> {
  const { accountId, gwids, plan, at, by } = saved;
  const values = { ...plan, updated_at: at, updated_by: by };
  await backupTables(tx)
    .insertInto('backup_plan')
    .values(gwids.map((gwid) => ({ account_id: accountId, gwid, ...usualPlan, ...values })))
    .onConflict((conflict) => conflict.columns(['account_id', 'gwid']).doUpdateSet(values))
    .execute();
}

export async function insertRestore(tx: Tx, row: RestoreTable): Promise<void> {
  await backupTables(tx).insertInto('backup_restore').values(row).execute();
}

/** Returns newest first, and which backups exist. */
export async function listRestores(
  tx: Tx,
  accountId: string,
  filter: { gwid?: string | undefined },
  page: { offset: number; limit: number },
): Promise<{ rows: RestoreTable[]; total: number; there: ReadonlySet<string> }> {
  let own = backupTables(tx).selectFrom('backup_restore').where('account_id', '=', accountId);
  if (filter.gwid) own = own.where('gwid', '=', filter.gwid);
  const rows = await own
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  const { total } = await own.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const ids = rows.flatMap(({ backup_id, snapshot_id }) => [backup_id, ...(snapshot_id ? [snapshot_id] : [])]);
  const found =
    ids.length === 0
      ? []
      : await backupTables(tx)
          .selectFrom('backup')
          .select('id')
          .where('account_id', '=', accountId)
          .where('id', 'in', ids)
          .execute();
  return { rows, total: Number(total), there: new Set(found.map(({ id }) => id)) };
}
