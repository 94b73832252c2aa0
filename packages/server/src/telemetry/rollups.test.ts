import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { ManualClock } from '../platform/clock.ts';
import type { Tx } from '../platform/database/index.ts';
import { bucketLength, floorTo, hour, layers } from './layers.ts';
import { measureColumns } from './measures.ts';
import { makePartitions } from './partitions.ts';
import { totals } from './read/index.ts';
import { createRollups } from './rollups.ts';
import { accounts, networks, randomReports, start } from './testing/random-reports.ts';
import { insertSamples, quiet, type Sample, seeded } from './testing/samples.ts';

const minute = 60_000;

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
  await makePartitions(db.database, new Date('2026-11-19T00:00:00Z'), new Date('2026-11-23T00:00:00Z'));
});
afterAll(() => db.drop());
beforeEach(async () => {
  const tables = ['device_sample', ...layers.map(({ table }) => table)];
  await sql`delete from platform.rollup_progress`.execute(db.database.system);
  await sql`delete from platform.rollup_late`.execute(db.database.system);
  for (const table of tables) await sql`delete from ${sql.table(table)}`.execute(db.database.system);
});

function shuffled<T>(list: readonly T[], random: () => number): T[] {
  return list
    .map((value) => ({ value, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ value }) => value);
}

function grouped<T>(list: readonly T[], keyOf: (value: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const value of list) groups.set(keyOf(value), [...(groups.get(keyOf(value)) ?? []), value]);
  return groups;
}

const sumOf = (samples: readonly Sample[], value: (sample: Sample) => number | null) =>
  samples.reduce((sum, sample) => sum + (value(sample) ?? 0), 0);
const hundredths = (value: number | null) => (value === null ? null : roundEven(Math.fround(value) * 100));
function roundEven(value: number): number {
  const whole = Math.round(value);
  return Math.abs(value - Math.trunc(value)) === 0.5 && whole % 2 !== 0 ? whole - 1 : whole;
}

const isPlaced = ({ gwid }: Pick<Sample, 'gwid'>) => gwid !== networks[0];

const gateway = ['load1', 'temperature', 'wan_latency', 'wan_loss', 'leases'] as const;

function truth(all: readonly Sample[], isCounted: (sample: Sample) => boolean): Record<string, number | null> {
  const samples = all.filter(isCounted);
  const summed = (column: keyof Sample) => sumOf(samples, (sample) => sample[column] as number);
  const level = (column: 'cpu' | 'mem' | 'util_2g' | 'util_5g' | 'noise_5g' | (typeof gateway)[number]) => ({
    [`${column}_sum`]: sumOf(samples, (sample) => hundredths(sample[column])),
    [`${column}_n`]: samples.filter((sample) => sample[column] !== null).length,
  });
  const flows = [
    'wan_down',
    'wan_up',
    'house_wan',
    'down_2g',
    'up_2g',
    'down_5g',
    'up_5g',
    'down_6g',
    'up_6g',
    'rate_sum',
  ] as const;
  const counts = ['tx_packets', 'tx_retries', 'tx_failed', 'rssi_sum', 'rssi_n', 'rate_n'] as const;
  const clients = (column: 'clients' | 'clients_2g' | 'clients_5g') =>
    [...clientsByBucket(all, column, isCounted).values()].reduce((sum, value) => sum + value, 0);
  return {
    ...Object.fromEntries([...flows, ...counts].map((column) => [column, summed(column)])),
    weak_sum: summed('weak'),
    samples: samples.length,
    restarts: samples.filter(({ restarted }) => restarted).length,
    ...level('cpu'),
    ...level('mem'),
    ...level('util_2g'),
    ...level('util_5g'),
    ...level('noise_5g'),
    ...Object.assign({}, ...gateway.map(level)),
    clients_sum: clients('clients'),
    clients_2g_sum: clients('clients_2g'),
    clients_5g_sum: clients('clients_5g'),
  };
}

const bucketOf = ({ at }: Sample) => +floorTo(bucketLength, at);

/** Returns thousandths: a device's mean, shared between its networks. */
function clientsByBucket(
  samples: readonly Sample[],
  column: 'clients' | 'clients_2g' | 'clients_5g',
  isCounted: (sample: Sample) => boolean,
): Map<number, number> {
  const reported = samples.filter((sample) => sample[column] !== null);
  const byDevice = grouped(reported, (sample) => `${sample.account_id} ${sample.serial} ${bucketOf(sample)}`);
  const found = new Map<number, number>();
  for (const reports of byDevice.values()) {
    for (const part of grouped(reports, ({ gwid }) => gwid).values()) {
      if (!isCounted(part[0]!)) continue;
      const bucket = bucketOf(part[0]!);
      const share = Math.round((sumOf(part, (sample) => sample[column]) * 1000) / reports.length);
      found.set(bucket, (found.get(bucket) ?? 0) + share);
    }
  }
  return found;
}

