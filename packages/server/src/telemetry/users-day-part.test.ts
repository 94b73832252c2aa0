import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runs } from '../../../../tools/property-runs.ts';
import { asOwner, createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { ManualClock } from '../platform/clock.ts';
import { userColumns, userCounts, visitColumns, visitCounts, wholeAccount } from './day-counts.ts';
import { makePartitions } from './partitions.ts';
import { createUsersDay } from './users-day.ts';

const gwids = [wholeAccount, ...[1, 2, 3].map((one) => `00000000-0000-7000-8000-10000000000${one}`)];
const account = (run: number) => `00000000-0000-7000-8000-00000000${String(run).padStart(4, '0')}`;
const days = ['2026-11-01', '2026-11-02'];
const columns = [...userColumns, ...visitColumns];

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
  await makePartitions(db.database, new Date('2026-10-25T00:00:00Z'), new Date('2026-11-08T00:00:00Z'));
});
afterAll(() => db.drop());

const row = fc.record({
  day: fc.constantFrom(...days),
  gwid: fc.constantFrom(...gwids),
  mac: fc.constantFrom('a', 'b', 'c'),
  seconds: fc.constantFrom(0, 60, 900, 1800, 3600, 7200, 14_400),
  hours: fc.constantFrom(0, 1, 1 << 6, 1 << 11, 1 << 14, 1 << 23, (1 << 5) | (1 << 6)),
  is_new: fc.boolean(),
  authenticated: fc.boolean(),
});
type Row = typeof row extends fc.Arbitrary<infer R> ? R : never;
const batch = fc.uniqueArray(row, { minLength: 1, maxLength: 8, selector: (one) => one.day + one.gwid + one.mac });

async function write(accountId: string, rows: readonly Row[]): Promise<void> {
  await sql`
    insert into station_day (account_id, day, gwid, mac, first_at, last_at, seconds, hours, down, up, sessions, is_new, authenticated, wireless)
    select ${accountId}, day, gwid, mac, now(), now(), seconds, hours, 0, 0, 1, is_new, authenticated, true
    from jsonb_populate_recordset(null::station_day, ${JSON.stringify(rows)}::jsonb)
    on conflict (account_id, day, gwid, mac) do update set seconds = station_day.seconds + excluded.seconds,
      hours = station_day.hours | excluded.hours, is_new = excluded.is_new,
      authenticated = station_day.authenticated or excluded.authenticated
  `.execute(db.database.system);
}

const text = (names: readonly string[]) => sql.raw(names.map((name) => `coalesce(${name}, 0) as ${name}`).join(', '));

async function counts(accountId: string) {
  const sums = sql.raw(columns.map((column) => `sum(${column})::integer as ${column}`).join(', '));
  const added = await sql`
    select day::text, gwid, ${sums} from users_day_part where account_id = ${accountId} group by 1, 2 order by 1, 2
  `.execute(db.database.system);
  const looked = await sql`
    with visit as (select * from station_day where account_id = ${accountId}),
      users as (select day, ${userCounts} from (
        select day, mac, bool_or(is_new) as is_new, bool_or(authenticated) as authenticated from visit group by 1, 2) u group by 1),
      visits as (select day, ${visitCounts} from visit group by 1)
    select day::text, gwid, ${text(columns)} from (
      select day, gwid, ${userCounts}, ${visitCounts} from visit where gwid <> ${wholeAccount} group by 1, 2
      union all
      select day, ${wholeAccount}::uuid, ${sql.raw(userColumns.join(', '))}, ${sql.raw(visitColumns.join(', '))} from users join visits using (day)
    ) counted order by 1, 2
  `.execute(db.database.system);
  return { added: added.rows, looked: looked.rows };
}

it('counts a day while it comes, to what its rows say, whatever a statement does to them', async () => {
  const usersDay = createUsersDay({ ...db, clock: new ManualClock(new Date('2026-11-02T12:00:00Z')) });
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(batch, { minLength: 1, maxLength: 8 }), fc.boolean(), async (batches, together) => {
      run += 1;
      const accountId = account(run);
      for (const rows of batches) await write(accountId, rows);
      if (together) await usersDay.run();
      const { added, looked } = await counts(accountId);
      expect(added).toEqual(looked);
    }),
    runs(15, 60),
  );
});

it('recounts stored days', async () => {
  const accountId = account(9000);
  await write(accountId, [
    { day: days[0]!, gwid: gwids[1]!, mac: 'a', seconds: 60, hours: 1, is_new: true, authenticated: false },
    { day: days[0]!, gwid: gwids[2]!, mac: 'a', seconds: 1800, hours: 64, is_new: true, authenticated: true },
  ]);
  const before = await counts(accountId);
  expect(before.added).toHaveLength(3);
  await sql`update users_day_part set online = 99 where account_id = ${accountId}`.execute(db.database.system);
  await asOwner(db.owner, (client) => client.query('select platform.recount_visits($1)', [days[0]]));
  expect(await counts(accountId)).toEqual(before);
});
