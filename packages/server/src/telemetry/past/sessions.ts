import type pg from 'pg';

const columns = `mac, ended_at, serial, bssid, started_at, ssid, band, behind, behind_port, ip, ip6, username,
  authenticated, down, up, rssi, rssi_min, rssi_sum, rssi_n, end_reason`;

const insertEnded = `
  insert into station_session (account_id, gwid, ${columns})
  select s.account_id, p.gwid, ${columns.replaceAll(/(\w+)/g, 's.$1')}
  from in_session s join in_place p using (account_id, serial) where s.ended_at is not null
  on conflict do nothing`;

/** A later day has written the rest and the end. A session lasts two days at most. */
const addToLater = `
  update station_session e set down = e.down + s.down, up = e.up + s.up, rssi_min = least(e.rssi_min, s.rssi_min),
    rssi_sum = e.rssi_sum + s.rssi_sum, rssi_n = e.rssi_n + s.rssi_n
  from in_session s
  where s.ended_at is null and s.band > 0 and e.account_id = s.account_id and e.mac = s.mac and e.serial = s.serial
    and e.bssid = s.bssid and e.started_at = s.started_at
    and e.ended_at >= $1::timestamptz and e.ended_at < $1::timestamptz + interval '2 days'`;

/** Writes staged sessions: a row for each that ended; bytes of open ones are added to the row of the day of their end. */
export async function writeSessions(db: pg.ClientBase, end: Date): Promise<void> {
  await db.query(insertEnded);
  await db.query(addToLater, [end]);
}
