import type { JobItemStatus, JobStatus } from '@yunxun/contract';
import { type Generated, type Kysely, type Selectable, sql } from 'kysely';
import { type Tx, tables } from '../../platform/database/index.ts';
import { containing } from '../../platform/search/index.ts';
import type { Sums } from './status.ts';
import { inProgressReasons, type Stop, type WavePlan } from './waves.ts';

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
    plan: WavePlan | null;
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
    /** The device returned during the run. */
    woken: Generated<boolean>;
    wave: number;
    not_before: Generated<Date | null>;
  };
}
export type Job = JobTables['job'];
export type JobItem = Selectable<JobTables['job_item']>;
export type FreshItem = Omit<JobItem, 'woken' | 'not_before'>;
export type JobKey = Pick<Job, 'account_id' | 'id'>;

function json<T>(value: T): T {
  return (value === null ? null : JSON.stringify(value)) as T;
}

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

/** Locks the job, as every change of items does: sums and status must agree. */
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

export type ItemChange = Pick<JobItem, 'seq' | 'status'> &
  Partial<Pick<JobItem, 'reason' | 'started_at' | 'finished_at' | 'woken' | 'not_before' | 'detail'>>;

const changeable = ['reason', 'started_at', 'finished_at', 'woken', 'not_before', 'detail'] as const;

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

/** Counts executing commands as `running`. */
export async function sumsOf(tx: Tx, accountId: string, jobIds: readonly string[]): Promise<Map<string, Sums>> {
  const result = new Map<string, Sums>(jobIds.map((id) => [id, {}]));
  if (jobIds.length === 0) return result;
  const rows = await tables<JobTables>(tx)
    .selectFrom('job_item')
    .select((select) => [
      'job_id',
      sql<JobItemStatus>`case when status = 'waiting_offline' and reason = any(${inProgressReasons}::text[]) then 'running' else status end`.as(
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

export interface JobPlaces {
  networks: number;
  /** The only network; null for none or several. */
  gwid: string | null;
  only: string | null;
}

export async function jobPlaces(tx: Tx, accountId: string, jobIds: readonly string[]): Promise<Map<string, JobPlaces>> {
  if (jobIds.length === 0) return new Map();
  const { rows } = await sql<JobPlaces & { job_id: string }>`
    select job_id, count(distinct gwid)::int as networks,
      case when count(distinct gwid) = 1 then min(gwid::text) end as gwid, case when count(*) = 1 then min(name) end as only
    from job_item where account_id = ${accountId} and job_id = any(${[...jobIds]}::uuid[]) group by job_id`.execute(tx);
  return new Map(rows.map(({ job_id, ...places }) => [job_id, places]));
}

/** Finds jobs with items that may wait for the devices. */
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
      // global order of job locks
      .orderBy('job_id')
      .execute()
  );
}

/** Returns items of all accounts. */
export function waitingSince(tx: Tx, before: Date, limit: number): Promise<JobItem[]> {
  return tables<JobTables>(tx)
    .selectFrom('job_item')
    .selectAll()
    .where('status', '=', 'waiting_offline')
    .where('started_at', '<', before)
    .limit(limit)
    .execute();
}

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
  filter: {
    status?: JobStatus | undefined;
    open?: boolean | undefined;
    automatic?: boolean | undefined;
    keyword?: string | undefined;
  },
  page: { offset: number; limit: number; sort: 'created_at' | 'finished_at' | 'total'; descending: boolean },
): Promise<{ rows: Job[]; total: number }> {
  let query = tables<JobTables>(tx).selectFrom('job').where('account_id', '=', accountId);
  if (filter.status) query = query.where('status', '=', filter.status);
  if (filter.open !== undefined) query = query.where('finished_at', filter.open ? 'is' : 'is not', null);
  if (filter.automatic === false)
    query = query.where((is) => is.or([is('created_by', 'is not', null), is('status', '<>', 'succeeded')]));
  if (filter.keyword) query = query.where(sql<boolean>`type || ' ' || operator ilike ${containing(filter.keyword)}`);
  const direction = page.descending ? 'desc' : 'asc';
  const rows = await query
    .selectAll()
    // open jobs sort last; the index has no nulls
    .orderBy(page.sort, (order) => (page.sort === 'finished_at' ? order[direction]().nullsLast() : order[direction]()))
    .orderBy('id', direction)
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  const { total } = await query.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return { rows, total };
}

/** Returns the newest, or one by id, with `jobPlaces`; null for larger ones. */
export async function jobsToSearch(
  tx: Tx,
  accountId: string,
  { id, newest, maxItems }: { id: string | null; newest: number; maxItems: number },
): Promise<(Pick<Job, 'id' | 'type' | 'status' | 'operator'> & Pick<JobPlaces, 'gwid' | 'only'>)[]> {
  const { rows } = await sql<Pick<Job, 'id' | 'type' | 'status' | 'operator'> & Pick<JobPlaces, 'gwid' | 'only'>>`
    select j.id, j.type, j.status, j.operator, p.gwid, p.only
    from (select id, type, status, operator, total from job where account_id = ${accountId}
      ${id ? sql`and id = ${id}` : sql``} order by created_at desc limit ${newest}) j
    left join lateral (
      select case when min(i.gwid::text) = max(i.gwid::text) then min(i.gwid::text) end as gwid,
        case when count(*) = 1 then min(i.name) end as only
      from job_item i where i.account_id = ${accountId} and i.job_id = j.id and j.total <= ${maxItems}) p on true`.execute(
    tx,
  );
  return rows;
}

export async function knownJobs(tx: Tx, ids: readonly string[]): Promise<Set<string>> {
  const rows = await tables<JobTables>(tx).selectFrom('job').select('id').where('id', 'in', ids).execute();
  return new Set(rows.map((row) => row.id));
}
