import { type Tx, tables } from '../../platform/database/index.ts';
import { openItemStatuses } from './status.ts';
import type { JobTables } from './store.ts';

export interface OpenWork {
  id: string;
  type: string;
  operator: string;
  planned: boolean;
  params: unknown;
}

/** The newest. */
export async function findOpenWork(
  tx: Tx,
  accountId: string,
  serial: string,
  types: readonly string[],
): Promise<OpenWork | null> {
  const row = await withJob(tx)
    .select(['job.id', 'job.type', 'job.operator', 'job.plan', 'job.params'])
    .where('job_item.account_id', '=', accountId)
    .where('job_item.serial', '=', serial)
    .where('job_item.status', 'in', [...openItemStatuses])
    .where('job_item.started_at', 'is not', null)
    .where('job.type', 'in', [...types])
    .orderBy('job_item.started_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!row) return null;
  const { id, type, operator, plan, params } = row;
  return { id, type, operator, params, planned: plan !== null };
}

/** Returns details of items that newer jobs run. */
export async function begunSince(
  tx: Tx,
  accountId: string,
  { type, id }: { type: string; id: string },
  serials: readonly string[],
): Promise<{ serial: string | null; detail: unknown }[]> {
  if (serials.length === 0) return [];
  return itemsOf(tx, accountId, type)
    .where('job_item.serial', 'in', [...serials])
    .where('job_item.finished_at', 'is', null)
    .where('job_item.started_at', 'is not', null)
    .where('job_item.job_id', '>', id)
    .execute();
}

export async function openOfType(tx: Tx, accountId: string, type: string): Promise<{ id: string; params: unknown }[]> {
  return tables<JobTables>(tx)
    .selectFrom('job')
    .select(['id', 'params'])
    .where('account_id', '=', accountId)
    .where('type', '=', type)
    .where('finished_at', 'is', null)
    .execute();
}

export async function openItems(
  tx: Tx,
  accountId: string,
  type: string,
): Promise<{ serial: string | null; detail: unknown }[]> {
  return itemsOf(tx, accountId, type)
    .where('job.finished_at', 'is', null)
    .where('job_item.status', 'in', [...openItemStatuses])
    .execute();
}

const itemsOf = (tx: Tx, accountId: string, type: string) =>
  withJob(tx)
    .select(['job_item.serial', 'job_item.detail'])
    .where('job_item.account_id', '=', accountId)
    .where('job.type', '=', type);

const withJob = (tx: Tx) =>
  tables<JobTables>(tx)
    .selectFrom('job_item')
    .innerJoin('job', (join) =>
      join.onRef('job.account_id', '=', 'job_item.account_id').onRef('job.id', '=', 'job_item.job_id'),
    );
