import type { SyncState } from '@yunxun/contract';
import { type RawBuilder, sql } from 'kysely';
import { joinLatest, latestTerminals, latestTime } from '../../telemetry/read.ts';
import { rankOfRow } from './list-query.ts';

/** From worst to best: a network shows the first that any device of it has. */
export const syncOrder: readonly SyncState[] = ['failed', 'drifted', 'applying', 'pending', 'in_sync'];

/** A network with what its devices add up to. */
export interface NetworkFacts {
  gwid: string;
  remark: string;
  tags: string[];
  gateway_serial: string | null;
  created_at: Date;
  rank: number;
  online_since: Date | null;
  restarting_since: Date | null;
  offline_since: Date | null;
  last_seen: Date | null;
  /** The device whose model and values the network shows: its gateway, or its only device. */
  face: string | null;
  model: string | null;
  firmware: string | null;
  public_address: string | null;
  device_num: number;
  ap_num: number;
  ap_online_num: number;
  /** Place in `syncOrder`, from 1. */
  sync_rank: number | null;
  users: number | null;
  reported_at: Date | null;
}

/**
 * The query of networks with what their devices add up to. A network with a gateway has its gateway's status; one
 * without has the best of its devices'. Terminals are those of the devices online, or the last known when none is.
 * `only` keeps the sums to some networks.
 */
export function networkFacts(
  accountId: string,
  now: Date,
  only: readonly string[] | null = null,
): RawBuilder<NetworkFacts> {
  const some = (alias: string) => (only ? sql`and ${sql.ref(`${alias}.gwid`)} = any(${[...only]}::uuid[])` : sql``);
  return sql<NetworkFacts>`
    select n.gwid, n.remark, n.tags, n.gateway_serial, n.created_at,
      case when n.gateway_serial is null then coalesce(s.rank, 5) else ${rankOfRow('f', now)} end as rank,
      case when n.gateway_serial is null then s.online_since else f.online_since end as online_since,
      case when n.gateway_serial is null then s.restarting_since else f.restarting_since end as restarting_since,
      case when n.gateway_serial is null then s.offline_since else coalesce(f.offline_since, f.last_seen) end as offline_since,
      case when n.gateway_serial is null then s.last_seen else f.last_seen end as last_seen,
      f.serial as face, f.model, f.firmware, f.public_address,
      coalesce(s.device_num, 0) as device_num, coalesce(s.ap_num, 0) as ap_num, coalesce(s.ap_online_num, 0) as ap_online_num,
      s.sync_rank, coalesce(s.users_online, s.users) as users, s.reported_at
    from network n
    left join (
      select d.gwid, count(*)::int as device_num,
        (count(*) filter (where d.kind = 'ap'))::int as ap_num,
        (count(*) filter (where d.kind = 'ap' and d.rank = 1))::int as ap_online_num,
        min(d.rank) as rank,
        case when count(*) = 1 then min(d.serial) end as only_serial,
        min(d.online_since) filter (where d.rank = 1) as online_since,
        min(d.restarting_since) filter (where d.rank = 2) as restarting_since,
        max(coalesce(d.offline_since, d.last_seen)) filter (where d.rank = 4) as offline_since,
        max(d.last_seen) as last_seen,
        min(array_position(${syncOrder}::text[], d.sync_state)) as sync_rank,
        (sum(d.users) filter (where d.rank = 1))::int as users_online,
        sum(d.users)::int as users,
        max(d.reported_at) as reported_at
      from (
        select d.gwid, d.kind, d.serial, d.online_since, d.restarting_since, d.offline_since, d.last_seen, d.sync_state,
          ${rankOfRow('d', now)} as rank, ${latestTerminals} as users, ${latestTime} as reported_at
        from device d ${joinLatest('d')}
        where d.account_id = ${accountId} and d.gwid is not null ${some('d')}
      ) d group by d.gwid
    ) s on s.gwid = n.gwid
    left join device f on f.account_id = n.account_id and f.serial = coalesce(n.gateway_serial, s.only_serial)
    where n.account_id = ${accountId} ${some('n')}`;
}
