import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { ManualClock } from '../platform/clock.ts';
import { newId } from '../platform/database/id.ts';
import { makePartitions } from './partitions.ts';
import { createOpenDayRecount } from './zone-change.ts';

const accountId = newId();
const gwids = [newId(), newId()].toSorted();
const serials = ['00000000f0a1', '00000000f0a2'];
const mac = '3c22fb0000a1';
const clock = new ManualClock(new Date('2026-11-01T06:00:00Z'));
let db: TestDatabase;

beforeAll(async () => {
  db = await createTestDatabase();
  await makePartitions(db.database, new Date('2026-10-30T00:00:00Z'), new Date('2026-11-03T00:00:00Z'));
  const { systemPool: pool } = db.database;
  await pool.query(
    `insert into account (account_id, name, binding_code, time_zone, created_at) values ($1, 'A', 'A', 'America/Havana', '2026-10-01')`,
    [accountId],
  );
  await pool.query(
    `insert into station (account_id, mac, first_seen, last_seen, random_mac) values ($1, $2, '2026-11-01T03:50Z', now(), false)`,
    [accountId, mac],
  );
  for (const [n, gwid] of gwids.entries()) {
    await pool.query(`insert into network (account_id, gwid, remark) values ($1, $2, 'N')`, [accountId, gwid]);
    await pool.query(
      `insert into device (account_id, serial, gwid, kind, remark, bound_at) values ($1, $2, $3, 'ap', 'AP', '2026-10-01')`,
      [accountId, serials[n], gwid],
    );
    await pool.query(
      `insert into device_counters (account_id, serial, at, counters, measures) values ($1, $2, '2026-11-01T06:00Z', '{}', false)`,
      [accountId, serials[n]],
    );
    // 23:50 to 00:20, before the second midnight
    await pool.query(
      `insert into station_open (account_id, serial, mac, bssid, gwid, ssid, band, started_at, last_at)
       values ($1, $2, $3, $2, $4, 'G', 5, '2026-11-01T03:50Z', '2026-11-01T04:20Z')`,
      [accountId, serials[n], mac, gwid],
    );
  }
});
afterAll(() => db.drop());

it('recounts the open days of one network after the other, divided at the first of two midnights', async () => {
  const { tasks } = createOpenDayRecount({ database: db.database, clock });
  const { systemPool: pool } = db.database;
  const ingest = await pool.connect();
  await ingest.query('begin');
  await ingest.query('select from device_counters where account_id = $1 and serial = $2 for update', [
    accountId,
    serials[1],
  ]);
  const recount = tasks['open-day-recount']({ accountId, first: '2026-10-31', last: '2026-11-01' });
  const waits = async () =>
    (
      await pool.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%device_counters%'`,
      )
    ).rowCount;
  await expect.poll(waits).toBe(1);
  const other = await ingest.query(
    'select serial from device_counters where account_id = $1 and serial = $2 for update nowait',
    [accountId, serials[0]],
  );
  expect(other.rowCount).toBe(1);
  await ingest.query('commit');
  ingest.release();
  await recount;
  const days = await sql`
    select day::text, gwid, seconds, is_new from station_day where account_id = ${accountId} order by 1, 2
  `.execute(db.database.system);
  expect(days.rows).toEqual([
    ...gwids.map((gwid) => ({ day: '2026-10-31', gwid, seconds: 600, is_new: true })),
    ...gwids.map((gwid) => ({ day: '2026-11-01', gwid, seconds: 1200, is_new: false })),
  ]);
  const counted = await sql`
    select day::text, sum(online)::integer as online, sum(new_users)::integer as new_users, sum(visits)::integer as visits
    from users_day_part where account_id = ${accountId} and gwid = '00000000-0000-0000-0000-000000000000' group by 1 order by 1
  `.execute(db.database.system);
  expect(counted.rows).toEqual([
    { day: '2026-10-31', online: 1, new_users: 1, visits: 2 },
    { day: '2026-11-01', online: 1, new_users: 0, visits: 2 },
  ]);
});
