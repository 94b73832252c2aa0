import type { fleet as contract, DataOf } from '@yunxun/contract';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import { downtimesSince, secondsOfDowntime } from '../../../telemetry/heartbeat.ts';
import { joinLatest, latestTerminals } from '../../../telemetry/read.ts';
import { jobStates } from '../../jobs/index.ts';
import { rankOf } from '../status.ts';
import { countsOf } from './counts.ts';
import { listWaiting } from './device-list.ts';
import { rankOfRow } from './list-query.ts';
import { networkRows } from './network-list.ts';

type Attention = DataOf<typeof contract.attention>;
type OfflineRow = Omit<Attention['offline']['list'][number], 'unheard_s'>;

const shown = 20;
const failedDays = 7;

export async function attention(tx: Tx, accountId: string, now: Date, mayReadJobs: boolean): Promise<Attention> {
  const summary = await summarise(tx, accountId, now);
  const networks = countsOf(summary.networks);
  const away = await networkRows(tx, accountId, now, summary.away ?? []);
  const offline: OfflineRow[] = [
    ...away.map((row) => ({
      type: 'network' as const,
      serial: null,
      gwid: row.gwid,
      remark: row.remark,
      since: row.status_since,
      online_user: row.online_user,
    })),
    ...(summary.devices ?? []).map(({ serial, gwid, remark, since, users }) => ({
      type: 'device' as const,
      serial,
      gwid,
      remark,
      since: since && new Date(since).toISOString(),
      online_user: users,
    })),
  ];
  const since = new Date(now.getTime() - failedDays * 86_400_000);
  return {
    as_of: now.toISOString(),
    networks,
    aps: countsOf(summary.aps),
    offline: {
      list: await withConsoleDowntime(tx, offline.toSorted(byTime).slice(0, shown), now),
      total: networks.offline + summary.devices_total,
    },
    drifted: summary.drifted,
    unknown: summary.unknown,
    config_failed: await failedConfigurations(tx, accountId),
    jobs_failed: mayReadJobs ? await jobStates.failed(tx, accountId, since, shown) : { list: [], total: 0 },
    waiting: await listWaiting(tx, accountId, now, { page: 1, limit: shown }),
  };
}

async function withConsoleDowntime(
  tx: Tx,
  rows: readonly OfflineRow[],
  now: Date,
): Promise<Attention['offline']['list']> {
  const earliest = rows.map(({ since }) => since).find((since) => since !== null);
  const gaps = earliest ? await downtimesSince(tx, new Date(earliest), now) : [];
  return rows.map((row) => ({ ...row, unheard_s: row.since ? secondsOfDowntime(gaps, new Date(row.since), now) : 0 }));
}

/** Sorts longest offline first, then by clients; unknown last. */
function byTime(a: OfflineRow, b: OfflineRow): number {
  return (a.since ?? '9').localeCompare(b.since ?? '9') || (b.online_user ?? 0) - (a.online_user ?? 0);
}

interface Summary {
  networks: Record<string, number> | null;
  aps: Record<string, number> | null;
  away: string[] | null;
  devices: { serial: string; gwid: string; remark: string; since: string | null; users: number | null }[] | null;
  devices_total: number;
  drifted: number;
  unknown: number;
}

async function summarise(tx: Tx, accountId: string, now: Date): Promise<Summary> {
  const offline = rankOf('offline');
  const { rows } = await sql<Summary>`
    with d as materialized (
      select d.account_id, d.gwid, d.gateway_serial, d.serial, d.kind, d.remark, d.rank, d.since, d.drifted, row_number() over w = 1 as first,
        coalesce(nullif(min(d.rank) filter (where d.serial = d.gateway_serial) over w, ${rankOf('never_connected')}),
          min(d.rank) over w, ${rankOf('never_connected')}) as network_rank,
        case when min(d.rank) filter (where d.serial = d.gateway_serial) over w <> ${rankOf('never_connected')}
          then max(d.since) filter (where d.serial = d.gateway_serial) over w else max(d.since) over w end as network_since
      from (
        select n.account_id, n.gwid, n.gateway_serial, d.serial, d.kind, d.remark, coalesce(d.offline_since, d.last_seen) as since,
          d.sync_state = 'drifted' as drifted, case when d.serial is not null then ${rankOfRow('d', now)} end as rank
        from network n left join device d on d.account_id = n.account_id and d.gwid = n.gwid
        where n.account_id = ${accountId}
        offset 0
      ) d window w as (partition by d.gwid)
    )
    select
      (select json_object_agg(network_rank, count) from (select network_rank, count(*) from d where first group by 1) c) as networks,
      (select json_object_agg(rank, count) from (select rank, count(*) from d where kind = 'ap' group by 1) c) as aps,
      (select json_agg(gwid) from (select gwid from d where first and network_rank = ${offline}
        order by network_since nulls last limit ${shown}) c) as away,
      (select json_agg(c order by c.since nulls last) from (
        select w.serial, w.gwid, w.remark, w.since, ${latestTerminals} as users
        from (select * from d where rank = ${offline} and network_rank <> ${offline} order by since nulls last limit ${shown}) w
        ${joinLatest('w')}) c) as devices,
      (select count(*) from d where rank = ${offline} and network_rank <> ${offline}) as devices_total,
      (select count(*) from d where drifted) as drifted,
      (select count(*) from d where rank = ${rankOf('unknown')}) as unknown
  `.execute(tx);
  return rows[0]!;
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
  const list = rows.map(({ total: _total, since, ...row }) => ({ ...row, since: since?.toISOString() ?? null }));
  return { list, total: rows[0]?.total ?? 0 };
}
