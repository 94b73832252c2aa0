import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { ManualClock } from '../platform/clock.ts';
import { silentLog } from '../platform/log.ts';
import { createPartitionJob } from './partitions.ts';
import { terminalCounts } from './read/index.ts';
import { setRetention } from './retention.ts';
import { retentionLock } from './row-retention.ts';

const accountId = '00000000-0000-7000-8000-000000000001';
const gwid = '00000000-0000-7000-8000-100000000001';
const clock = new ManualClock(new Date('2026-11-21T12:00:00Z'));

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
  await sql`insert into account (account_id, name, binding_code) values (${accountId}, 'A', 'A')`.execute(
    db.database.system,
  );
  for (const [mac, last] of [
    ['a', '2025-10-16'],
    ['b', '2025-10-16'],
    ['c', '2025-10-18'],
    ['d', '2026-08-01'],
    ['e', '2026-11-20'],
  ])
    await sql`
      insert into station (account_id, mac, first_seen, last_seen, random_mac, hostname)
      values (${accountId}, ${mac}, '2025-01-01', ${`${last}T10:00:00Z`}, false, 'phone')
    `.execute(db.database.system);
  await sql`
    insert into station_open (account_id, serial, mac, bssid, gwid, band, started_at, last_at)
    values (${accountId}, '020000000001', 'b', '', ${gwid}, 5, '2025-10-16', '2025-10-16')
  `.execute(db.database.system);
});
afterAll(() => db.drop());

const job = () => createPartitionJob({ ...db, clock, log: silentLog() }).tasks.partitions();
const keep = (...args: Parameters<typeof setRetention> extends [unknown, ...infer Rest] ? Rest : never) =>
  db.database.withSystem((tx) => setRetention(tx, ...args));

async function known(): Promise<string> {
  const { rows } = await sql<{ mac: string }>`select mac from station order by 1`.execute(db.database.system);
  const scope = { accountId, userId: null, gwids: null };
  const counted = await db.database.withTenant(scope, (tx) =>
    terminalCounts(tx, accountId, { gwids: null, since: null }),
  );
  expect(counted.all).toBe(rows.length);
  return rows.map(({ mac }) => mac).join('');
}

it('deletes clients past their retention, except present ones', async () => {
  const writer = await db.database.systemPool.connect();
  await writer.query('select pg_advisory_lock_shared($1)', [retentionLock]);
  await job();
  expect(await known()).toBe('abcde');
  writer.release(true);
  await job();
  expect(await known()).toBe('bcde');
});

it('keeps them as long as their sessions and visits, however short their own time is', async () => {
  await keep('stations', 60);
  await job();
  expect(await known()).toBe('bcde');
  await keep('visits', 200);
  await job();
  expect(await known()).toBe('bde');
  await keep('visits', 32);
  await keep('sessions', 90);
  await job();
  expect(await known()).toBe('be');
});

it('deletes totals of days with the values by the day', async () => {
  for (const day of ['2016-11-01', '2025-11-20', '2025-11-21']) {
    await sql`
      insert into uplink_day (account_id, day, gwid, flow_0_6, flow_6_11, flow_11_14, flow_14_19, flow_19_24)
      values (${accountId}, ${day}, ${gwid}, 1, 1, 1, 1, 1)`.execute(db.database.system);
    await sql`
      insert into users_day select ${accountId}::uuid, ${day}::date, ${gwid}::uuid,
        1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, true`.execute(db.database.system);
  }
  const days = async () => {
    const { rows } = await sql<{ day: string }>`
      select to_char(day, 'YYYY-MM-DD') as day from uplink_day join users_day using (account_id, day, gwid) order by 1
    `.execute(db.database.system);
    return rows.map(({ day }) => day);
  };
  await job();
  expect(await days()).toEqual(['2025-11-20', '2025-11-21']);
  await keep('days', 365);
  await job();
  expect(await days()).toEqual(['2025-11-21']);
});
