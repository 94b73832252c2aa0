import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts';
import { newId, type Tx } from '../../platform/database/index.ts';
import { balanceOf, type Entry, incomeOf, post, yuan } from './service.ts';

const [mine, other] = [newId(), newId()];
const [lobby, garden] = [newId(), newId()];
const noon = new Date('2026-11-21T04:00:00Z');
const later = (ms: number) => new Date(noon.getTime() + ms);

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
  await db.database.systemPool.query(
    "insert into account (account_id, name, binding_code) values ($1, 'one', 'A'), ($2, 'two', 'B')",
    [mine, other],
  );
});
afterAll(() => db.drop());

const within = <T>(work: (tx: Tx) => Promise<T>, accountId = mine, gwids: string[] | null = null) =>
  db.database.withTenant({ accountId, userId: null, gwids }, work);
const sold = (fen: number): Entry[] => [
  { ledger: 'balance', fen },
  { ledger: 'income', fen: -fen },
];
const sale = (key: string, fen: number, at = noon, gwid: string | null = lobby) => ({
  accountId: mine,
  key,
  kind: 'access_code',
  at,
  gwid,
  entries: sold(fen),
});

it('books once, whatever repeats run at the same time', async () => {
  const results = await Promise.all(Array.from({ length: 6 }, () => within((tx) => post(tx, sale('order-1', 1250)))));
  expect(results.filter(({ repeated }) => !repeated)).toHaveLength(1);
  expect(new Set(results.map(({ id }) => id)).size).toBe(1);
  expect(await within((tx) => balanceOf(tx, mine))).toBe(1250);
  await expect(within((tx) => post(tx, sale('order-1', 1251)))).rejects.toThrow('another booking');
});

it('reports income by time and network, less refunds', async () => {
  await within((tx) => post(tx, sale('order-2', 300, noon, garden)));
  await within((tx) => post(tx, sale('refund-1', -250, later(1))));
  await within((tx) => post(tx, sale('tomorrow', 7, later(3_600_000))));
  const until = later(3_600_000);
  const income = (gwids: string[] | null, from = noon) => within((tx) => incomeOf(tx, mine, from, until, gwids));
  expect(await income(null)).toBe(1250 + 300 - 250);
  expect(await income([lobby])).toBe(1000);
  expect(await income([garden])).toBe(300);
  expect(await income(null, later(1))).toBe(-250);
  expect(await within((tx) => balanceOf(tx, mine))).toBe(1307);
});

it('shows another account nothing, and a member limited to one network only its rows', async () => {
  expect(await within((tx) => balanceOf(tx, mine), other)).toBe(0);
  expect(await within((tx) => incomeOf(tx, mine, noon, later(9e9), null), mine, [garden])).toBe(300);
});

it('refuses what does not balance, in the program and in the database', async () => {
  const broken: Entry[][] = [
    [{ ledger: 'income', fen: 0 }],
    [],
    [
      { ledger: 'balance', fen: 100 },
      { ledger: 'income', fen: -99 },
    ],
    [
      { ledger: 'balance', fen: 0.5 },
      { ledger: 'income', fen: -0.5 },
    ],
  ];
  for (const entries of broken) {
    const booking = { ...sale('broken', 1), entries };
    await expect(within((tx) => post(tx, booking))).rejects.toThrow('do not balance');
  }
  const directly = within(async (tx) => {
    const { id } = await post(tx, sale('honest', 5));
    await sql`insert into ledger_entry (account_id, transaction_id, seq, ledger, fen, at)
      values (${mine}, ${id}, 2, 'balance', 100000, ${noon})`.execute(tx);
  });
  await expect(directly).rejects.toThrow('does not balance');
  const empty = within((tx) =>
    sql`insert into ledger_transaction (account_id, id, key, kind, at) values (${mine}, ${newId()}, 'e', 'x', ${noon})`.execute(
      tx,
    ),
  );
  await expect(empty).rejects.toThrow('does not balance');
  expect(await within((tx) => balanceOf(tx, mine))).toBe(1307);
});

it.each(['ledger_transaction', 'ledger_entry'])('lets neither role change or delete a row of %s', async (table) => {
  for (const statement of [`update ${table} set at = now()`, `delete from ${table}`, `truncate ${table}`]) {
    await expect(
      within((tx) => sql.raw(statement).execute(tx)),
      statement,
    ).rejects.toThrow('permission denied');
    await expect(db.database.systemPool.query(statement), statement).rejects.toThrow('permission denied');
  }
});

it.each([
  [0, '0.00'],
  [5, '0.05'],
  [-5, '-0.05'],
  [1205, '12.05'],
  [-120_500, '-1205.00'],
])('writes %i fen as %s yuan', (fen, text) => {
  expect(yuan(fen)).toBe(text);
});
