import { type DeviceStatus, deviceStatuses } from '@yunxun/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import { rankOf, sinceOf, statusOfRank, statusRanks } from '../status.ts';
import { rankOfRow } from './list-query.ts';

export type StatusCounts = Record<DeviceStatus | 'total', number>;

export interface NetworkCounts {
  networks: StatusCounts;
  aps: StatusCounts;
  /** Of any kind. */
  devices: StatusCounts;
}

export function countsOf(byRank: Readonly<Record<string, number>> | null): StatusCounts {
  const counts: StatusCounts = { total: 0, online: 0, offline: 0, restarting: 0, never_connected: 0, unknown: 0 };
  for (const [rank, count] of Object.entries(byRank ?? {})) {
    counts[statusOfRank(Number(rank))] += count;
    counts.total += count;
  }
  return counts;
}

function only(gwids: readonly string[] | null): RawBuilder<unknown> {
  return gwids ? sql`and n.gwid = any(${[...gwids]}::uuid[])` : sql``;
}

const ranks = statusRanks.map((_, index) => index + 1);
const perRank = (make: (rank: number) => RawBuilder<unknown>) => sql.join(ranks.map(make));
const column = (name: string, rank: number) => sql.ref(`${name}_${rank}`);

/**
 * Counts networks and their devices by status. A gateway that ever connected decides its network's status, else the
 * best device. Looks up each network: row security makes the planner underestimate joins.
 */
export async function networkCounts(
  tx: Tx,
  accountId: string,
  now: Date,
  gwids: readonly string[] | null,
): Promise<NetworkCounts> {
  const never = rankOf('never_connected');
  const ofKind = (name: string, kind: RawBuilder<unknown>) =>
    perRank((rank) => sql`count(*) filter (where rank = ${rank} and ${kind}) as ${column(name, rank)}`);
  const summed = (name: string) =>
    perRank((rank) => sql`coalesce(sum(${column(name, rank)}), 0)::int as ${column(name, rank)}`);
  const { rows } = await sql<Record<string, number>>`
    select ${perRank((rank) => sql`(count(*) filter (where rank = ${rank}))::int as ${column('network', rank)}`)},
      ${summed('ap')}, ${summed('device')}
    from (
      select coalesce(nullif(d.gateway_rank, ${never}), d.any_rank, ${never}) as rank, d.*
      from network n
      cross join lateral (
        select min(rank) as any_rank, min(rank) filter (where serial = n.gateway_serial) as gateway_rank,
          ${ofKind('ap', sql`kind = 'ap'`)}, ${ofKind('device', sql`true`)}
        from (
          select d.serial, d.kind, ${rankOfRow('d', now)} as rank from device d
          where d.account_id = n.account_id and d.gwid = n.gwid offset 0
        ) each
      ) d
      where n.account_id = ${accountId} ${only(gwids)}
    ) n
  `.execute(tx);
  const row = rows[0]!;
  const of = (name: string) => countsOf(Object.fromEntries(ranks.map((rank) => [rank, row[`${name}_${rank}`] ?? 0])));
  return { networks: of('network'), aps: of('ap'), devices: of('device') };
}

export interface NetworkState {
  gwid: string;
  remark: string;
  tags: string[];
  status: DeviceStatus;
  since: Date | null;
}

type StateRow = Pick<NetworkState, 'gwid' | 'remark' | 'tags'> & { rank: number } & Parameters<typeof sinceOf>[0];

/** Returns visible networks with their status as lists show it, without sums over devices. */
export async function networkStates(tx: Tx, accountId: string, now: Date): Promise<NetworkState[]> {
  const never = rankOf('never_connected');
  const leads = sql`(d.gateway_rank <> ${never}) is true`;
  const either = (name: string, ofDevices: RawBuilder<unknown>) =>
    sql`case when ${leads} then d.${sql.ref(`gateway_${name}`)} else ${ofDevices} end as ${sql.ref(name)}`;
  const ofGateway = (name: string) =>
    sql`max(${sql.ref(name)}) filter (where serial = n.gateway_serial) as ${sql.ref(`gateway_${name}`)}`;
  const { rows } = await sql<StateRow>`
    select n.gwid, n.remark, n.tags, coalesce(nullif(d.gateway_rank, ${never}), d.any_rank, ${never}) as rank,
      ${either('online_since', sql`d.any_online_since`)}, ${either('restarting_since', sql`d.any_restarting_since`)},
      ${either('offline_since', sql`d.any_offline_since`)}, ${either('last_seen', sql`d.any_last_seen`)}
    from network n
    cross join lateral (
      select min(rank) as any_rank, min(rank) filter (where serial = n.gateway_serial) as gateway_rank,
        min(online_since) filter (where rank = ${rankOf('online')}) as any_online_since,
        min(restarting_since) filter (where rank = ${rankOf('restarting')}) as any_restarting_since,
        max(offline_since) filter (where rank = ${rankOf('offline')}) as any_offline_since, max(last_seen) as any_last_seen,
        ${ofGateway('online_since')}, ${ofGateway('restarting_since')}, ${ofGateway('offline_since')}, ${ofGateway('last_seen')}
      from (
        select d.serial, d.online_since, d.restarting_since, coalesce(d.offline_since, d.last_seen) as offline_since,
          d.last_seen, ${rankOfRow('d', now)} as rank
        from device d where d.account_id = n.account_id and d.gwid = n.gwid offset 0
      ) each
    ) d
    where n.account_id = ${accountId}
  `.execute(tx);
  return rows.map((row) => {
    const status = statusOfRank(row.rank);
    return { gwid: row.gwid, remark: row.remark, tags: row.tags, status, since: sinceOf(row, status) };
  });
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
