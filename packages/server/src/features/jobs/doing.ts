import { type Tx, tables } from '../../platform/database/index.ts';
import { openItemStatuses } from './status.ts';
import type { JobTables } from './store.ts';

/** A job as those see it who want to know whose doing something is. */
export interface Doing {
  id: string;
  type: string;
  operator: string;
  /** It goes in waves that somebody planned. */
  planned: boolean;
}

/** The newest job of these types that has begun with a device and has not ended with it. */
export async function doingWith(
  tx: Tx,
  accountId: string,
  serial: string,
  types: readonly string[],
): Promise<Doing | null> {
  const row = await tables<JobTables>(tx)
    .selectFrom('job_item')
    .innerJoin('job', (join) =>
      join.onRef('job.account_id', '=', 'job_item.account_id').onRef('job.id', '=', 'job_item.job_id'),
    )
    .select(['job.id', 'job.type', 'job.operator', 'job.plan'])
    .where('job_item.account_id', '=', accountId)
    .where('job_item.serial', '=', serial)
    .where('job_item.status', 'in', [...openItemStatuses])
    .where('job_item.started_at', 'is not', null)
    .where('job.type', 'in', [...types])
    .orderBy('job_item.started_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ? { id: row.id, type: row.type, operator: row.operator, planned: row.plan !== null } : null;
}

/** What items remember that newer jobs of a type have begun with devices and not ended: they wait, or are under way. */
export async function begunSince(
  tx: Tx,
  accountId: string,
  { type, id }: { type: string; id: string },
  serials: readonly string[],
): Promise<{ serial: string | null; detail: unknown }[]> {
  if (serials.length === 0) return [];
  return tables<JobTables>(tx)
    .selectFrom('job_item')
    .innerJoin('job', (join) =>
      join.onRef('job.account_id', '=', 'job_item.account_id').onRef('job.id', '=', 'job_item.job_id'),
    )
    .select(['job_item.serial', 'job_item.detail'])
    .where('job_item.account_id', '=', accountId)
    .where('job_item.serial', 'in', [...serials])
    .where('job_item.finished_at', 'is', null)
    .where('job_item.started_at', 'is not', null)
    .where('job_item.job_id', '>', id)
    .where('job.type', '=', type)
    .execute();
}

/** Jobs of a type that have not ended, with what they were given. */
export async function openOfType(tx: Tx, accountId: string, type: string): Promise<{ id: string; params: unknown }[]> {
  return tables<JobTables>(tx)
    .selectFrom('job')
    .select(['id', 'params'])
    .where('account_id', '=', accountId)
    .where('type', '=', type)
    .where('finished_at', 'is', null)
    .execute();
}
