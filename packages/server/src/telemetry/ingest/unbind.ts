import type { UnbindPart } from '@yunxun/contract';
import { sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';

/** Lock of a device without counters: ingest holds it while writing, a move or unbind waits. */
export const baselineLockKey = (accountId: string, serial: string): string =>
  `hashtextextended('telemetry.newcomer ' || ${accountId} || ' ' || ${serial}, 0)`;

/** Waits for running ingest transactions; later ones see this one's changes. */
export async function holdDevices(tx: Tx, accountId: string, serials: readonly string[]): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(${sql.raw(baselineLockKey('account_id', 'serial'))})
    from (select ${accountId}::uuid as account_id, serial from unnest(${[...serials]}::text[]) serial order by 2) devices
  `.execute(tx);
  await sql`
    select from device_counters where account_id = ${accountId} and serial = any (${[...serials]}) order by serial for update
  `.execute(tx);
}

/** Ends sessions and drops baselines. History stays. */
export const telemetryOfUnbound = {
  part: 'configuration' as UnbindPart,
  async remove(tx: Tx, gone: { accountId: string; serials: readonly string[]; at: Date }): Promise<number> {
    const { accountId, serials, at } = gone;
    await holdDevices(tx, accountId, serials);
    await sql`delete from device_counters where account_id = ${accountId} and serial = any (${serials})`.execute(tx);
    // one day back at most: older partitions may not exist
    await sql`
      with lost as (
        delete from station_open where account_id = ${accountId} and serial = any (${serials}) returning *
      )
      insert into station_session (account_id, mac, ended_at, serial, bssid, started_at, gwid, ssid, band, behind, behind_port, ip,
        ip6, username, authenticated, down, up, rssi, rssi_min, rssi_sum, rssi_n, end_reason)
      select account_id, mac, least(greatest(last_at, ${at}::timestamptz - interval '1 day'), ${at}::timestamptz), serial, bssid, started_at, gwid,
        ssid, band, behind, behind_port, ip, ip6, username, authenticated, down, up, rssi, rssi_min, rssi_sum, rssi_n, 'lost' from lost
      on conflict do nothing
    `.execute(tx);
    return 0;
  },
};

/** Moves open sessions in one transaction. History stays with the old network. */
export async function terminalsMove(
  tx: Tx,
  { accountId, serial, gwid }: { accountId: string; serial: string; gwid: string },
): Promise<void> {
  await holdDevices(tx, accountId, [serial]);
  await sql`
    update station_open set gwid = ${gwid} where account_id = ${accountId} and serial = ${serial} and gwid <> ${gwid}
  `.execute(tx);
}
