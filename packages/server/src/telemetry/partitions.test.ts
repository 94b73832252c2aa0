import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { ManualClock } from '../platform/clock.ts';
import { silentLog } from '../platform/log.ts';
import { createPartitionJob, ensurePartitions, makePartitions } from './partitions.ts';
import { setRetention } from './retention.ts';
import { createRollups } from './rollups.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

async function partitionsOf(table: string): Promise<string[]> {
  const { rows } = await sql<{ part: string }>`
    select c.relname as part from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = to_regclass(${table}) order by 1`.execute(db.database.system);
  return rows.map(({ part }) => part.slice(table.length + 1));
}

it('makes the days ahead once for every partitioned table, however many processes start', async () => {
  const clock = new ManualClock(new Date('2026-11-29T23:58:00Z'));
  await Promise.all([1, 2, 3, 4].map(() => ensurePartitions(db.database, clock)));
  expect(await partitionsOf('device_sample')).toEqual(['20261128', '20261129', '20261130', '20261201', '20261202']);
  expect(await partitionsOf('rollup_device_1h')).toEqual(['20261101', '20261201']);
  expect(await partitionsOf('rollup_network_1d')).toEqual(['20260101']);
  const { rows } = await sql<{ table: string }>`select name as table from platform.partitioned`.execute(
    db.database.system,
  );
  expect(rows.length).toBeGreaterThan(10);
  for (const { table } of rows) expect(await partitionsOf(table), table).not.toEqual([]);
  await makePartitions(db.database, new Date('2026-12-31T00:00:00Z'), new Date('2027-01-01T00:00:00Z'));
  expect(await partitionsOf('rollup_network_1d')).toEqual(['20260101', '20270101']);
  expect((await partitionsOf('rollup_device_1h')).slice(-2)).toEqual(['20261201', '20270101']);
});

it('drops whole days past their keep as the clock moves on, but none that is not rolled up yet', async () => {
  const clock = new ManualClock(new Date('2027-03-01T12:00:00Z'));
  await makePartitions(db.database, new Date('2027-02-24T00:00:00Z'), clock.now());
  const { tasks } = createPartitionJob({ ...db, clock, log: silentLog() });
  await tasks.partitions();
  // no rollup has run: reports stay
  expect(await partitionsOf('device_sample')).toContain('20261128');
  expect(await partitionsOf('app_flow')).not.toContain('20261128');

  await createRollups({ ...db, clock }).run();
  await tasks.partitions();
  const days = ['0226', '0227', '0228', '0301', '0302', '0303', '0304'].map((day) => `2027${day}`);
  expect(await partitionsOf('device_sample')).toEqual(days);
  expect(await partitionsOf('rollup_account_1d')).toContain('20260101');

  await db.database.withSystem((tx) => setRetention(tx, 'reports', 1));
  clock.advance(86_400_000);
  await createRollups({ ...db, clock }).run();
  await tasks.partitions();
  expect((await partitionsOf('device_sample'))[0]).toBe('20270301');
});
