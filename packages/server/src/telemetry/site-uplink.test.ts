import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrations } from '../../migrations/index.ts';
import { asOwner, createEmptyDatabase } from '../../test/database.ts';

const name = '0024-house-uplink';
let db: Awaited<ReturnType<typeof createEmptyDatabase>>;
beforeAll(async () => {
  db = await createEmptyDatabase();
});
afterAll(() => db.drop());

const account = '00000000-0000-7000-8000-00000000000a';
const nowhere = '00000000-0000-0000-0000-000000000000';
const [inn, lobby] = ['00000000-0000-7000-8000-100000000001', '00000000-0000-7000-8000-100000000002'];
const devices = [
  { serial: 'gateway', kind: 'gateway', gwid: inn, at: inn, bytes: 1000 },
  { serial: 'behind', kind: 'ap', gwid: inn, at: inn, bytes: 200 },
  { serial: 'moved', kind: 'ap', gwid: lobby, at: inn, bytes: 30 },
  { serial: 'gone', kind: null, gwid: null, at: inn, bytes: 4 },
  { serial: 'point', kind: 'ap', gwid: lobby, at: lobby, bytes: 50_000 },
  { serial: 'switch', kind: 'switch', gwid: lobby, at: lobby, bytes: 600_000 },
  { serial: 'waits', kind: 'ap', gwid: null, at: nowhere, bytes: 7_000_000 },
];

async function zeros(client: pg.ClientBase, table: string, reported: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and attnotnull and not atthasdef and attname <> all ($2)`,
    [table, reported],
  );
  return rows.map((row) => row.name);
}

async function put(client: pg.ClientBase, table: string, row: Record<string, unknown>): Promise<void> {
  const rest = await zeros(client, table, Object.keys(row));
  const values = Object.values(row);
  await client.query(
    `insert into ${table} (${[...Object.keys(row), ...rest].join(', ')})
     values (${[...values.map((_, index) => `$${index + 1}`), ...rest.map((column) => (column === 'restarted' ? 'false' : '0'))].join(', ')})`,
    values,
  );
}

it('fills existing rows by the place of the report and the present gateway', async () => {
  await asOwner(db.owner, async (client) => {
    await client.query('create schema if not exists platform');
    for (const { up } of migrations.filter((one) => one.name < name)) await client.query(up);
    const at = '2026-11-20T10:02:00Z';
    await put(client, 'account', { account_id: account, name: 'Inn', binding_code: 'INN' });
    for (const gwid of [inn, lobby]) await put(client, 'network', { account_id: account, gwid, remark: gwid });
    await client.query("update network set gateway_serial = 'gateway' where gwid = $1", [inn]);
    const steps = ['5m', '1h', '1d'];
    for (const table of [
      'device_sample',
      ...steps.flatMap((step) => ['device', 'network', 'account'].map((scope) => `rollup_${scope}_${step}`)),
    ])
      await client.query("select platform.make_partitions($1, '2026-11-20', '2026-11-20')", [table]);
    for (const { serial, kind, gwid, at: where, bytes } of devices) {
      if (kind) await put(client, 'device', { account_id: account, serial, kind, gwid, remark: serial, bound_at: at });
      const row = { account_id: account, serial, gwid: where, wan_down: bytes - 1, wan_up: 1 };
      await put(client, 'device_sample', { ...row, at });
      for (const step of steps) await put(client, `rollup_device_${step}`, { ...row, bucket: at });
    }
    for (const step of steps) {
      for (const gwid of [inn, lobby, nowhere])
        await put(client, `rollup_network_${step}`, { account_id: account, gwid, bucket: at });
      await put(client, `rollup_account_${step}`, { account_id: account, bucket: at });
    }
    await client.query(migrations.find((one) => one.name === name)!.up);

    for (const table of ['device_sample', ...steps.map((step) => `rollup_device_${step}`)]) {
      const { rows } = await client.query(
        `select serial, house_wan::int from ${table} where house_wan > 0 order by serial`,
      );
      expect(rows, table).toEqual([
        { serial: 'gateway', house_wan: 1000 },
        { serial: 'point', house_wan: 50_000 },
        { serial: 'waits', house_wan: 7_000_000 },
      ]);
    }
    for (const step of steps) {
      const networks = await client.query(`select gwid, house_wan::int from rollup_network_${step} order by house_wan`);
      expect(networks.rows).toEqual([
        { gwid: inn, house_wan: 1000 },
        { gwid: lobby, house_wan: 50_000 },
        { gwid: nowhere, house_wan: 7_000_000 },
      ]);
      const whole = await client.query(`select house_wan::int from rollup_account_${step}`);
      expect(whole.rows).toEqual([{ house_wan: 7_051_000 }]);
    }
  });
});
