import type { UnbindPart } from '@yunxun/contract';
import { sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';

/** The key of the lock on a device that has no counters yet, of SQL expressions: whoever writes of it holds it, and whoever moves or unbinds it waits. */
export const newcomerKey = (accountId: string, serial: string): string =>
  `hashtextextended('telemetry.newcomer ' || ${accountId} || ' ' || ${serial}, 0)`;

/** Waits for whoever writes a report or an event of devices just now; what is written later finds what this transaction has done. */
async function holdDevices(tx: Tx, accountId: string, serials: readonly string[]): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(${sql.raw(newcomerKey('account_id', 'serial'))})
    from (select ${accountId}::uuid as account_id, serial from unnest(${[...serials]}::text[]) serial order by 2) devices
  `.execute(tx);
  await sql`
    select from device_counters where account_id = ${accountId} and serial = any (${[...serials]}) order by serial for update
  `.execute(tx);
}

/**
 * Takes part when devices are unbound: who was there on them has left, and counting on from their last report is over.
 * What was counted stays.
 */
export const telemetryOfUnbound = {
  part: 'configuration' as UnbindPart,
  async remove(tx: Tx, gone: { accountId: string; serials: readonly string[]; at: Date }): Promise<number> {
    const { accountId, serials, at } = gone;
    await holdDevices(tx, accountId, serials);
    await sql`delete from device_counters where account_id = ${accountId} and serial = any (${serials})`.execute(tx);
    // not further back than there are partitions for certain
    await sql`
      with lost as (
        delete from station_open where account_id = ${accountId} and serial = any (${serials}) returning *
      )
      insert into station_session (account_id, mac, ended_at, serial, bssid, started_at, gwid, ssid, band, ip, username,
        authenticated, down, up, rssi, rssi_min, rssi_sum, rssi_n, end_reason)
      select account_id, mac, least(greatest(last_at, ${at}::timestamptz - interval '1 day'), ${at}::timestamptz), serial, bssid, started_at, gwid,
        ssid, band, ip, username, authenticated, down, up, rssi, rssi_min, rssi_sum, rssi_n, 'lost' from lost
      on conflict do nothing
    `.execute(tx);
    return 0;
  },
};

/**
 * A device goes to another network, in the transaction that moves it: who is there on it goes with it at once, and not
 * when their totals are next written. What was counted so far stays where it was.
 */
export async function terminalsMove(
  tx: Tx,
  { accountId, serial, gwid }: { accountId: string; serial: string; gwid: string },
): Promise<void> {
  await holdDevices(tx, accountId, [serial]);
  await sql`
    update station_open set gwid = ${gwid} where account_id = ${accountId} and serial = ${serial} and gwid <> ${gwid}
  `.execute(tx);
}
