import { sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';

export interface NetworkJob {
  id: string;
  type: string;
  operator: string;
  /** From its first to its last item there; null: one is open. */
  began: Date;
  ended: Date | null;
  devices: number;
  failed: number;
  /** The only device, and its name; null where there are several. */
  serial: string | null;
  name: string | null;
}

/**
 * Returns newest first, and the total. Skipped and cancelled items do not count.
 * @param limit maximum listed
 */
export async function networkJobs(
  tx: Tx,
  accountId: string,
  query: { gwid: string; from: Date; types: readonly string[]; limit: number },
): Promise<{ list: NetworkJob[]; total: number }> {
  const { gwid, from, types, limit } = query;
  const { rows } = await sql<NetworkJob & { total: number }>`
    select j.id, j.type, j.operator, i.began, i.ended, i.devices, i.failed,
      case when i.devices = 1 then i.serial end as serial, case when i.devices = 1 then i.name end as name,
      count(*) over ()::int as total
    from (
      select job_id, min(started_at) as began, case when bool_and(finished_at is not null) then max(finished_at) end as ended,
        count(*)::int as devices, count(*) filter (where status in ('rejected', 'reverted', 'failed'))::int as failed,
        min(serial) as serial, min(name) as name
      from job_item
      where account_id = ${accountId} and gwid = ${gwid} and started_at >= ${from}
        and status not in ('skipped', 'cancelled')
      group by job_id
    ) i
    join job j on j.account_id = ${accountId} and j.id = i.job_id and j.type = any(${[...types]}::text[])
    order by i.began desc, j.id limit ${limit}
  `.execute(tx);
  return { list: rows, total: rows[0]?.total ?? 0 };
}
