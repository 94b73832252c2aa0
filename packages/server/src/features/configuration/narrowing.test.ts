import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts';
import { newId, type Tx } from '../../platform/database/index.ts';

const accountId = newId();
const [mine, other] = [newId(), newId()];
const [here, there, waiting] = ['9c0000000001', '9c0000000002', '9c0000000003'];
const tables = ['device_override', 'config_version', 'config_state', 'device_event', 'device_latest'];
let db: TestDatabase;

beforeAll(async () => {
  db = await createTestDatabase();
  const pool = db.database.systemPool;
  await pool.query("insert into account (account_id, name, binding_code) values ($1, 'one', 'A')", [accountId]);
  for (const gwid of [mine, other])
    await pool.query("insert into network (account_id, gwid, remark) values ($1, $2, 'n')", [accountId, gwid]);
  for (const [serial, gwid] of [
    [here, mine],
    [there, other],
    [waiting, null],
  ]) {
    const insert = (text: string) => pool.query(text, [accountId, serial]);
    await pool.query(
      "insert into device (confirmed, account_id, serial, gwid, kind, remark, bound_at) values (true, $1, $2, $3, 'ap', 'd', now())",
      [accountId, serial, gwid],
    );
    await insert(
      `insert into device_override (account_id, serial, version, override, updated_at, updated_by) values ($1, $2, 1, '{}', now(), 'me')`,
    );
    await insert(
      `insert into config_version (account_id, serial, uuid, sha256, sealed, bytes, cause, author, outcome, created_at)
       values ($1, $2, 2, 'x', '', 0, 'retry', 'me', 'waiting', now())`,
    );
    await insert(`insert into config_state (account_id, serial, state, changed_at) values ($1, $2, 'pending', now())`);
    await insert(
      `insert into device_event (account_id, serial, id, at, type, payload) values ($1, $2, gen_random_uuid(), now(), 'log', '{}')`,
    );
    await insert(`insert into device_latest (account_id, serial) values ($1, $2)`);
  }
});
afterAll(async () => {
  await db.database.close();
  await db.drop();
});

const scoped = <T>(gwids: string[] | null, work: (tx: Tx) => Promise<T>) =>
  db.database.withTenant({ accountId, userId: null, gwids }, work);

async function seen(table: string, gwids: string[] | null): Promise<string[]> {
  const { rows } = await scoped(gwids, (tx) =>
    sql<{ serial: string }>`select serial from ${sql.table(table)} order by serial`.execute(tx),
  );
  return rows.map((row) => row.serial);
}

it.each(tables)('%s shows a grant for one network that network’s devices only', async (table) => {
  expect(await seen(table, null)).toEqual([here, there, waiting]);
  expect(await seen(table, [mine])).toEqual([here]);
  expect(await seen(table, [mine, other])).toEqual([here, there]);
});

it.each(tables)('%s takes no change of another network’s rows from it', async (table) => {
  const touched = await scoped([mine], (tx) =>
    sql`update ${sql.table(table)} set serial = serial where serial <> ${here}`.execute(tx),
  );
  expect(touched.numAffectedRows).toBe(0n);
});

it('takes no new row about another network’s device', async () => {
  await scoped(null, (tx) => sql`delete from config_state where serial = ${there}`.execute(tx));
  await expect(
    scoped([mine], (tx) =>
      sql`insert into config_state (account_id, serial, state, changed_at) values (${accountId}, ${there}, 'pending', now())`.execute(
        tx,
      ),
    ),
  ).rejects.toThrow(/row-level security/);
});

it('follows a device that moves', async () => {
  await scoped(null, (tx) => sql`update device set gwid = ${mine} where serial = ${there}`.execute(tx));
  for (const table of tables.filter((name) => name !== 'config_state'))
    expect(await seen(table, [mine])).toEqual([here, there]);
  expect(await seen('device_event', [other])).toEqual([]);
});
