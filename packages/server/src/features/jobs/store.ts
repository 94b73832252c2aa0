import type { JobItemStatus, JobStatus } from '@yunxun/contract';
import { type Generated, type Kysely, type Selectable, sql } from 'kysely';
import { type Tx, tables } from '../../platform/database/index.ts';

export interface JobTables {
  job: {
    account_id: string;
    id: string;
    type: string;
    status: JobStatus;
    total: number;
    params: unknown;
    created_by: string | null;
    operator: string;
    created_at: Date;
    finished_at: Date | null;
  };
  job_item: {
    account_id: string;
    job_id: string;
    seq: number;
    serial: string | null;
    gwid: string | null;
    name: string;
    status: JobItemStatus;
    reason: string | null;
    detail: unknown;
    started_at: Date | null;
    finished_at: Date | null;
    /** Its device came back while it was being worked on. */
    woken: Generated<boolean>;
    /** Items of a later wave begin once those before have ended well. */
    wave: number;
  };
}
export type Job = JobTables['job'];
export type JobItem = Selectable<JobTables['job_item']>;
/** An item before its first run. */
export type FreshItem = Omit<JobItem, 'woken'>;

/** How many items a job has in each state. */
export type Sums = Partial<Record<JobItemStatus, number>>;

export async function insertJob(tx: Tx, job: Job, items: readonly FreshItem[]): Promise<void> {
  const db = tables<JobTables>(tx);
  await db
    .insertInto('job')
    .values({ ...job, params: JSON.stringify(job.params) })
    .execute();
  for (let at = 0; at < items.length; at += 500) {
    const rows = items
      .slice(at, at + 500)
      .map((item) => ({ ...item, detail: item.detail === null ? null : JSON.stringify(item.detail) }));
    await db.insertInto('job_item').values(rows).execute();
  }
}

export function findJob(tx: Tx, accountId: string, id: string): Promise<Job | undefined> {
  return tables<JobTables>(tx)
    .selectFrom('job')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** The job, locked until the transaction ends: whoever changes items holds it, so sums and status agree. */
export function lockJob(tx: Tx, accountId: string, id: string): Promise<Job | undefined> {
  return tables<JobTables>(tx)
    .selectFrom('job')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

export function itemsOf(
  tx: Tx,
  accountId: string,
  jobId: string,
  statuses?: readonly JobItemStatus[],
): Promise<JobItem[]> {
  let query = tables<JobTables>(tx)
    .selectFrom('job_item')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('job_id', '=', jobId);
  if (statuses) query = query.where('status', 'in', statuses);
  return query.orderBy('seq').execute();
}

/** One item as it stands. */
export function findItem(tx: Tx, key: Pick<JobItem, 'account_id' | 'job_id' | 'seq'>): Promise<JobItem | undefined> {
  return tables<JobTables>(tx)
    .selectFrom('job_item')
    .selectAll()
    .where('account_id', '=', key.account_id)
    .where('job_id', '=', key.job_id)
    .where('seq', '=', key.seq)
    .executeTakeFirst();
}

export async function setItem(
  tx: Tx,
  key: Pick<JobItem, 'account_id' | 'job_id' | 'seq'>,
  change: Partial<JobItem>,
): Promise<void> {
  const values =
    'detail' in change ? { ...change, detail: change.detail == null ? null : JSON.stringify(change.detail) } : change;
  await tables<JobTables>(tx)
    .updateTable('job_item')
    .set(values)
    .where('account_id', '=', key.account_id)
    .where('job_id', '=', key.job_id)
    .where('seq', '=', key.seq)
    .execute();
}

export async function setJob(tx: Tx, key: Pick<Job, 'account_id' | 'id'>, change: Partial<Job>): Promise<void> {
  await tables<JobTables>(tx)
    .updateTable('job')
    .set(change)
    .where('account_id', '=', key.account_id)
    .where('id', '=', key.id)
    .execute();
}

/** Item counts by state for each of the given jobs. */
export async function sumsOf(tx: Tx, accountId: string, jobIds: readonly string[]): Promise<Map<string, Sums>> {
  const result = new Map<string, Sums>(jobIds.map((id) => [id, {}]));
  if (jobIds.length === 0) return result;
  const rows = await tables<JobTables>(tx)
    .selectFrom('job_item')
    .select((select) => ['job_id', 'status', select.fn.countAll<number>().as('count')])
    .where('account_id', '=', accountId)
    .where('job_id', 'in', jobIds)
    .groupBy(['job_id', 'status'])
    .execute();
  for (const row of rows) result.get(row.job_id)![row.status] = row.count;
  return result;
}

/** Jobs with items that wait for a device, or are being worked on and may want to wait for it. */
export async function jobsAround(tx: Tx | Kysely<unknown>, accountId: string, serial: string): Promise<string[]> {
  const rows = await tables<JobTables>(tx)
    .selectFrom('job_item')
    .select('job_id')
    .distinct()
    .where('account_id', '=', accountId)
    .where('serial', '=', serial)
    .where('finished_at', 'is', null)
    .where('status', 'in', ['waiting_offline', 'running'])
    // whoever locks several locks them in this order
    .orderBy('job_id')
    .execute();
  return rows.map((row) => row.job_id);
}

/** Items that have waited for longer than the given time, over all accounts. */
export function waitingSince(tx: Tx, before: Date, limit: number): Promise<JobItem[]> {
  return tables<JobTables>(tx)
    .selectFrom('job_item')
    .selectAll()
    .where('status', '=', 'waiting_offline')
    .where('started_at', '<', before)
    .limit(limit)
    .execute();
}

/** How the items of a job stand, by wave. */
export async function wavesOf(
  tx: Tx,
  accountId: string,
  jobId: string,
): Promise<{ wave: number; status: JobItemStatus; count: number }[]> {
  return tables<JobTables>(tx)
    .selectFrom('job_item')
    .select((select) => ['wave', 'status', select.fn.countAll<number>().as('count')])
    .where('account_id', '=', accountId)
    .where('job_id', '=', jobId)
    .groupBy(['wave', 'status'])
    .orderBy('wave')
    .execute();
}

export async function listJobs(
  tx: Tx,
  accountId: string,
  filter: { status?: JobStatus | undefined; open?: boolean | undefined; keyword?: string | undefined },
  page: { offset: number; limit: number; descending: boolean },
): Promise<{ rows: Job[]; total: number }> {
  let query = tables<JobTables>(tx).selectFrom('job').where('account_id', '=', accountId);
  if (filter.status) query = query.where('status', '=', filter.status);
  if (filter.open !== undefined) query = query.where('finished_at', filter.open ? 'is' : 'is not', null);
  if (filter.keyword)
    query = query.where(
      sql<boolean>`type || ' ' || operator ilike ${`%${filter.keyword.replace(/[\\%_]/g, '\\$&')}%`}`,
    );
  const rows = await query
    .selectAll()
    .orderBy('created_at', page.descending ? 'desc' : 'asc')
    .orderBy('id', page.descending ? 'desc' : 'asc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  const { total } = await query.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return { rows, total };
}

/** Which of the ids are jobs that the transaction may see. */
export async function knownJobs(tx: Tx, ids: readonly string[]): Promise<Set<string>> {
  const rows = await tables<JobTables>(tx).selectFrom('job').select('id').where('id', 'in', ids).execute();
  return new Set(rows.map((row) => row.id));
}
