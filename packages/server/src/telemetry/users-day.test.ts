import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { dayOf } from '../platform/calendar.ts';
import { ManualClock } from '../platform/clock.ts';
import { makePartitions } from './partitions.ts';
import { usersByDay, usersToday, visits } from './read/index.ts';
import { createUsersDay } from './users-day.ts';

const gwids = [1, 2].map((one) => `00000000-0000-7000-8000-10000000000${one}`) as [string, string];
const nowhere = '00000000-0000-0000-0000-000000000000';
const zones = ['Asia/Shanghai', 'America/New_York', 'Asia/Kolkata'] as const;
const accounts = Object.fromEntries(
  zones.map((zone, index) => [zone, `00000000-0000-7000-8000-00000000000${index}`]),
) as Record<(typeof zones)[number], string>;

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
  await makePartitions(db.database, new Date('2026-10-25T00:00:00Z'), new Date('2026-11-08T00:00:00Z'));
  for (const zone of zones) {
    await sql`insert into account (account_id, name, binding_code, time_zone, created_at)
      values (${accounts[zone]}, ${zone}, ${zone}, ${zone}, '2026-10-31T12:00:00Z')`.execute(db.database.system);
  }
});
afterAll(() => db.drop());

interface Visit {
  zone: (typeof zones)[number];
  day: string;
  gwid?: string;
  mac: string;
  isNew?: boolean;
  authenticated?: boolean;
  seconds?: number;
  hours?: number;
}

async function visit({ zone, day, gwid, mac, isNew, authenticated, seconds, hours }: Visit): Promise<void> {
  await sql`
    insert into station_day (account_id, day, gwid, mac, first_at, last_at, seconds, hours, down, up, sessions, is_new, authenticated, wireless)
    values (${accounts[zone]}, ${day}, ${gwid ?? gwids[0]}, ${mac}, now(), now(), ${seconds ?? 60}, ${hours ?? 1}, 0, 0, 1,
      ${isNew ?? false}, ${authenticated ?? false}, true)`.execute(db.database.system);
}

async function rowsOf(zone: (typeof zones)[number]) {
  const { rows } = await sql<{ day: string; gwid: string; online: number; final: boolean }>`
    select to_char(day, 'YYYY-MM-DD') as day, gwid, online, final from users_day where account_id = ${accounts[zone]} order by 1, 2
  `.execute(db.database.system);
  return rows;
}

it('counts each user once, in the account and in every network, when the day has ended where the account is', async () => {
  for (const zone of zones) {
    await visit({ zone, day: '2026-11-01', mac: 'a', isNew: true, authenticated: true, seconds: 1799, hours: 0b1 });
    await visit({ zone, day: '2026-11-01', mac: 'a', gwid: gwids[1], isNew: true, seconds: 1800, hours: 1 << 23 });
    await visit({ zone, day: '2026-11-01', mac: 'b', seconds: 14_400, hours: (1 << 5) | (1 << 6) });
    await visit({ zone, day: '2026-11-01', mac: 'c', gwid: nowhere, seconds: 7199, hours: 1 << 11 });
    await visit({ zone, day: '2026-11-02', mac: 'a' });
  }
  // 16:00 (Shanghai), 18:30 (Kolkata), 05:00 UTC (New York, 25 hours)
  const clock = new ManualClock(new Date('2026-11-01T16:09:00Z'));
  const usersDay = createUsersDay({ ...db, clock });
  const counted = async () => {
    await usersDay.run();
    const days = await Promise.all(zones.map((zone) => rowsOf(zone)));
    return days.map((rows) => rows.some(({ day }) => day === '2026-11-01'));
  };
  expect(await counted()).toEqual([false, false, false]);
  clock.advance(60_000);
  expect(await counted()).toEqual([true, false, false]);
  const goTo = (time: string) => clock.advance(Date.parse(time) - +clock.now());
  goTo('2026-11-01T18:39:59Z');
  expect(await counted()).toEqual([true, false, false]);
  goTo('2026-11-01T18:40:00Z');
  expect(await counted()).toEqual([true, false, true]);
  goTo('2026-11-02T05:09:59Z');
  expect(await counted()).toEqual([true, false, true]);
  goTo('2026-11-02T05:10:00Z');
  expect(await counted()).toEqual([true, true, true]);

  for (const zone of zones) {
    const scope = { accountId: accounts[zone], userId: null, gwids: null };
    const query = { from: '2026-10-20', to: '2026-11-30', now: clock.now(), zone };
    const [whole, first, both, length] = await db.database.withTenant(scope, async (tx) => [
      await usersByDay(tx, accounts[zone], { ...query, gwids: null }),
      await usersByDay(tx, accounts[zone], { ...query, gwids: [gwids[0]] }),
      await usersByDay(tx, accounts[zone], { ...query, gwids }),
      await visits(tx, accounts[zone], { ...query, to: '2026-11-01', gwids: null }),
    ]);
    const on = (rows: typeof whole, day: string) => rows.find((row) => row.day === day);
    expect(on(whole, '2026-11-01')).toEqual({
      day: '2026-11-01',
      counts: { online: 3, newUsers: 1, oldUsers: 2, authenticated: 1 },
    });
    expect(on(first, '2026-11-01')).toEqual({
      day: '2026-11-01',
      counts: { online: 2, newUsers: 1, oldUsers: 1, authenticated: 1 },
    });
    expect(on(both, '2026-11-01')).toEqual({
      day: '2026-11-01',
      counts: { online: 2, newUsers: 1, oldUsers: 1, authenticated: 1 },
    });
    expect(whole.map(({ day }) => day)).toEqual(['2026-10-31', '2026-11-01', '2026-11-02'].slice(0, whole.length));
    expect(whole.at(-1)!.day).toBe(dayOf(clock.now(), zone));
    expect(length).toEqual({ visits: 4, lt30: 1, gt30: 1, h1to2: 1, h2to4: 0, gt4: 1, byPart: [2, 1, 1, 0, 1] });
  }
});

