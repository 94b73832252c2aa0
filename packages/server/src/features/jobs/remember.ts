import { type Tx, tables } from '../../platform/database/index.ts';
import type { JobItem, JobTables } from './store.ts';

/** Stores a running item's detail, to survive a crash. */
export async function remember(tx: Tx, item: JobItem, detail: unknown): Promise<void> {
  await tables<JobTables>(tx)
    .updateTable('job_item')
    .set({ detail: JSON.stringify(detail) })
    .where('account_id', '=', item.account_id)
    .where('job_id', '=', item.job_id)
    .where('seq', '=', item.seq)
    .execute();
}
