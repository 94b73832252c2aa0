import { type DeviceStatus, deviceStatuses } from '@yunxun/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import { rankOf, statusOfRank } from '../status.ts';
import { rankOfRow } from './list-query.ts';

export interface NetworkCounts {
  networks: number;
  networksOnline: number;
  aps: number;
  apsOnline: number;
}

function only(gwids: readonly string[] | null): RawBuilder<unknown> {
  return gwids ? sql`and n.gwid = any(${[...gwids]}::uuid[])` : sql``;
}

/**
 * Counts networks and access points. A gateway that ever connected decides its network's status, else any online
 * device. Looks up each network: row security makes the planner underestimate joins.
 */
export async function networkCounts(
  tx: Tx,
  accountId: string,
  now: Date,
  gwids: readonly string[] | null,
): Promise<NetworkCounts> {
  const { rows } = await sql<NetworkCounts>`
    select count(*) as networks, count(*) filter (where rank = ${rankOf('online')}) as "networksOnline",
      coalesce(sum(aps), 0)::int as aps, coalesce(sum(online), 0)::int as "apsOnline"
    from (
      select coalesce(nullif(d.gateway_rank, ${rankOf('never_connected')}), d.any_rank) as rank, d.aps, d.online
      from network n
      cross join lateral (
        select min(rank) as any_rank, min(rank) filter (where serial = n.gateway_serial) as gateway_rank,
          count(*) filter (where kind = 'ap') as aps, count(*) filter (where kind = 'ap' and rank = ${rankOf('online')}) as online
        from (
          select d.serial, d.kind, ${rankOfRow('d', now)} as rank from device d
          where d.account_id = n.account_id and d.gwid = n.gwid offset 0
        ) each
      ) d
      where n.account_id = ${accountId} ${only(gwids)}
    ) n
  `.execute(tx);
  return rows[0]!;
}

/** Excludes unassigned access points. */
export async function apStatuses(
  tx: Tx,
  accountId: string,
  now: Date,
  gwids: readonly string[] | null,
): Promise<{ name: DeviceStatus; value: number }[]> {
  const among = gwids ? sql`d.gwid = any(${[...gwids]}::uuid[])` : sql`d.gwid is not null`;
  const { rows } = await sql<{ rank: number; value: number }>`
    select ${rankOfRow('d', now)} as rank, count(*) as value from device d
    where d.account_id = ${accountId} and d.kind = 'ap' and ${among} group by 1
  `.execute(tx);
  const counted = new Map(rows.map(({ rank, value }) => [statusOfRank(rank), value]));
  return deviceStatuses.map((name) => ({ name, value: counted.get(name) ?? 0 }));
}

export async function routersByStorage(
  tx: Tx,
  accountId: string,
  limitBytes: number,
): Promise<{ below: number; unknown: number }> {
  const { rows } = await sql<{ below: number; unknown: number }>`
    select count(*) filter (where bytes < ${limitBytes}) as below, count(*) filter (where bytes is null) as unknown
    from (
      select case when jsonb_typeof(d.capabilities -> 'storage_bytes') = 'number'
        then (d.capabilities ->> 'storage_bytes')::numeric end as bytes
      from device d
      where d.account_id = ${accountId} and (d.kind = 'gateway' or exists (
        select from network n where n.account_id = d.account_id and n.gwid = d.gwid and n.gateway_serial = d.serial))
      offset 0
    ) router
  `.execute(tx);
  return rows[0]!;
}