async function sumsOf(table: string, accountId: string, columns: readonly string[]): Promise<Record<string, number>> {
  const { rows } = await sql<Record<string, number>>`
    select ${sql.raw(columns.map((column) => `coalesce(sum(${column}), 0)::bigint as ${column}`).join(', '))}
    from ${sql.table(table)} where account_id = ${accountId}`.execute(db.database.system);
  return rows[0]!;
}

async function everything(): Promise<Record<string, string | null>> {
  const found: Record<string, string | null> = {};
  for (const { table, keys } of layers) {
    const columns = ['account_id', 'bucket', ...keys, ...measureColumns].join(', ');
    const { rows } = await sql<{ all: string | null }>`
      select md5(string_agg(row(${sql.raw(columns)})::text, ' ' order by row(${sql.raw(columns)})::text)) || ' ' || count(*) as all
      from ${sql.table(table)}`.execute(db.database.system);
    found[table] = rows[0]!.all;
  }
  return found;
}

const rollups = (clock: ManualClock, step?: (layer: string, tx: Tx) => Promise<void>) =>
  createRollups({ ...db, clock, ...(step ? { step } : {}) });

describe.each(process.env.LONG_TESTS === '1' ? [1, 2] : [1])('life %i', (seed) => {
  it('sums up to its rows in every layer, whatever the order they come in', async () => {
    const random = seeded(seed * 1000);
    const samples = randomReports(seed, 27);
    // half in order, the others late by up to hours
    const clock = new ManualClock(start);
    const late = samples.filter(() => random() < 0.3);
    const inTime = samples.filter((sample) => !late.includes(sample)).sort((a, b) => +a.at - +b.at);
    const stragglers = shuffled(late, random);
    const end = new Date('2026-11-22T02:00:05Z');
    let done = 0;
    while (+clock.now() < +end) {
      clock.advance(Math.floor(random() * 200 * minute));
      if (clock.now() > end) clock.advance(+end - +clock.now());
      const now = clock.now();
      const next = inTime.findIndex((sample) => sample.at > now);
      const fresh = next === -1 ? inTime.splice(0) : inTime.splice(0, next);
      const old = stragglers.filter((sample) => sample.at <= now && random() < 0.5);
      for (const sample of old) stragglers.splice(stragglers.indexOf(sample), 1);
      const coming = shuffled([...fresh, ...old], random);
      await insertSamples(db.database, coming);
      done += coming.length;
      await rollups(clock).run();
    }
    await insertSamples(db.database, stragglers);
    await rollups(clock).run();
    expect(done).toBeGreaterThan(1000);

    for (const accountId of accounts) {
      const own = samples.filter(({ account_id }) => account_id === accountId);
      for (const { table, length } of layers) {
        const bound = floorTo(length, end);
        const isCounted = table.startsWith('rollup_account') ? isPlaced : () => true;
        const expected = truth(
          own.filter(({ at }) => at < bound),
          isCounted,
        );
        expect(await sumsOf(table, accountId, Object.keys(expected)), table).toEqual(expected);
      }
      const highest = await sql<{ most: number }>`
        select max(clients_max) as most from rollup_account_1d where account_id = ${accountId}`.execute(
        db.database.system,
      );
      const closed = own.filter(({ at }) => at < floorTo(24 * hour, end));
      expect(highest.rows[0]!.most).toBe(Math.max(...clientsByBucket(closed, 'clients', isPlaced).values()));
    }
  });

  it('answers any stretch exactly, rolled up or not, in the middle of everything', async () => {
    const random = seeded(seed * 77);
    const samples = randomReports(seed, 27).sort((a, b) => +a.at - +b.at);
    const clock = new ManualClock(new Date(+start + 26 * hour));
    const [late, known] = [
      samples.filter((_, index) => index % 7 === 0),
      samples.filter((_, index) => index % 7 !== 0),
    ];
    await insertSamples(db.database, known);
    await rollups(clock).run();
    await insertSamples(db.database, late);

    const accountId = accounts[0];
    for (let round = 0; round < 20; round++) {
      const [from, to] = [random(), random()].sort().map((part) => new Date(+start + Math.floor(part * 28 * hour)));
      const span = { from: from!, to: to! };
      const within = samples.filter(
        ({ account_id, at }) =>
          account_id === accountId && at >= floorTo(bucketLength, span.from) && at < floorTo(bucketLength, span.to),
      );
      const want = [
        'wanDown',
        'down',
        'samples',
        'restarts',
        'weak',
        'txFailed',
        'clients',
        'clientsMax',
        'cpu',
      ] as const;
      const scopes = { accountId, userId: null, gwids: null };
      await db.database.withTenant(scopes, async (tx) => {
        const whole = await totals(tx, accountId, { scope: 'account', ids: null, ...span, want });
        expect(whole).toEqual(expectation(within, isPlaced));
        const some = networks.slice(1, 3);
        const inSome = within.filter(({ gwid }) => some.includes(gwid));
        const { clientsMax: _, clients: _mean, ...sums } = expectation(inSome);
        const part = await totals(tx, accountId, { scope: 'account', ids: some, ...span, want });
        expect(part).toMatchObject(sums);
        const [serial] = ['020000000001'];
        const ofOne = within.filter((sample) => sample.serial === serial);
        const { clientsMax: _max, clients: _clients, ...own } = expectation(ofOne);
        expect(await totals(tx, accountId, { scope: 'device', ids: [serial!], ...span, want })).toMatchObject(own);
      });
    }
  });
});

