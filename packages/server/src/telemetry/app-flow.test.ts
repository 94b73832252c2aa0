import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { type AppFlowRow, takeAppFlow } from './app-flow.ts';
import { makePartitions } from './partitions.ts';
import { appFlowBySlot, appFlowRanking, appFlowSources, appFlowTotals } from './read/index.ts';

const accountId = '00000000-0000-7000-8000-00000000000a';
const [first, second] = [1, 2].map((one) => `00000000-0000-7000-8000-10000000000${one}`) as [string, string];
const day = { from: new Date('2026-11-21T00:00:00Z'), to: new Date('2026-11-22T00:00:00Z') };
const at = new Date('2026-11-21T10:14:00Z');

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
  await makePartitions(db.database, new Date('2026-11-20T00:00:00Z'), new Date('2026-11-22T00:00:00Z'));
  await sql`insert into account (account_id, name, binding_code) values (${accountId}, 'a', 'A')`.execute(
    db.database.system,
  );
});
afterAll(() => db.drop());

const row = (over: Partial<AppFlowRow> = {}): AppFlowRow => ({
  at,
  mac: '02:00:00:00:00:01',
  category: 'Video',
  down: 100,
  up: 10,
  uses: 1,
  ...over,
});

function take(serial: string, gwid: string, seq: number, rows: AppFlowRow[]): Promise<boolean> {
  return db.database.withSystem((tx) => takeAppFlow(tx, { accountId, serial, gwid }, { kind: 'edge', seq, at, rows }));
}

function read<T>(
  work: (tx: Parameters<typeof appFlowTotals>[0]) => Promise<T>,
  gwids: string[] | null = null,
): Promise<T> {
  return db.database.withTenant({ accountId, userId: null, gwids }, work);
}

it('has no source before the first rows', async () => {
  expect(await read((tx) => appFlowSources(tx, accountId, { gwids: null }))).toEqual({ networks: [] });
  expect(await read((tx) => appFlowTotals(tx, accountId, { gwids: null, ...day }))).toEqual([]);
});

it('counts each delivery once in any order, and sums up to the deliveries', async () => {
  const game = row({ category: 'Game', down: 5, up: 5, uses: 9, at: new Date('2026-11-21T09:59:59Z') });
  const deliveries = [
    () => take('020000000001', first, 1, [row(), row(), game]),
    () => take('020000000002', first, 1, [row({ mac: '02:00:00:00:00:02' })]),
    () => take('020000000003', second, 7, [row({ at: new Date('2026-11-21T01:00:00Z') })]),
  ];
  const taken = await Promise.all([...deliveries, ...deliveries].map((deliver) => deliver()));
  expect(taken.filter(Boolean)).toHaveLength(3);
  expect(await take('020000000003', second, 6, [row()])).toBe(false);
  expect(await read((tx) => appFlowTotals(tx, accountId, { gwids: null, ...day }))).toEqual([
    { category: 'Video', down: 400, up: 40, uses: 4 },
    { category: 'Game', down: 5, up: 5, uses: 9 },
  ]);
  const ranking = await read((tx) => appFlowRanking(tx, accountId, { gwids: null, ...day }));
  expect(ranking.map(({ category }) => category)).toEqual(['Game', 'Video']);
  const slots = await read((tx) => appFlowBySlot(tx, accountId, { gwids: null, ...day, zone: 'Asia/Shanghai' }));
  // 09:00, 17:59 and 18:14 in Shanghai
  expect(slots.map(({ slot, category, down }) => [slot, category, down])).toEqual([
    [2, 'Video', 100],
    [4, 'Video', 300],
    [4, 'Game', 5],
  ]);
  const { networks } = await read((tx) => appFlowSources(tx, accountId, { gwids: null }));
  expect(networks.map(({ gwid, kind }) => [gwid, kind])).toEqual([
    [first, 'edge'],
    [second, 'edge'],
  ]);
  expect(await read((tx) => appFlowTotals(tx, accountId, { gwids: null, ...day }), [second])).toMatchObject([
    { down: 100 },
  ]);
});

it('leaves out what makes no sense, and lets no number grow beyond reason', async () => {
  const lies = [
    row({ at: new Date('2100-01-01T00:00:00Z') }),
    row({ at: new Date(Number.NaN) }),
    row({ mac: '<b>' }),
    row({ category: 'Nonsense' as never }),
    row({ category: 'IM', down: -5, up: Number.NaN, uses: 1e300 }),
    row({ category: 'IM', down: Number.POSITIVE_INFINITY, up: 1.5, uses: 0 }),
  ];
  expect(await take('020000000004', first, 1, lies)).toBe(true);
  const found = await read((tx) => appFlowTotals(tx, accountId, { gwids: [first], ...day }));
  expect(found.find(({ category }) => category === 'IM')).toEqual({
    category: 'IM',
    down: 11_250_000_000_000,
    up: 1,
    uses: 10_000_000,
  });
  expect(found).toHaveLength(3);
});

it('is not brought down by rows that each claim the most there can be', async () => {
  const most = row({ down: Number.POSITIVE_INFINITY, up: 1e300, uses: 1e300, category: 'Test' });
  const rows = Array.from({ length: 2000 }, () => most);
  for (const seq of [1, 2, 3]) expect(await take('020000000005', second, seq, rows)).toBe(true);
  const found = await read((tx) => appFlowTotals(tx, accountId, { gwids: [second], ...day }));
  const [down, uses] = [3 * 11_250_000_000_000, 30_000_000];
  expect(found.find(({ category }) => category === 'Test')).toEqual({ category: 'Test', down, up: down, uses });
});
