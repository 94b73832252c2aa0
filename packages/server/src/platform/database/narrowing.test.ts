import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { asOwner, createTestDatabase, type TestDatabase } from '../../../test/database.ts';

const account = '00000000-0000-7000-8000-00000000000a';
const other = '00000000-0000-7000-8000-00000000000b';
const [lobby, attic, cellar] = [1, 2, 3].map((n) => `00000000-0000-7000-8000-00000000010${n}`) as [
  string,
  string,
  string,
];
const job = (n: number) => `00000000-0000-7000-8000-00000000020${n}`;

let db: TestDatabase;
let fresh: pg.Client;

beforeAll(async () => {
  db = await createTestDatabase();
  await asOwner(db.owner, async (owner) => {
    await owner.query(
      `insert into account (account_id, name, binding_code) values ('${account}', 'one', 'A'), ('${other}', 'two', 'B')`,
    );
    const rows = [
      [account, 'in the lobby', lobby],
      [account, 'in the attic', attic],
      [account, 'in the cellar', cellar],
      [account, 'nowhere', null],
      [other, 'elsewhere', lobby],
    ];
    for (const [accountId, name, gwid] of rows) {
      if (gwid)
        await owner.query('insert into network (account_id, gwid, remark) values ($1, $2, $3)', [
          accountId,
          gwid,
          name,
        ]);
      await owner.query(
        `insert into device (account_id, serial, gwid, kind, remark, bound_at) values ($1, $2, $3, 'ap', '', now())`,
        [accountId, name, gwid],
      );
      await owner.query('insert into device_latest (account_id, serial) values ($1, $2)', [accountId, name]);
    }
    await owner.query(
      `insert into job (account_id, id, type, status, total, params, operator)
       select '${account}', id, 'test', 'running', 1, '{}', 'test' from unnest($1::uuid[]) id`,
      [[job(1), job(2), job(3)]],
    );
    await owner.query(
      `insert into job_item (account_id, job_id, seq, gwid, name, status)
       select '${account}', id, 0, gwid, 'item', 'running' from unnest($1::uuid[], $2::uuid[]) as i (id, gwid)`,
      [
        [job(1), job(2), job(3)],
        [lobby, cellar, null],
      ],
    );
  });
  fresh = new pg.Client(db.database.appPool.options as pg.ClientConfig);
  await fresh.connect();
});
afterAll(async () => {
  await fresh.end();
  await db.drop();
});

async function seen(table: string, column: string, networks: string | null, on?: pg.Client): Promise<string[]> {
  const pooled = on ? null : await db.database.appPool.connect();
  const connection = on ?? pooled!;
  try {
    await connection.query('begin');
    await connection.query(`select set_config('yunxun.account', $1, true)`, [account]);
    if (networks !== null) await connection.query(`select set_config('yunxun.gwids', $1, true)`, [networks]);
    const { rows } = await connection.query<{ name: string }>(`select ${column} as name from ${table} order by 1`);
    return rows.map(({ name }) => name);
  } finally {
    await connection.query('rollback');
    pooled?.release();
  }
}

const everywhere = ['in the attic', 'in the cellar', 'in the lobby', 'nowhere'];
const cases: [what: string, networks: string, devices: string[], jobs: string[]][] = [
  ['nothing set shows every network, and what is in none', '', everywhere, [job(1), job(2), job(3)]],
  ['an empty list shows nothing', '{}', [], []],
  ['a network shows its own, and nothing that is in none', `{${lobby}}`, ['in the lobby'], [job(1)]],
  ['two networks show theirs', `{${attic},${cellar}}`, ['in the attic', 'in the cellar'], [job(2)]],
  ['a network without anything shows nothing', `{${job(9)}}`, [], []],
  ['a list of nothing known shows nothing', '{NULL}', [], []],
];

it.each(cases)('narrows: %s', async (_, networks, devices, jobs) => {
  expect(await seen('device', 'serial', networks)).toEqual(devices);
  expect(await seen('device_latest', 'serial', networks)).toEqual(devices);
  expect(await seen('job', 'id', networks)).toEqual(jobs);
  expect(await seen('job_item', 'job_id', networks)).toEqual(jobs);
});

it('refuses a list that is none, and shows nothing without an account', async () => {
  await expect(seen('device', 'serial', lobby)).rejects.toThrow(/malformed array/);
  await expect(seen('device', 'serial', '{lobby}')).rejects.toThrow(/invalid input syntax for type uuid/);
  expect((await fresh.query('select 1 from device')).rowCount).toBe(0);
});

it('shows every network of the account to a connection on which networks were never set', async () => {
  const { rows } = await fresh.query(`select current_setting('yunxun.gwids', true) as networks`);
  expect(rows).toEqual([{ networks: null }]);
  expect(await seen('device', 'serial', null, fresh)).toEqual(everywhere);
});

it('refuses writes of rows that the role cannot see', async () => {
  const write = (gwids: string[] | null, gwid: string | null) =>
    db.database.withTenant({ accountId: account, userId: null, gwids }, async (tx) => {
      await sql`update device set gwid = ${gwid} where serial = 'in the attic'`.execute(tx);
      await sql`update device set gwid = ${attic} where serial = 'in the attic'`.execute(tx);
    });
  await write(null, cellar);
  await write(null, null);
  await write([attic, cellar], cellar);
  const refused = /violates row-level security policy/;
  await expect(write([attic, cellar], lobby)).rejects.toThrow(refused);
  await expect(write([attic, cellar], null)).rejects.toThrow(refused);
  await write([cellar], cellar);
  expect(await seen('device', 'serial', `{${attic}}`)).toEqual(['in the attic']);
});
