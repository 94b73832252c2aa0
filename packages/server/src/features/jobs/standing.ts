import type { JobItemStatus, JobStatus } from '@yunxun/contract';
import { type Tx, tables } from '../../platform/database/index.ts';
import type { JobTables } from './store.ts';
import type { Stop } from './waves.ts';

/** How jobs stand; those that the transaction does not see are missing. */
export async function standingOf(
  tx: Tx,
  accountId: string,
  jobIds: readonly string[],
): Promise<ReadonlyMap<string, JobStatus>> {
  if (jobIds.length === 0) return new Map();
  const rows = await tables<JobTables>(tx)
    .selectFrom('job')
    .select(['id', 'status'])
    .where('account_id', '=', accountId)
    .where('id', 'in', [...jobIds])
    .execute();
  return new Map(rows.map(({ id, status }) => [id, status]));
}

/** An item of a job, as those see it who started the job. */
export interface StandingItem {
  jobId: string;
  serial: string | null;
  gwid: string | null;
  name: string;
  wave: number;
  status: JobItemStatus;
  reason: string | null;
  seq: number;
}

/** The items of jobs, and why those of them that were stopped were. Jobs that the transaction does not see are missing. */
export async function progressOf(
  tx: Tx,
  accountId: string,
  jobIds: readonly string[],
): Promise<{ items: StandingItem[]; stopped: ReadonlyMap<string, Stop> }> {
  if (jobIds.length === 0) return { items: [], stopped: new Map() };
  const db = tables<JobTables>(tx);
  const jobs = await db
    .selectFrom('job')
    .select(['id', 'stopped'])
    .where('account_id', '=', accountId)
    .where('id', 'in', [...jobIds])
    .execute();
  const rows = await db
    .selectFrom('job_item')
    .select(['job_id', 'seq', 'serial', 'gwid', 'name', 'wave', 'status', 'reason'])
    .where('account_id', '=', accountId)
    .where('job_id', 'in', [...jobIds])
    .orderBy('job_id')
    .orderBy('seq')
    .execute();
  return {
    items: rows.map(({ job_id: jobId, ...item }) => ({ jobId, ...item })),
    stopped: new Map(jobs.flatMap(({ id, stopped }) => (stopped ? [[id, stopped]] : []))),
  };
}
