import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { addDays, startOfDay } from '../platform/calendar.ts';
import { ManualClock } from '../platform/clock.ts';
import { newId } from '../platform/database/id.ts';
import { silentLog } from '../platform/log.ts';
import { createMetrics } from '../platform/metrics.ts';
import { createIngest } from './index.ts';
import { midnightSql } from './midnight.ts';
import { makePartitions } from './partitions.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

it.each([
  'America/Havana',
  'Atlantic/Azores',
  'America/Asuncion',
  'Asia/Beirut',
  'America/Nuuk',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
  'America/St_Johns',
  'Asia/Shanghai',
])('a day of %s begins at the same instant in SQL', async (zone) => {
  const days = Array.from({ length: 4 * 366 }, (_, n) => addDays('2023-01-01', n));
  const { rows } = await sql<{ day: string; at: Date }>`
    select day, ${sql.raw(midnightSql('day::date', 'zone'))} as at from unnest(${days}::text[]) day, (select ${zone}::text as zone) z
  `.execute(db.database.system);
  const wrong = rows.filter(({ day, at }) => at.getTime() !== startOfDay(day, zone).getTime());
  expect(wrong).toEqual([]);
});

it('divides a stay at the first of two midnights', async () => {
  const [accountId, gwid, serial, mac] = [newId(), newId(), '00000000f001', '3c22fb000101'];
  const clock = new ManualClock(new Date('2026-11-01T03:40:00Z'));
  await makePartitions(db.database, new Date('2026-10-30T00:00:00Z'), new Date('2026-11-03T00:00:00Z'));
  await sql`
    insert into account (account_id, name, binding_code, time_zone, created_at)
    values (${accountId}, 'A', 'A', 'America/Havana', '2026-10-01')`.execute(db.database.system);
  await sql`insert into network (account_id, gwid, remark) values (${accountId}, ${gwid}, 'N')`.execute(
    db.database.system,
  );
  await sql`
    insert into device (account_id, serial, gwid, kind, remark, bound_at)
    values (${accountId}, ${serial}, ${gwid}, 'ap', 'AP', '2026-10-01')`.execute(db.database.system);
  const ingest = createIngest({
    database: db.database,
    worker: inject('ingestWorker'),
    metrics: createMetrics(),
    log: silentLog(),
  });
  try {
    // 23:40 to 00:20 and 00:00 to 00:20 of the second time
    for (let minute = 0; minute <= 100; minute += 1) {
      const localtime = Math.floor(clock.now().getTime() / 1000);
      const ssids = [
        {
          ssid: 'House',
          bssid: '903cb3000031',
          band: ['5G'],
          associations: [{ station: mac, connected: minute * 60 }],
        },
      ];
      const state = { unit: { uptime: 1000 + minute * 60, localtime }, interfaces: [{ name: 'down1v0', ssids }] };
      const frame = Buffer.from(JSON.stringify({ jsonrpc: '2.0', method: 'state', params: { state } }));
      await ingest.state({ accountId, serial }, frame, { epoch: 1, at: clock.now() });
      clock.advance(60_000);
    }
    await ingest.drain();
  } finally {
    await ingest.stop(0);
  }
  const { rows } = await sql`
    select to_char(day, 'YYYY-MM-DD') as day, seconds from station_day where mac = ${mac} order by day
  `.execute(db.database.system);
  expect(rows).toEqual([
    { day: '2026-10-31', seconds: 1200 },
    { day: '2026-11-01', seconds: 4800 },
  ]);
});
