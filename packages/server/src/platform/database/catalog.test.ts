import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts';

/** Unique across accounts, or of none. */
const withoutTenant = [
  'account_coupon',
  'binding_directory',
  'clearing_arrival',
  'clearing_line',
  'clearing_payout',
  'download',
  'installation',
  'installation_authority',
  'link_refusal',
  'login_directory',
  'outbox_message',
  'passkey_directory',
  'plugin',
  'plugin_package',
  'plugin_publisher',
  'portal_directory',
  'qr_login',
  'serial_directory',
  'shield_list',
  'sign_in_ticket',
  'throttle',
  'token_directory',
  'verification_code',
];

let db: TestDatabase;
let owner: pg.Client;

beforeAll(async () => {
  db = await createTestDatabase();
  owner = new pg.Client(db.owner);
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await db.database.close();
  await db.drop();
});

async function column<T>(query: string): Promise<T[]> {
  const { rows } = await owner.query<{ value: T }>(query);
  return rows.map((row) => row.value);
}

it('guards every tenant table by row security, and keeps requests away from the closed list', async () => {
  const tenant = await column<string>(`
    select c.relname as value from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> all (array['${withoutTenant.join("','")}'])`);
  const guarded = await column<string>(`
    select c.relname as value from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relrowsecurity and exists (select 1 from pg_policy p where p.polrelid = c.oid)`);
  expect(tenant.filter((name) => !guarded.includes(name))).toEqual([]);
  const open = await column<string>(`
    select table_name as value from information_schema.role_table_grants
    where grantee = 'yunxun_app' and table_name = any (array['${withoutTenant.join("','")}'])`);
  expect(open).toEqual([]);
});

it('narrows every table about devices by their networks; jobs, logs and messages where they are read', async () => {
  const wide = await column<string>(`
    select c.relname as value from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> all (array['${withoutTenant.join("','")}'])
      and exists (select 1 from pg_attribute a where a.attrelid = c.oid and a.attname in ('serial', 'gwid'))
      and not exists (select 1 from pg_policy p where p.polrelid = c.oid
        and pg_get_expr(p.polqual, p.polrelid) like '%networks()%' and pg_get_expr(p.polwithcheck, p.polrelid) like '%networks()%')
    order by 1`);
  expect(wide).toEqual(['job_item', 'message', 'operation_log']);
  const read = await column<string>(`
    select c.relname as value from pg_policy p join pg_class c on c.oid = p.polrelid
    where c.relname in ('job', 'job_item', 'message', 'operation_log')
      and p.polname = 'tenant' and pg_get_expr(p.polqual, p.polrelid) like '%networks()%' order by 1`);
  expect(read).toEqual(['job', 'job_item', 'message', 'operation_log']);
});

it('lets partitions be reached through their table only: row security without a policy, and no grant', async () => {
  const partitioned = await column<string>('select name as value from platform.partitioned order by 1');
  const parents = await column<string>(`
    select c.relname as value from pg_class c where c.relkind = 'p' and c.relnamespace = 'public'::regnamespace order by 1`);
  expect(partitioned).toEqual(parents);
  for (const table of partitioned) {
    await db.database.systemPool.query("select platform.make_partitions($1, '2026-11-21', '2026-11-22')", [table]);
  }
  const partitions = await column<string>(
    "select relname as value from pg_class where relispartition and relkind = 'r'",
  );
  expect(partitions.length).toBeGreaterThan(2 * 6);
  const open = await column<string>(`
    select c.relname as value from pg_class c where c.relispartition and c.relkind = 'r'
      and (not c.relrowsecurity or exists (select from pg_policy p where p.polrelid = c.oid)
        or exists (select from aclexplode(c.relacl) a where a.grantee <> c.relowner))`);
  expect(open).toEqual([]);
  for (const pool of [db.database.appPool, db.database.systemPool]) {
    await expect(pool.query('select 1 from device_sample_20261121')).rejects.toThrow(/permission denied/);
    await pool.query('select 1 from device_sample');
  }
});

it('shows account sums only to members who see all networks', async () => {
  const open = await column<string>(`
    select p.name as value from platform.partitioned p
    where not exists (select from pg_attribute a where a.attrelid = to_regclass(p.name) and a.attname = 'gwid')
      and not exists (select from pg_policy o where o.polrelid = to_regclass(p.name) and not o.polpermissive
        and pg_get_expr(o.polqual, o.polrelid) ~ 'networks\\(\\)( AS networks\\))? IS NULL')`);
  expect(open.filter((name) => name.startsWith('rollup_'))).toEqual([]);
  expect(open.length).toBeLessThan(2);
});

it('refuses updates and deletes of log rows', async () => {
  const grants = await column<string>(`
    select grantee || ' ' || privilege_type as value from information_schema.role_table_grants
    where table_name in ('operation_log', 'sign_in_log') and privilege_type in ('UPDATE', 'DELETE', 'TRUNCATE') and grantee like 'yunxun\\_%'
      and grantee in ('yunxun_app', 'yunxun_system')`);
  expect(grants).toEqual([]);
});

it('lets one account see nothing of another', async () => {
  const [one, two] = ['00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000002'];
  await db.database.systemPool.query(
    "insert into account (account_id, name, binding_code) values ($1, 'one', 'A'), ($2, 'two', 'B')",
    [one, two],
  );
  const seen = await db.database.withTenant({ accountId: one, userId: null, gwids: null }, async (tx) => {
    return (await sql<{ account_id: string }>`select account_id from account`.execute(tx)).rows;
  });
  expect(seen.map((row) => row.account_id)).toEqual([one]);
  const withoutScope = await db.database.appPool.query('select 1 from account');
  expect(withoutScope.rowCount).toBe(0);
});
