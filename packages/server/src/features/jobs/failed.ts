import type { Tx } from '../../platform/database/index.ts';
import { tables } from '../../platform/database/index.ts';
import { shownSums } from './status.ts';
import { type JobTables, sumsOf } from './store.ts';

/** Failed and partial ones, newest first. */
export async function failedJobs(tx: Tx, accountId: string, since: Date, limit: number) {
  const failed = tables<JobTables>(tx)
    .selectFrom('job')
    .where('account_id', '=', accountId)
    .where('created_at', '>=', since)
    .where('status', 'in', ['failed', 'partial']);
  const rows = await failed.selectAll().orderBy('created_at', 'desc').limit(limit).execute();
  const { total } = await failed.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const sums = await sumsOf(
    tx,
    accountId,
    rows.map((row) => row.id),
  );
  const list = rows.map((row) => ({
    job_id: row.id,
    type: row.type,
    total: row.total,
    failed: shownSums(sums.get(row.id) ?? {}).failed,
    finished_at: row.finished_at?.toISOString() ?? null,
  }));
  return { list, total };
}
