import { sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import type { DeviceRef } from '../../uplink/index.ts';

export interface PlacedDevice extends DeviceRef {
  gwid: string;
  groupId: string | null;
}

/** Returns devices of any account; unassigned ones are missing. System role. */
export async function placedDevices(tx: Tx, refs: readonly DeviceRef[]): Promise<PlacedDevice[]> {
  if (refs.length === 0) return [];
  const { rows } = await sql<PlacedDevice>`
    select d.account_id as "accountId", d.serial, d.gwid, d.group_id as "groupId"
    from (select distinct * from unnest(${refs.map((ref) => ref.accountId)}::uuid[],
      ${refs.map((ref) => ref.serial)}::text[]) as r (account_id, serial)) r
    join device d using (account_id, serial) where d.gwid is not null
  `.execute(tx);
  return rows;
}

export interface ConfigurationTrouble extends DeviceRef {
  state: 'failed' | 'drifted';
  since: Date;
}

/** Returns devices of all accounts that refused their configuration or drifted. System role. */
export async function configurationTroubles(tx: Tx): Promise<ConfigurationTrouble[]> {
  const { rows } = await sql<ConfigurationTrouble>`
    select d.account_id as "accountId", d.serial, d.sync_state as state, d.sync_since as since
    from device d where d.sync_state in ('failed', 'drifted') and d.sync_since is not null and d.gwid is not null
  `.execute(tx);
  return rows;
}
