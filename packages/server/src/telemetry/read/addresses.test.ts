import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts';
import { makePartitions } from '../partitions.ts';
import { hadAddress } from './addresses.ts';

const [mine, theirs] = ['a', 'b'].map((one) => `00000000-0000-7000-8000-00000000000${one}`) as [string, string];
const gwid = '00000000-0000-7000-8000-100000000001';
const day = new Date('2026-11-01T00:00:00Z');

let db: TestDatabase;

beforeAll(async () => {
  db = await createTestDatabase();
  await makePartitions(db.database, day, day);
  for (const account of [mine, theirs]) {
    await sql`insert into account (account_id, name, binding_code) values (${account}, 'a', ${account})`.execute(
      db.database.system,
    );
    await sql`
      insert into station_session (account_id, mac, ended_at, serial, bssid, started_at, gwid, band, ip, authenticated,
        down, up, rssi_sum, rssi_n, end_reason)
      select ${account}, lpad(to_hex(n), 12, '0'), ${day}::timestamptz + n * interval '1 second', '020000000001', '', ${day},
        ${gwid}, 5, '10.' || n % 7 || '.' || n / 7 % 90 || '.' || n / 630, false, 0, 0, 0, 0, 'leave'
      from generate_series(1, 20000) n
    `.execute(db.database.system);
  }
  await db.database.systemPool.query('analyze station_session');
});
afterAll(() => db.drop());

it.each([[null], [[gwid]]])(
  'is looked up by its beginning, also under the row security of networks: %j',
  async (gwids) => {
    const had = hadAddress(mine, { gwids }, '10.3.77.1', day)!;
    await db.database.withTenant({ accountId: mine, userId: null, gwids }, async (tx) => {
      const { rows: plan } = await sql<{ 'QUERY PLAN': string }>`
      explain select 1 from station o where o.account_id = ${mine} and ${had}
    `.execute(tx);
      const lines = plan.map((line) => line['QUERY PLAN']).join('\n');
      expect(lines).toMatch(/station_session_20261101_account_id_ip_idx/);
      const { rows } = await sql<{ mac: string }>`
      select o.mac from (select distinct mac from station_session) o where ${had} order by 1
    `.execute(tx);
      // of this account only
      expect(rows).toHaveLength(11);
    });
  },
);

it.each(['10', '3c:22:fb', '3c22.fb00', 'printer', '%', '10.1.2.x'])('%s begins no address', (keyword) => {
  expect(hadAddress(mine, { gwids: null }, keyword, undefined)).toBeNull();
});
