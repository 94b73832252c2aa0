import type { SyncState } from '@yunxun/contract';
import { type RawBuilder, sql } from 'kysely';
import { joinLatest, latestTerminals, latestTime } from '../../../telemetry/read.ts';
import { rankOf } from '../status.ts';
import { rankOfRow } from './list-query.ts';

/** Worst first. */
export const syncOrder: readonly SyncState[] = ['failed', 'drifted', 'applying', 'pending', 'in_sync'];

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
  /** The gateway, or the only device. */
  face: string | null;
  model: string | null;
  firmware: string | null;
  public_address: string | null;
  device_num: number;
  ap_num: number;
  ap_online_num: number;
  /** Position in `syncOrder`, from 1. */
  sync_rank: number | null;
  trial_until: Date | null;
  returned_at: Date | null;
  failed_reason: string | null;
  users: number | null;
  reported_at: Date | null;
}

/**
 * Selects networks with sums over their devices. A gateway that ever connected decides the status, else the best
 * device. Counts clients of online devices, or the last known if none is online.
 */
export function networkFacts(
  accountId: string,
  now: Date,
  only: readonly string[] | null = null,
): RawBuilder<NetworkFacts> {
  // a gateway is always in its network
  const ofGateway = (aggregate: RawBuilder<unknown>) => sql`${aggregate} filter (where d.serial = n.gateway_serial)`;
  const face = (column: string) => {
    const value = sql`max(${sql.ref(`d.${column}`)})`;
    return sql`case when n.gateway_serial is not null then ${ofGateway(value)} when count(d.serial) = 1 then ${value} end as ${sql.ref(column)}`;
  };
  // a gateway that never connected hides no other
  const leads = sql`${ofGateway(sql`min(d.rank)`)} <> ${rankOf('never_connected')}`;
  const either = (ofDevices: RawBuilder<unknown>, column: string) =>
    sql`case when (${leads}) is not true then ${ofDevices} else ${ofGateway(sql`max(${sql.ref(`d.${column}`)})`)} end`;
  return sql<NetworkFacts>`
    select n.gwid, n.remark, n.tags, n.gateway_serial, n.created_at,
      coalesce(${either(sql`min(d.rank)`, 'rank')}, 5) as rank,
      ${either(sql`min(d.online_since) filter (where d.rank = 1)`, 'online_since')} as online_since,
      ${either(sql`min(d.restarting_since) filter (where d.rank = 2)`, 'restarting_since')} as restarting_since,
      ${either(sql`max(d.offline_since) filter (where d.rank = 4)`, 'offline_since')} as offline_since,
      ${either(sql`max(d.last_seen)`, 'last_seen')} as last_seen,
      coalesce(n.gateway_serial, case when count(d.serial) = 1 then max(d.serial) end) as face,
      ${face('model')}, ${face('firmware')}, ${face('public_address')},
      count(d.serial)::int as device_num,
      (count(*) filter (where d.kind = 'ap'))::int as ap_num,
      (count(*) filter (where d.kind = 'ap' and d.rank = 1))::int as ap_online_num,
      min(array_position(${syncOrder}::text[], d.sync_state)) as sync_rank,
      max(d.trial_until) filter (where d.sync_state = 'applying') as trial_until,
      max(d.sync_since) filter (where d.sync_state = 'failed' and d.trial_until is not null) as returned_at,
      min(d.sync_reason) filter (where d.sync_state = 'failed') as failed_reason,
      coalesce(${terminals(sql`d.rank = 1`)}, ${terminals(sql`true`)})::int as users,
      max(d.reported_at) as reported_at
    from network n
    left join (
      select d.gwid, d.kind, d.serial, d.model, d.firmware, d.public_address, d.online_since, d.restarting_since,
        coalesce(d.offline_since, d.last_seen) as offline_since, d.last_seen, d.sync_state, d.sync_since, d.sync_reason, d.trial_until,
        ${rankOfRow('d', now)} as rank, ${latestTerminals} as users, ${latestTime} as reported_at
      from device d ${joinLatest('d')} where d.account_id = ${accountId} ${among('d', only)}
    ) d on d.gwid = n.gwid
    where n.account_id = ${accountId} ${among('n', only)}
    group by n.account_id, n.gwid`;
}

/** Takes the larger count, never the sum: a gateway also counts clients of access points. */
function terminals(which: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`greatest(
    max(d.users) filter (where ${which} and d.serial = n.gateway_serial),
    sum(d.users) filter (where ${which} and d.serial is distinct from n.gateway_serial))`;
}

function among(alias: string, gwids: readonly string[] | null): RawBuilder<unknown> {
  return gwids ? sql`and ${sql.ref(`${alias}.gwid`)} = any(${[...gwids]}::uuid[])` : sql``;
}

/** Returns a condition on `n`; `condition` is on `d`. */
export function hasDevice(accountId: string, condition: RawBuilder<unknown>): RawBuilder<unknown> {
  // computed once, not per network
  return sql`n.gwid in (select d.gwid from device d where d.account_id = ${accountId} and d.gwid is not null and (${condition}))`;
}