function expectation(all: readonly Sample[], isCounted: (sample: Sample) => boolean = () => true) {
  const samples = all.filter(isCounted);
  const clients = clientsByBucket(all, 'clients', isCounted);
  const spoken = samples.filter(({ cpu }) => cpu !== null);
  const sum = [...clients.values()].reduce((total, value) => total + value, 0);
  return {
    wanDown: sumOf(samples, ({ wan_down }) => wan_down),
    down: sumOf(samples, ({ down_2g, down_5g, down_6g }) => down_2g + down_5g + down_6g),
    samples: samples.length,
    restarts: samples.filter(({ restarted }) => restarted).length,
    weak: sumOf(samples, ({ weak }) => weak),
    txFailed: sumOf(samples, ({ tx_failed }) => tx_failed),
    clients: clients.size === 0 ? null : expect.closeTo(sum / 1000 / clients.size, 9),
    clientsMax: clients.size === 0 ? null : Math.max(...clients.values()) / 1000,
    cpu:
      spoken.length === 0 ? null : expect.closeTo(sumOf(spoken, ({ cpu }) => hundredths(cpu)) / 100 / spoken.length, 9),
  };
}

it('comes out byte by byte the same from a rebuild', async () => {
  const clock = new ManualClock(new Date('2026-11-22T03:00:00Z'));
  await insertSamples(db.database, randomReports(9, 28));
  await rollups(clock).run();
  const before = await everything();
  for (const { table } of layers) {
    await sql`update ${sql.table(table)} set wan_down = wan_down + 1, clients_max = 7 where samples % 2 = 0`.execute(
      db.database.system,
    );
    await sql`delete from ${sql.table(table)} where samples % 3 = 0`.execute(db.database.system);
  }
  expect(await everything()).not.toEqual(before);
  await rollups(clock).rebuild(start, clock.now());
  expect(await everything()).toEqual(before);
});

it('rebuilds nothing whose rows below are dropped', async () => {
  const clock = new ManualClock(new Date('2026-11-22T03:00:00Z'));
  await insertSamples(db.database, randomReports(9, 28));
  await rollups(clock).run();
  const before = await everything();
  await sql`select platform.drop_partitions('device_sample', '2026-11-21')`.execute(db.database.system);
  await rollups(clock).rebuild(start, clock.now());
  expect(await everything()).toEqual(before);
  await makePartitions(db.database, new Date('2026-11-19T00:00:00Z'), new Date('2026-11-23T00:00:00Z'));
});

it('goes on where it was after dying in the middle of any step, and takes turns with others', async () => {
  const clock = new ManualClock(new Date('2026-11-22T03:00:00Z'));
  const samples = randomReports(5, 28);
  const late = samples.filter((_, index) => index % 50 === 0);
  const known = samples.filter((_, index) => index % 50 !== 0);
  await insertSamples(db.database, known);
  let steps = 0;
  for (let fatal = 1, died = true; died; fatal++) {
    died = false;
    let count = 0;
    if (fatal === 10) await insertSamples(db.database, late);
    await rollups(clock, async (_, tx) => {
      count++;
      if (count !== fatal) return;
      died = true;
      steps++;
      await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx);
    })
      .run()
      .catch(() => undefined);
  }
  expect(steps).toBeGreaterThan(15);
  await Promise.all([1, 2, 3].map(() => rollups(clock).run()));
  const broken = await everything();

  for (const { table } of layers) await sql`delete from ${sql.table(table)}`.execute(db.database.system);
  await sql`delete from platform.rollup_progress`.execute(db.database.system);
  await rollups(clock).run();
  expect(await everything()).toEqual(broken);
});

