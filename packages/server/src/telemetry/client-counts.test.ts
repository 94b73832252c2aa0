import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runs } from '../../../../tools/property-runs.ts';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import type { Tx } from '../platform/database/index.ts';
import { type ClientCounts, createClientCounts } from './client-count-task.ts';
import { wholeAccount } from './day-counts.ts';
import { usersNow, usersNowByNetwork } from './read/index.ts';
import { insertStationRows } from './testing/stations.ts';

const accountId = '00000000-0000-7000-8000-000000000001';
const [home, shop] = ['00000000-0000-7000-8000-100000000001', '00000000-0000-7000-8000-100000000002'] as const;
const serials = ['a1', 'a2', 'a3', 'a4'];
const at = '2026-11-21T12:00:00Z';

let db: TestDatabase;
let clientCounts: ClientCounts;
beforeAll(async () => {
  db = await createTestDatabase();
  clientCounts = createClientCounts(db);
  await sql`insert into account (account_id, name, binding_code) values (${accountId}, 'A', 'A')`.execute(system());
  await sql`
    insert into network (account_id, gwid, remark, gateway_serial, created_at)
    select ${accountId}, gwid, gwid::text, gwid::text, now() from unnest(${[home, shop]}::uuid[]) gwid`.execute(
    system(),
  );
  await sql`
    insert into device (account_id, serial, kind, remark, bound_at)
    select ${accountId}, serial, 'ap', serial, now() from unnest(${serials}::text[]) serial`.execute(system());
  await sql`
    insert into device_link (account_id, serial, epoch, node, connected_since, last_frame_at)
    select ${accountId}, serial, 1, gen_random_uuid(), now(), now() from unnest(${serials}::text[]) serial`.execute(
    system(),
  );
});
afterAll(() => db.drop());
const system = () => db.database.system;

const serial = fc.constantFrom(...serials);
const mac = fc.constantFrom('m1', 'm2', 'm3', 'm4');
const bssid = fc.constantFrom('b1', 'b2');
const place = fc.record({ serial, mac, bssid, band: fc.constantFrom(0, 2, 5, 6), authenticated: fc.boolean() });
const step = fc.oneof(
  fc.record({
    there: fc.uniqueArray(place, { minLength: 1, maxLength: 6, selector: (p) => p.serial + p.mac + p.bssid }),
  }),
  fc.record({ gone: fc.record({ serial, mac }) }),
  fc.record({ move: serial, to: fc.constantFrom(home, shop, wholeAccount) }),
  fc.record({ link: serial, up: fc.boolean() }),
  fc.constant({ count: true }),
);
type Step = typeof step extends fc.Arbitrary<infer R> ? R : never;

async function take(one: Step): Promise<void> {
  if ('there' in one) {
    await sql`
      insert into station_open (account_id, serial, mac, bssid, gwid, band, authenticated, started_at, last_at)
      select d.account_id, d.serial, p.mac, p.bssid, coalesce(d.gwid, ${wholeAccount}), p.band, p.authenticated, now(), now()
      from jsonb_populate_recordset(null::station_open, ${JSON.stringify(one.there)}::jsonb) p join device d using (serial)
      on conflict (account_id, serial, mac, bssid) do update set gwid = excluded.gwid, band = excluded.band,
        authenticated = excluded.authenticated, last_at = excluded.last_at`.execute(system());
  } else if ('gone' in one) {
    await sql`delete from station_open where serial = ${one.gone.serial} and mac = ${one.gone.mac}`.execute(system());
  } else if ('move' in one) {
    const gwid = one.to === wholeAccount ? null : one.to;
    await sql`update device set gwid = ${gwid} where serial = ${one.move}`.execute(system());
    await sql`update station_open set gwid = ${one.to} where serial = ${one.move}`.execute(system());
  } else if ('link' in one) {
    const since = one.up ? at : null;
    await sql`update device_link set connected_since = ${since} where serial = ${one.link}`.execute(system());
  } else await clientCounts.run();
}

const counts = sql`count(*)::integer as online,
  (count(*) filter (where on_2g))::integer as "online2g", (count(*) filter (where on_5g))::integer as "online5g",
  (count(*) filter (where on_6g))::integer as "online6g", (count(*) filter (where wired))::integer as wired,
  (count(*) filter (where authenticated))::integer as authenticated`;
const places = (gwids: readonly string[] | null, by: 'mac' | 'gwid, mac') => sql`
  select ${sql.raw(by)}, bool_or(band = 2) as on_2g, bool_or(band = 5) as on_5g, bool_or(band = 6) as on_6g,
    bool_and(band = 0) as wired, bool_or(authenticated) as authenticated
  from station_open o join device_link l using (account_id, serial)
  where connected_since is not null ${gwids ? sql`and gwid = any(${[...gwids]}::uuid[])` : sql``} group by ${sql.raw(by)}`;

async function both(visible: string[] | null, gwids: string[] | null) {
  return db.database.withTenant({ accountId, userId: null, gwids: visible }, async (tx: Tx) => {
    const each = await sql`
      select gwid, ${counts} from (${places(gwids, 'gwid, mac')}) o where gwid <> ${wholeAccount} group by 1 order by 1`.execute(
      tx,
    );
    const looked = (await sql`select ${counts} from (${places(gwids, 'mac')}) o`.execute(tx)).rows[0];
    return {
      counted: [await usersNow(tx, accountId, { gwids }), await usersNowByNetwork(tx, accountId, { gwids })],
      looked: [looked, each.rows],
    };
  });
}

async function expectTruth() {
  for (const [visible, gwids] of [
    [null, null],
    [null, [home]],
    [null, [home, shop]],
    [[home], null],
    [[shop], [shop]],
  ] as const) {
    const { counted, looked } = await both(visible && [...visible], gwids && [...gwids]);
    expect(counted).toEqual(looked);
  }
}

it('counts present clients like the rows do, with any counts ahead and any access', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      for (const one of steps) await take(one);
      await expectTruth();
    }),
    runs(10, 40),
  );
  await clientCounts.run();
  const { rows } = await sql`select from station_changed where not apart`.execute(system());
  expect(rows).toEqual([]);
  await sql`delete from station_open`.execute(system());
  await clientCounts.run();
  for (const table of ['station_changed', 'station_counted', 'station_sum'])
    expect((await sql`select from ${sql.table(table)}`.execute(system())).rows).toEqual([]);
});

it('waits for no writer, and misses no row that is written meanwhile', async () => {
  const row = { account_id: accountId, bssid: '', gwid: home, mac: 'm9', started_at: at, last_at: at };
  await db.database.withSystem(async (tx) => {
    await insertStationRows({ system: tx }, 'station_open', [{ ...row, serial: 'a1', band: 5 }]);
    await insertStationRows(db.database, 'station_open', [{ ...row, serial: 'a2', band: 0 }]);
    await clientCounts.run();
    await expectTruth();
  });
  await expectTruth();
  await clientCounts.run();
  await expectTruth();
});

it('writes nothing for totals that run on', async () => {
  await clientCounts.run();
  await sql`update station_open set down = down + 1, last_at = now(), rssi = -50`.execute(system());
  expect((await sql`select from station_changed where not apart`.execute(system())).rows).toEqual([]);
});