it('counts again some hours later, for good; until then the reader looks itself', async () => {
  const clock = new ManualClock(new Date('2026-11-03T16:10:00Z'));
  const usersDay = createUsersDay({ ...db, clock });
  const zone = 'Asia/Shanghai';
  await visit({ zone, day: '2026-11-03', mac: 'x' });
  await usersDay.run();
  await visit({ zone, day: '2026-11-03', mac: 'late' });
  const read = () =>
    db.database.withTenant({ accountId: accounts[zone], userId: null, gwids: null }, async (tx) => {
      const days = { gwids: null, from: '2026-11-03', to: '2026-11-03', now: clock.now(), zone };
      return (await usersByDay(tx, accounts[zone], days)).map(({ counts }) => counts?.online);
    });
  expect(await read()).toEqual([2]);
  await usersDay.run();
  expect(
    (await rowsOf(zone)).filter(({ day }) => day === '2026-11-03').map(({ online, final }) => [online, final]),
  ).toEqual([
    [1, false],
    [1, false],
  ]);
  clock.advance(3 * 3_600_000);
  await usersDay.run();
  expect(
    (await rowsOf(zone)).filter(({ day }) => day === '2026-11-03').map(({ online, final }) => [online, final]),
  ).toEqual([
    [2, true],
    [2, true],
  ]);
  expect(await read()).toEqual([2]);
});

it('catches up with days without a worker, writes zeros without users, and is idempotent', async () => {
  const clock = new ManualClock(new Date('2026-11-07T20:00:00Z'));
  const usersDay = createUsersDay({ ...db, clock });
  await Promise.all([usersDay.run(), usersDay.run()]);
  const zone = 'Asia/Kolkata';
  const whole = (await rowsOf(zone)).filter(({ gwid }) => gwid === nowhere);
  expect(whole.map(({ day, online }) => `${day} ${online}`)).toEqual(
    [
      '2026-10-31 0',
      '2026-11-01 3',
      '2026-11-02 1',
      '2026-11-03 0',
      '2026-11-04 0',
      '2026-11-05 0',
      '2026-11-06 0',
      '2026-11-07 0',
    ].slice(whole[0]!.day === '2026-10-31' ? 0 : 1),
  );
  const dump = async () =>
    (
      await sql`select md5(string_agg(u::text, ' ' order by u::text)) as all from users_day u`.execute(
        db.database.system,
      )
    ).rows;
  const before = await dump();
  await sql`update users_day set online = 99 where gwid = ${gwids[0]}`.execute(db.database.system);
  await usersDay.rebuild('2026-10-01', '2026-12-01');
  expect(await dump()).toEqual(before);
});

it('shows a member of one network nothing of the others', async () => {
  const zone = 'Asia/Shanghai';
  const now = new Date('2026-11-01T10:00:00Z');
  const scope = { accountId: accounts[zone], userId: null, gwids: [gwids[1]] };
  await db.database.withTenant(scope, async (tx) => {
    expect(await usersToday(tx, accounts[zone], { gwids: null, now, zone })).toMatchObject({ online: 1 });
    const days = { from: '2026-11-01', to: '2026-11-01', now: new Date('2026-11-07T20:00:00Z'), zone };
    expect(await usersByDay(tx, accounts[zone], { ...days, gwids: [gwids[1]] })).toMatchObject([
      { counts: { online: 1, newUsers: 1 } },
    ]);
    expect(await usersByDay(tx, accounts[zone], { ...days, gwids: [gwids[0]] })).toEqual([]);
  });
});
