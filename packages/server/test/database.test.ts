import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { asOwner, createEmptyDatabase, createTestDatabase } from './database.ts';

const first = await createTestDatabase();
const second = await createTestDatabase();
afterAll(async () => {
  await first.drop();
  await second.drop();
});

test('a test database is migrated and not shared', async () => {
  await asOwner(first.owner, (client) => client.query('create table only_here (id int)'));
  const here = await sql<{ found: string | null }>`select to_regclass('only_here')::text as found`.execute(
    first.database.system,
  );
  const there = await sql<{
    found: string | null;
    account: string;
  }>`select to_regclass('only_here')::text as found, to_regclass('account')::text as account`.execute(
    second.database.system,
  );
  expect(here.rows[0]!.found).toBe('only_here');
  expect(there.rows[0]).toEqual({ found: null, account: 'account' });
});

test('the pools work as the roles that row security holds', async () => {
  const app = await first.database.appPool.query('select current_user as name');
  const system = await first.database.systemPool.query('select current_user as name');
  expect([app.rows[0].name, system.rows[0].name]).toEqual(['yunxun_app', 'yunxun_system']);
});

test('an empty database holds nothing, and is gone when dropped', async () => {
  const empty = await createEmptyDatabase();
  const found = await asOwner(empty.owner, (client) => client.query(`select to_regclass('account') as table`));
  expect(found.rows[0].table).toBeNull();
  await empty.drop();
  await expect(asOwner(empty.owner, (client) => client.query('select 1'))).rejects.toThrow(/does not exist/);
});
