import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runs } from '../../../../tools/property-runs.ts';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { ManualClock } from '../platform/clock.ts';
import { terminalCounts, terminalShares } from './read/index.ts';
import { createUsersDay } from './users-day.ts';

const accountId = '00000000-0000-7000-8000-000000000001';
const now = new Date('2026-11-21T12:00:00Z');
const facts = ['terminal_type', 'brand', 'os'] as const;

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
  await sql`insert into account (account_id, name, binding_code) values (${accountId}, 'A', 'A')`.execute(
    db.database.system,
  );
});
afterAll(() => db.drop());

const time = fc
  .integer({ min: 0, max: 60 * 24 * 4 })
  .map((quarters) => new Date(+now - quarters * 15 * 60_000).toISOString());
const row = fc.record({
  mac: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
  first_seen: time,
  last_seen: time,
  random_mac: fc.boolean(),
  terminal_type: fc.constantFrom('ios', 'android', null),
  brand: fc.constantFrom('Apple', null),
  os: fc.constant(null),
});
type Row = typeof row extends fc.Arbitrary<infer R> ? R : never;
const batch = fc.uniqueArray(row, { minLength: 1, maxLength: 5, selector: ({ mac }) => mac });

async function write(rows: readonly Row[]): Promise<void> {
  const ordered = rows.map((one) => ({
    ...one,
    account_id: accountId,
    first_seen: one.first_seen < one.last_seen ? one.first_seen : one.last_seen,
  }));
  await sql`
    insert into station (account_id, mac, first_seen, last_seen, random_mac, terminal_type, brand, os)
    select account_id, mac, first_seen, last_seen, random_mac, terminal_type, brand, os
    from jsonb_populate_recordset(null::station, ${JSON.stringify(ordered)}::jsonb)
    on conflict (account_id, mac) do update set first_seen = least(station.first_seen, excluded.first_seen),
      last_seen = greatest(station.last_seen, excluded.last_seen), terminal_type = excluded.terminal_type, brand = excluded.brand
  `.execute(db.database.system);
}

async function both(since: Date | null) {
  const scope = { accountId, userId: null, gwids: null };
  return db.database.withTenant(scope, async (tx) => {
    const seen = sql`from station where account_id = ${accountId}${since ? sql` and last_seen >= ${since}` : sql``}`;
    const counted: unknown[] = [await terminalCounts(tx, accountId, { gwids: null, since })];
    const looked: unknown[] = (
      await sql`select count(*)::integer as "all", count(*) filter (where ${since ?? new Date(0)} <= first_seen)::integer as fresh,
        count(*) filter (where first_seen < ${since ?? new Date(0)})::integer as returning,
        count(*) filter (where random_mac)::integer as "randomMac" ${seen}`.execute(tx)
    ).rows;
    for (const by of facts) {
      counted.push(await terminalShares(tx, accountId, { gwids: null, since, by }));
      looked.push(
        (
          await sql`select ${sql.ref(by)} as value, count(*)::integer as users ${seen} group by 1 order by 2 desc, 1 nulls last`.execute(
            tx,
          )
        ).rows,
      );
    }
    return { counted, looked };
  });
}

it('counts terminals while they come, to what their rows say, since any quarter of an hour and ever', async () => {
  const usersDay = createUsersDay({ ...db, clock: new ManualClock(now) });
  const since = fc.option(
    fc.integer({ min: 0, max: 34 * 24 * 4 }).map((quarters) => new Date(+now - quarters * 15 * 60_000)),
    { nil: null },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(batch, { minLength: 1, maxLength: 5 }),
      since,
      fc.boolean(),
      async (batches, from, together) => {
        for (const rows of batches) await write(rows);
        if (together) await usersDay.run();
        const { counted, looked } = await both(from);
        expect(counted).toEqual(looked);
      },
    ),
    runs(15, 50),
  );
  await usersDay.run();
  const { counted, looked } = await both(null);
  expect(counted).toEqual(looked);
});

it('hides it from members limited to some networks', async () => {
  const gwids = ['00000000-0000-7000-8000-100000000001'];
  const rows = await db.database.withTenant({ accountId, userId: null, gwids }, (tx) =>
    sql`select from station_part`.execute(tx),
  );
  expect(rows.rows).toEqual([]);
});
