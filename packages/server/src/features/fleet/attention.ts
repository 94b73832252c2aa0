import type { fleet as contract, DataOf, DeviceStatus } from '@yunxun/contract';
import { sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import { failedJobs } from '../jobs/failed.ts';
import { listWaiting } from './device-list.ts';
import { rankOfRow } from './list-query.ts';
import { networkFacts } from './network-facts.ts';
import { rankOf, statusRanks } from './status.ts';

type Attention = DataOf<typeof contract.attention>;

/** Rows of each kind. */
const shown = 20;
/** Days that a failed job is worth a look. */
const failedDays = 7;

/** What is online, and what needs somebody. */
export async function attention(tx: Tx, accountId: string, now: Date, mayReadJobs: boolean): Promise<Attention> {
  const { networks, list, total } = await offlineNetworks(tx, accountId, now);
  const devices = await offlineDevices(tx, accountId, now);
  const offline = [...list, ...devices.list].sort(byTime).slice(0, shown);
  const since = new Date(now.getTime() - failedDays * 86_400_000);
  return {
    as_of: now.toISOString(),
    networks,
    aps: await accessPoints(tx, accountId, now),
    offline: { list: offline, total: total + devices.total },
    config_failed: await failedConfigurations(tx, accountId),
    jobs_failed: mayReadJobs ? await failedJobs(tx, accountId, since, shown) : { list: [], total: 0 },
    waiting: await listWaiting(tx, accountId, now, { page: 1, limit: shown }),
  };
}

type OfflineRow = Attention['offline']['list'][number];

/** Longest away first; what never said when comes last. */
function byTime(a: OfflineRow, b: OfflineRow): number {
  return (a.since ?? '9').localeCompare(b.since ?? '9');
}

function countsOf(rows: readonly { rank: number; count: number }[]): Attention['aps'] {
  const counts = { total: 0, online: 0, offline: 0, restarting: 0, never_connected: 0, unknown: 0 } satisfies Record<
    DeviceStatus | 'total',
    number
  >;
  for (const { rank, count } of rows) {
    counts[statusRanks[rank - 1] ?? 'unknown'] += count;
    counts.total += count;
  }
  return counts;
}

async function accessPoints(tx: Tx, accountId: string, now: Date): Promise<Attention['aps']> {
  const { rows } = await sql<{ rank: number; count: number }>`
    select ${rankOfRow('d', now)} as rank, count(*) as count
    from device d where d.account_id = ${accountId} and d.kind = 'ap' and d.gwid is not null group by 1
  `.execute(tx);
  return countsOf(rows);
}

async function offlineNetworks(tx: Tx, accountId: string, now: Date) {
  const { rows } = await sql<{ rank: number; count: number; worst: Omit<RawOffline, 'serial'>[] | null }>`
    with n as materialized (${networkFacts(accountId, now)})
    select rank, count(*) as count, case when rank = ${rankOf('offline')} then (
      select json_agg(w) from (
        select gwid, remark, offline_since as since, users from n where rank = ${rankOf('offline')}
        order by offline_since nulls last limit ${shown}) w) end as worst
    from n group by rank
  `.execute(tx);
  const worst = rows.find((row) => row.rank === rankOf('offline'));
  return {
    networks: countsOf(rows),
    total: worst?.count ?? 0,
    list: (worst?.worst ?? []).map((row) => presentOffline('network', { ...row, serial: null })),
  };
}

interface RawOffline {
  serial: string | null;
  gwid: string | null;
  remark: string;
  since: Date | string | null;
  users: number | null;
}

/** Devices that are away while their network is not: what is behind a dead gateway is told by the gateway. */
async function offlineDevices(tx: Tx, accountId: string, now: Date): Promise<Attention['offline']> {
  const { rows } = await sql<RawOffline & { total: number }>`
    with n as materialized (${networkFacts(accountId, now)})
    select d.serial, d.gwid, d.remark, coalesce(d.offline_since, d.last_seen) as since, null::int as users, count(*) over () as total
    from device d join n on n.gwid = d.gwid and n.rank <> ${rankOf('offline')}
    where d.account_id = ${accountId} and ${rankOfRow('d', now)} = ${rankOf('offline')}
    order by since nulls last limit ${shown}
  `.execute(tx);
  return { list: rows.map((row) => presentOffline('device', row)), total: rows[0]?.total ?? 0 };
}

function presentOffline(type: 'network' | 'device', row: RawOffline): OfflineRow {
  const { serial, gwid, remark, users } = row;
  return {
    type,
    serial,
    gwid,
    remark,
    since: row.since ? new Date(row.since).toISOString() : null,
    online_user: users,
  };
}

async function failedConfigurations(tx: Tx, accountId: string): Promise<Attention['config_failed']> {
  const { rows } = await sql<{
    serial: string;
    gwid: string | null;
    remark: string;
    since: Date | null;
    reason: string | null;
    total: number;
  }>`
    select serial, gwid, remark, sync_since as since, sync_reason as reason, count(*) over () as total
    from device where account_id = ${accountId} and sync_state = 'failed' order by sync_since desc nulls last limit ${shown}
  `.execute(tx);
  const list = rows.map(({ serial, gwid, remark, since, reason }) => ({
    serial,
    gwid,
    remark,
    since: since?.toISOString() ?? null,
    reason,
  }));
  return { list, total: rows[0]?.total ?? 0 };
}