it('never misses a report whose transaction is under way while its bucket is closed', async () => {
  const clock = new ManualClock(new Date('2026-11-21T10:00:00Z'));
  const sample = (at: string): Sample => ({
    ...quiet,
    account_id: accounts[0],
    serial: '020000000000',
    gwid: networks[1]!,
    at: new Date(at),
    wan_down: 1,
  });
  await rollups(clock).run();
  clock.advance(10 * minute);
  let closing: Promise<void> | undefined;
  await db.database.withSystem(async (tx) => {
    await insertSamples({ system: tx }, [sample('2026-11-21T10:01:00Z')]);
    closing = rollups(clock).run();
    const waiting = async () =>
      (await sql`select 1 from pg_locks where locktype = 'advisory' and not granted`.execute(db.database.system)).rows
        .length > 0;
    while (!(await waiting()));
  });
  await closing;
  const late = async () => (await sql`select 1 from platform.rollup_late`.execute(db.database.system)).rows.length;
  expect(await late()).toBe(0);
  expect(await sumsOf('rollup_account_5m', accounts[0], ['wan_down'])).toEqual({ wan_down: 1 });
  await insertSamples(db.database, [sample('2026-11-21T10:02:00Z'), sample('2026-11-21T10:11:00Z')]);
  expect(await late()).toBe(1);
  await rollups(clock).run();
  expect(await late()).toBe(0);
  expect(await sumsOf('rollup_account_5m', accounts[0], ['wan_down'])).toEqual({ wan_down: 2 });
});

it('recomputes the oldest late buckets first, and the others in the next run', async () => {
  const clock = new ManualClock(new Date('2026-11-22T03:00:00Z'));
  await rollups(clock).run();
  const first = +new Date('2026-11-21T00:00:00Z');
  const samples = Array.from(
    { length: 290 },
    (_, n): Sample => ({
      ...quiet,
      account_id: accounts[0],
      serial: '020000000000',
      gwid: networks[1]!,
      at: new Date(first + n * 5 * minute),
      wan_down: 1,
    }),
  );
  await insertSamples(db.database, samples);
  const late = async () =>
    (await sql<{ bucket: Date }>`select bucket from platform.rollup_late order by bucket`.execute(db.database.system))
      .rows;
  const counted = () => sumsOf('rollup_account_5m', accounts[0], ['wan_down']);
  await rollups(clock).run();
  expect(await late()).toEqual(samples.slice(288).map(({ at }) => ({ bucket: at })));
  expect(await counted()).toEqual({ wan_down: 288 });
  await rollups(clock).run();
  expect(await late()).toEqual([]);
  expect(await counted()).toEqual({ wan_down: 290 });
});

it('has every layer after one round, also where nothing had come before the first', async () => {
  const clock = new ManualClock(new Date('2026-11-22T03:00:00Z'));
  await rollups(clock).run();
  await insertSamples(db.database, [
    { ...quiet, account_id: accounts[0], serial: '020000000000', gwid: networks[1]!, at: start, wan_down: 1 },
  ]);
  await rollups(clock).run();
  for (const { table } of layers) {
    expect(await sumsOf(table, accounts[0], ['wan_down']), table).toEqual({ wan_down: 1 });
  }
});

it('closes the buckets of all devices, whatever the sums of one device', async () => {
  const clock = new ManualClock(new Date('2026-11-22T03:00:00Z'));
  await rollups(clock).run();
  const of = (account_id: string, at: Date, more: Partial<Sample>): Sample => ({
    ...quiet,
    account_id,
    serial: '020000000000',
    gwid: networks[1]!,
    at,
    ...more,
  });
  const [one, two] = [start, new Date(+start + 60_000)];
  const most = { wan_down: 2 ** 63 - 1024, tx_packets: 2 ** 63 - 1024, rssi_sum: -(2 ** 31) };
  await insertSamples(db.database, [of(accounts[0], one, most), of(accounts[0], two, most)]);
  await insertSamples(db.database, [of(accounts[1], one, { wan_down: 1 })]);
  await rollups(clock).run();
  for (const { table } of layers) {
    expect(await sumsOf(table, accounts[1], ['wan_down']), table).toEqual({ wan_down: 1 });
    expect(await sumsOf(table, accounts[0], ['wan_down', 'tx_packets']), table).toEqual({
      wan_down: 1e18,
      tx_packets: 1e18,
    });
  }
});
