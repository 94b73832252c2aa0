import type { JobItemStatus, JobStatus } from '@yunxun/contract';
import { type Generated, type Kysely, type Selectable, sql } from 'kysely';
import { type Tx, tables } from '../../platform/database/index.ts';
import { goingOn, type Stop, type WavePlan } from './waves.ts';

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
    /** How its waves follow each other (`waves.ts`). */
    plan: WavePlan | null;
    /** Why what was left of it was not begun. */
    stopped: Stop | null;
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
    /** A queued item whose time is still to come. */
    not_before: Generated<Date | null>;
  };
}
export type Job = JobTables['job'];
export type JobItem = Selectable<JobTables['job_item']>;
/** An item before its first run. */
export type FreshItem = Omit<JobItem, 'woken' | 'not_before'>;
export type JobKey = Pick<Job, 'account_id' | 'id'>;

/** A value for a column of JSON. */
function json<T>(value: T): T {
  return (value === null ? null : JSON.stringify(value)) as T;
}

/** How many items a job has in each state. */
export type Sums = Partial<Record<JobItemStatus, number>>;

export async function insertJob(tx: Tx, job: Job, items: readonly FreshItem[]): Promise<void> {
  const db = tables<JobTables>(tx);
  await db
    .insertInto('job')
    .values({ ...job, params: JSON.stringify(job.params), plan: json(job.plan) })
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

/** Items of a job in their order; those in some states, or about some devices. */
export function itemsOf(
  tx: Tx,
  accountId: string,
  jobId: string,
  statuses?: readonly JobItemStatus[],
  serials?: readonly string[],
): Promise<JobItem[]> {
  let query = tables<JobTables>(tx)
    .selectFrom('job_item')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('job_id', '=', jobId);
  if (statuses) query = query.where('status', 'in', statuses);
  if (serials) query = query.where('serial', 'in', serials);
  return query.orderBy('seq').execute();
}

/** Items of a job by their numbers, in order; those in some states only. */
export function itemsAt(
  tx: Tx,
  { account_id, id }: JobKey,
  seqs: readonly number[],
  statuses: readonly JobItemStatus[],
): Promise<JobItem[]> {
  return tables<JobTables>(tx)
    .selectFrom('job_item')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('job_id', '=', id)
    .where('seq', '=', sql<number>`any(${seqs}::int[])`)
    .where('status', 'in', statuses)
    .orderBy('seq')
    .execute();
}

/** Begins items that are in some states. @returns those, in order */
export async function beginItems(
  tx: Tx,
  { account_id, id }: JobKey,
  seqs: readonly number[],
  statuses: readonly JobItemStatus[],
  at: Date,
): Promise<JobItem[]> {
  const rows = await tables<JobTables>(tx)
    .updateTable('job_item')
    .set({ status: 'running', woken: false, not_before: null, started_at: sql<Date>`coalesce(started_at, ${at})` })
    .where('account_id', '=', account_id)
    .where('job_id', '=', id)
    .where('seq', '=', sql<number>`any(${seqs}::int[])`)
    .where('status', 'in', statuses)
    .returningAll()
    .execute();
  return rows.toSorted((a, b) => a.seq - b.seq);
}

/** How an item stands from now on. */
export type ItemChange = Pick<JobItem, 'seq' | 'status'> &
  Partial<Pick<JobItem, 'reason' | 'started_at' | 'finished_at' | 'woken' | 'not_before' | 'detail'>>;

const changeable = ['reason', 'started_at', 'finished_at', 'woken', 'not_before', 'detail'] as const;

/** Changes items of a job; what a change does not name stays. */
export async function setItems(tx: Tx, { account_id, id }: JobKey, changes: readonly ItemChange[]): Promise<void> {
  if (changes.length === 0) return;
  const sets = changeable.map(
    (column) => sql`${sql.ref(column)} = case when c.${sql.raw(`given_${column}`)}
      then c.${sql.ref(column)} else i.${sql.ref(column)} end`,
  );
  const rows = changes.map((change) => ({
    ...change,
    ...Object.fromEntries(changeable.map((column) => [`given_${column}`, change[column] !== undefined])),
  }));
  await sql`
    update job_item i set status = c.status, ${sql.join(sets)}
    from json_to_recordset(${JSON.stringify(rows)}::json) as c (
      seq int, status text, reason text, started_at timestamptz, finished_at timestamptz, woken boolean,
      not_before timestamptz, detail jsonb, ${sql.join(changeable.map((column) => sql.raw(`given_${column} boolean`)))})
    where i.account_id = ${account_id} and i.job_id = ${id} and i.seq = c.seq`.execute(tx);
}

/** Puts items that have not begun into a wave. */
export async function moveItems(
  tx: Tx,
  { account_id, id }: JobKey,
  seqs: readonly number[],
  wave: number,
): Promise<void> {
  await tables<JobTables>(tx)
    .updateTable('job_item')
    .set({ wave })
    .where('account_id', '=', account_id)
    .where('job_id', '=', id)
    .where('seq', '=', sql<number>`any(${seqs}::int[])`)
    .where('status', '=', 'queued')
    .execute();
}

export async function setJob(
  tx: Tx,
  key: JobKey,
  change: Partial<Pick<Job, 'status' | 'finished_at' | 'stopped'>>,
): Promise<void> {
  await tables<JobTables>(tx)
    .updateTable('job')
    .set(change.stopped ? { ...change, stopped: json(change.stopped) } : change)
    .where('account_id', '=', key.account_id)
    .where('id', '=', key.id)
    .execute();
}

/** Item counts for each of the given jobs, by the state that is shown: what is under way on a device is `running`. */
export async function sumsOf(tx: Tx, accountId: string, jobIds: readonly string[]): Promise<Map<string, Sums>> {
  const result = new Map<string, Sums>(jobIds.map((id) => [id, {}]));
  if (jobIds.length === 0) return result;
  const rows = await tables<JobTables>(tx)
    .selectFrom('job_item')
    .select((select) => [
      'job_id',
      sql<JobItemStatus>`case when status = 'waiting_offline' and reason = any(${goingOn}::text[]) then 'running' else status end`.as(
        'shown',
      ),
      select.fn.countAll<number>().as('count'),
    ])
    .where('account_id', '=', accountId)
    .where('job_id', 'in', jobIds)
    .groupBy(['job_id', 'shown'])
    .execute();
  for (const row of rows) result.get(row.job_id)![row.shown] = row.count;
  return result;
}

/** Where jobs are at work. */
export interface JobPlaces {
  networks: number;
  /** The only network; null where there is none, or several. */
  gwid: string | null;
  /** The name of the only item. */
  only: string | null;
}

/** Where jobs are at work, by their ids. */
export async function jobPlaces(tx: Tx, accountId: string, jobIds: readonly string[]): Promise<Map<string, JobPlaces>> {
  if (jobIds.length === 0) return new Map();
  const { rows } = await sql<JobPlaces & { job_id: string }>`
    select job_id, count(distinct gwid)::int as networks,
      case when count(distinct gwid) = 1 then min(gwid::text) end as gwid, case when count(*) = 1 then min(name) end as only
    from job_item where account_id = ${accountId} and job_id = any(${[...jobIds]}::uuid[]) group by job_id`.execute(tx);
  return new Map(rows.map(({ job_id, ...places }) => [job_id, places]));
}

/** Jobs with items that wait for some devices, or are being worked on and may want to wait for them; with their device. */
export function jobsAround(
  tx: Tx | Kysely<unknown>,
  accountId: string,
  serials: readonly string[],
): Promise<{ job_id: string; serial: string | null }[]> {
  return (
    tables<JobTables>(tx)
      .selectFrom('job_item')
      .select(['job_id', 'serial'])
      .distinct()
      .where('account_id', '=', accountId)
      .where('serial', '=', sql<string>`any(${serials}::text[])`)
      .where('finished_at', 'is', null)
      .where('status', 'in', ['waiting_offline', 'running'])
      // whoever locks several locks them in this order
      .orderBy('job_id')
      .execute()
  );
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
