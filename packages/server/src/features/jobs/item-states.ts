import type { JobItemStatus, JobStatus } from '@yunxun/contract';
import { sql } from 'kysely';
import { type Tx, tables } from '../../platform/database/index.ts';
import type { JobTables } from './store.ts';
import type { Stop } from './waves.ts';

export async function readItemStates(
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

export interface ItemState {
  jobId: string;
  serial: string | null;
  gwid: string | null;
  name: string;
  wave: number;
  status: JobItemStatus;
  reason: string | null;
  seq: number;
}

/** Includes reasons of stopped jobs; invisible ones are missing. */
export async function progressOf(
  tx: Tx,
  accountId: string,
  jobIds: readonly string[],
): Promise<{ items: ItemState[]; stopped: ReadonlyMap<string, Stop> }> {
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

export interface Tally {
  jobId: string;
  status: JobItemStatus;
  reason: string | null;
  count: number;
}

/** Counts by the status in the last job of a series. */
export async function readLatestItemStates(
  tx: Tx,
  accountId: string,
  series: readonly (readonly string[])[],
): Promise<Tally[][]> {
  const places = series.flatMap((jobs, number) => jobs.map((job_id, place) => ({ series: number, place, job_id })));
  if (places.length === 0) return series.map(() => []);
  const { rows } = await sql<Tally & { series: number }>`
    with last as (
      select distinct on (s.series, i.serial) s.series, i.job_id, i.status, i.reason
      from json_to_recordset(${JSON.stringify(places)}::json) as s (series int, place int, job_id uuid)
      join job_item i on i.account_id = ${accountId} and i.job_id = s.job_id
      where i.serial is not null order by s.series, i.serial, s.place desc
    )
    select series, job_id as "jobId", status, reason, count(*)::int as count
    from last group by series, job_id, status, reason`.execute(tx);
  return series.map((_, number) => rows.filter((row) => row.series === number));
}
