import type { DeviceKind } from '@yunxun/contract';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import { joinLatest, latestTerminals } from '../../../telemetry/read.ts';
import { inMaintenance } from '../maintenance/windows.ts';
import { rankOf } from '../status.ts';
import { rankOfRow } from './list-query.ts';

export interface OfflineNetwork {
  gwid: string;
  /** Gateway or all devices are offline. */
  whole: boolean;
  /** Of the network, or its first device. */
  since: Date | null;
  devices: number;
  clients: number | null;
  /** If only one. */
  serial: string | null;
  name: string;
  kind: DeviceKind;
}

/** Excludes maintenance windows. */
export async function offlineNetworks(tx: Tx, accountId: string, now: Date): Promise<OfflineNetwork[]> {
  const offline = rankOf('offline');
  const never = rankOf('never_connected');
  const { rows } = await sql<OfflineNetwork>`
    with d as materialized (
      select n.gwid, d.serial = n.gateway_serial as leads, d.account_id, d.serial, d.kind, d.remark,
        coalesce(d.offline_since, d.last_seen) as since, ${rankOfRow('d', now)} as rank
      from network n join device d on d.account_id = n.account_id and d.gwid = n.gwid
      where n.account_id = ${accountId}
    ), away as (
      select d.*, ${latestTerminals} as clients from d ${joinLatest('d')} where d.rank = ${offline}
    ), ranks as (
      select gwid, coalesce(nullif(min(rank) filter (where leads), ${never}), min(rank)) = ${offline} as whole
      from d where gwid in (select gwid from away) group by gwid
    )
    select gwid, r.whole, coalesce(min(since) filter (where leads), min(since)) as since, count(*)::int as devices,
      sum(clients)::int as clients, case when count(*) = 1 then min(serial) end as serial, min(remark) as name,
      (array_agg(kind order by kind = 'ap', kind))[1] as kind
    from away join ranks r using (gwid) group by gwid, r.whole
  `.execute(tx);
  const maintained = await inMaintenance(
    tx,
    accountId,
    rows.map(({ gwid }) => gwid),
    now,
  );
  return rows.filter(({ gwid }) => !maintained.has(gwid));
}

/** Counts networks, and their devices that had connected by a time. */
export async function measuredBy(tx: Tx, accountId: string, to: Date): Promise<{ networks: number; devices: number }> {
  const { rows } = await sql<{ networks: number; devices: number }>`
    select count(distinct gwid)::int as networks, count(*)::int as devices
    from device where account_id = ${accountId} and gwid is not null and first_seen <= ${to}
  `.execute(tx);
  return rows[0]!;
}
