import type { JobItemStatus, JobStatus } from '@yunxun/contract';
import { sql } from 'kysely';
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

/** How many devices stand alike. */
export interface Tally {
  jobId: string;
  status: JobItemStatus;
  reason: string | null;
  count: number;
}

/** How devices stand in series of jobs, counted: each by the last job of the series that it was in. @returns by series */
export async function lastStanding(
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
