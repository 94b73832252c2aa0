import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts';
import { dayOf } from '../../platform/calendar.ts';
import { ManualClock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/database/index.ts';
import { makePartitions } from '../partitions.ts';
import { createRollups } from '../rollups.ts';
import { insertSamples, quiet } from '../testing/samples.ts';
import {
  closedHours,
  series,
  terminalCounts,
  terminalShares,
  totalsEach,
  usersNow,
  usersNowByNetwork,
} from './index.ts';

const accountId = '00000000-0000-7000-8000-00000000000a';
const [home, branch] = [1, 2].map((one) => `00000000-0000-7000-8000-10000000000${one}`) as [string, string];
const [router, point] = ['020000000001', '020000000002'] as const;
const minute = 60_000;
const begin = new Date('2026-10-30T20:00:00Z');
const now = new Date('2026-11-02T12:03:00Z');
const gap = { from: new Date('2026-11-01T08:00:00Z'), to: new Date('2026-11-01T10:20:00Z') };

let db: TestDatabase;
const times: Date[] = [];

beforeAll(async () => {
  db = await createTestDatabase();
  await makePartitions(db.database, new Date('2026-10-30T00:00:00Z'), new Date('2026-11-03T00:00:00Z'));
  await sql`insert into account (account_id, name, binding_code) values (${accountId}, 'a', 'A')`.execute(
    db.database.system,
  );
  for (let at = +begin; at < +now; at += 10 * minute) {
    if (at < +gap.from || at >= +gap.to) times.push(new Date(at));
  }
  const reports = (serial: string, gwid: string, wan_down: number, clients: number) =>
    times.map((at) => ({ ...quiet, account_id: accountId, serial, gwid, at, wan_down, clients, cpu: 10 }));
  await insertSamples(db.database, [...reports(router, home, 1, 4), ...reports(point, branch, 100, 2)]);
  await createRollups({ ...db, clock: new ManualClock(now) }).run();
  await insertSamples(db.database, [
    { ...quiet, account_id: accountId, serial: router, gwid: home, at: now, wan_down: 7 },
  ]);
});
afterAll(() => db.drop());

function read<T>(work: (tx: Tx) => Promise<T>, gwids: string[] | null = null): Promise<T> {
  return db.database.withTenant({ accountId, userId: null, gwids }, work);
}

const span = { from: begin, to: new Date('2026-11-02T13:00:00Z') };

describe.each(['Asia/Shanghai', 'America/New_York', 'Asia/Kolkata', 'UTC'])('days of %s', (zone) => {
  it('are those of its own calendar, with the repeated hour', async () => {
    const rows = await read((tx) =>
      series(tx, accountId, { scope: 'account', ids: null, ...span, step: '1d', zone, want: ['wanDown', 'samples'] }),
    );
    const expected = new Map<string, number>();
    for (const at of times) expected.set(dayOf(at, zone), (expected.get(dayOf(at, zone)) ?? 0) + 101);
    expected.set(dayOf(now, zone), (expected.get(dayOf(now, zone)) ?? 0) + 7);
    expect(rows.map(({ bucket, wanDown }) => [dayOf(bucket, zone), wanDown])).toEqual([...expected]);
    // 25 hours in New York, less the gap
    const first = rows.find(({ bucket }) => dayOf(bucket, zone) === '2026-11-01')!;
    if (zone === 'America/New_York') expect(first.samples).toBe(2 * (25 * 6 - 14));
  });
});

it('leaves buckets without reports out, so that a chart shows the gap', async () => {
  const query = {
    scope: 'account',
    ids: null,
    from: new Date('2026-11-01T06:00:00Z'),
    to: new Date('2026-11-01T12:00:00Z'),
  } as const;
  const hours = await read((tx) =>
    series(tx, accountId, { ...query, step: '1h', want: ['wanDown', 'clients', 'clientsMax', 'cpu'] }),
  );
  const at = (hour: string) => new Date(`2026-11-01T${hour}:00:00Z`);
  const full = { id: null, wanDown: 606, clients: 6, clientsMax: 6, cpu: 10 };
  expect(hours).toEqual([
    { ...full, bucket: at('06') },
    { ...full, bucket: at('07') },
    { ...full, bucket: at('10'), wanDown: 404 },
    { ...full, bucket: at('11') },
  ]);
  const fine = await read((tx) => series(tx, accountId, { ...query, step: '5m', want: ['samples'] }));
  expect(fine).toHaveLength(12 + 4 + 6);
});

it('has a line for each network and device, and shows only what the caller may see', async () => {
  const query = { from: new Date('2026-11-02T11:00:00Z'), to: span.to, step: '1h', want: ['wanDown'] } as const;
  const lines = await read((tx) => series(tx, accountId, { scope: 'network', ids: null, ...query }));
  expect(lines.map(({ id, wanDown }) => [id, wanDown])).toEqual([
    [home, 6],
    [home, 8],
    [branch, 600],
    [branch, 100],
  ]);
  const mine = await read((tx) => series(tx, accountId, { scope: 'network', ids: null, ...query }), [branch]);
  expect(mine.map(({ id }) => id)).toEqual([branch, branch]);
  const whole = await read((tx) => series(tx, accountId, { scope: 'account', ids: null, ...query }), [branch]);
  expect(whole.map(({ id, wanDown }) => [id, wanDown])).toEqual([
    [null, 600],
    [null, 100],
  ]);
  const devices = await read((tx) => series(tx, accountId, { scope: 'device', ids: [router], ...query }));
  expect(devices.map(({ id, wanDown }) => [id, wanDown])).toEqual([
    [router, 6],
    [router, 8],
  ]);
  const inBranch = await read((tx) =>
    totalsEach(tx, accountId, { scope: 'device', ids: null, gwids: [branch], ...query }),
  );
  expect(inBranch).toEqual([{ id: point, wanDown: 700 }]);
});

it('ranks lines', async () => {
  const hours = await read((tx) => closedHours(tx, 2, now));
  expect(hours).toEqual({ from: new Date('2026-11-02T10:00:00Z'), to: new Date('2026-11-02T12:00:00Z') });
  const order = { by: 'wanDown', descending: true, limit: 1 } as const;
  const first = await read((tx) =>
    totalsEach(tx, accountId, { scope: 'device', ids: null, ...hours, want: ['wanDown'], order }),
  );
  expect(first).toEqual([{ id: point, wanDown: 1200 }]);
});

it('counts each present client of connected devices once', async () => {
  const link = (serial: string, connected: Date | null) =>
    sql`
    insert into device_link (account_id, serial, epoch, node, connected_since, last_frame_at)
    values (${accountId}, ${serial}, 1, ${accountId}, ${connected}, ${now})`.execute(db.database.system);
  await link(router, now);
  await link(point, now);
  await link('020000000003', null);
  const open = (serial: string, gwid: string, mac: string, band: number, authenticated = false) =>
    sql`
    insert into station_open (account_id, serial, mac, bssid, gwid, band, authenticated, started_at, last_at)
    values (${accountId}, ${serial}, ${mac}, ${`${serial}${band}`}, ${gwid}, ${band}, ${authenticated}, ${now}, ${now})`.execute(
      db.database.system,
    );
  await open(router, home, 'a', 0);
  await open(point, branch, 'a', 5, true);
  await open(router, home, 'b', 0);
  await open(point, branch, 'c', 2);
  await open(point, branch, 'c', 6);
  await open('020000000003', branch, 'd', 5);
  const counts = { online: 3, online2g: 1, online5g: 1, online6g: 1, wired: 1, authenticated: 1 };
  expect(await read((tx) => usersNow(tx, accountId, { gwids: null }))).toEqual(counts);
  expect(await read((tx) => usersNow(tx, accountId, { gwids: [home] }))).toMatchObject({ online: 2, wired: 2 });
  expect(await read((tx) => usersNowByNetwork(tx, accountId, { gwids: null }))).toMatchObject([
    { gwid: home, online: 2, wired: 2 },
    { gwid: branch, online: 2, online2g: 1, authenticated: 1 },
  ]);
});

it('classifies recently seen clients, in all networks or some', async () => {
  const station = (mac: string, firstSeen: string, lastSeen: string, type: string | null, random: boolean) =>
    sql`
    insert into station (account_id, mac, first_seen, last_seen, random_mac, terminal_type)
    values (${accountId}, ${mac}, ${firstSeen}, ${lastSeen}, ${random}, ${type})`.execute(db.database.system);
  await station('a', '2026-10-01T00:00:00Z', '2026-11-02T12:00:00Z', 'ios', false);
  await station('b', '2026-11-01T12:00:00Z', '2026-11-02T12:00:00Z', 'ios', true);
  await station('c', '2026-10-01T00:00:00Z', '2026-11-01T12:00:00Z', null, false);
  await station('old', '2026-09-01T00:00:00Z', '2026-09-02T00:00:00Z', 'mac', false);
  await sql`
    insert into station_day (account_id, day, gwid, mac, first_at, last_at, seconds, down, up, sessions, is_new, authenticated, wireless)
    select ${accountId}, '2026-11-01', ${branch}, 'c', '2026-11-01T11:00:00Z', '2026-11-01T12:00:00Z', 1, 0, 0, 1, false, false, true`.execute(
    db.database.system,
  );
  const since = new Date('2026-11-01T00:00:00Z');
  const shares = (gwids: string[] | null, from: Date | null) =>
    read((tx) => terminalShares(tx, accountId, { gwids, since: from, by: 'terminal_type' }));
  expect(await shares(null, since)).toEqual([
    { value: 'ios', users: 2 },
    { value: null, users: 1 },
  ]);
  expect(await shares(null, null)).toHaveLength(3);
  expect(await shares([branch], since)).toEqual([{ value: null, users: 1 }]);
  expect(await shares([home], since)).toEqual([]);
  const counts = await read((tx) => terminalCounts(tx, accountId, { gwids: null, since }));
  expect(counts).toEqual({ all: 3, fresh: 1, returning: 2, randomMac: 1 });
});
