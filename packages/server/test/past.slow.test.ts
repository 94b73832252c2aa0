import { type Fleet, pastDay, pastMoment, pastPace, startFleet } from '@yunxun/simulator';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addDays, dayOf, startOfDay } from '../src/platform/calendar.ts';
import { systemClock } from '../src/platform/clock.ts';
import { layers } from '../src/telemetry/layers.ts';
import { dropOldPartitions } from '../src/telemetry/partitions.ts';
import {
  addText,
  countDay,
  noText,
  openPastWriter,
  type PastMessage,
  type PastWriter,
} from '../src/telemetry/past/index.ts';
import { createRollups } from '../src/telemetry/rollups.ts';
import { type Registered, startTestServer, type TestServer } from './server.ts';

const zone = 'Asia/Shanghai';
const minute = 60_000;
const hour = 60 * minute;
const whole = '00000000-0000-0000-0000-000000000000';
const plan = {
  kind: 'hotel',
  seed: 'past',
  gateways: 0,
  edges: 1,
  switches: 1,
  aps: 2,
  peoplePerAp: 8,
  hoursEast: 8,
} as const;
const ssids = [
  { name: 'Staff', key: 'as it was before', vlan: null },
  { name: 'Guests', key: null, vlan: 20 },
];
const untilMs = Math.floor(Date.now() / minute) * minute;
const today = dayOf(new Date(untilMs), zone);
const days = [0, 1, 2, 3].map((ago) => addDays(today, -ago));
const beginOf = (day: string) => startOfDay(day, zone).getTime();
const messages: PastMessage[] = [];
const counted: { serial: string; mac: string; bssid: string; startedAt: number; down: number }[] = [];
let server: TestServer;
let owner: Registered;
let fleet: Fleet;
let writer: PastWriter;

const query = async <T>(text: string, values: unknown[] = []) =>
  (await server.db.database.systemPool.query<T & object>(text, values)).rows;
const sum = async (text: string, values: unknown[] = []) =>
  Number((await query<{ sum: string | number | null }>(text, values))[0]!.sum);

beforeAll(async () => {
  server = await startTestServer();
  owner = await server.register();
  const { data } = await server.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Hotel' }, owner);
  const moment = pastMoment({ ...plan, ssids, fromMs: beginOf(today), untilMs });
  const place = { consoleUrl: server.url, bindingCode: owner.bindingCode, gwid: data.gwid };
  fleet = await startFleet({ ...plan, ...place, former: ssids, moment, pace: pastPace });
  writer = await openPastWriter(server.db.database.systemConnection, (error) => {
    throw error;
  });
});
afterAll(async () => {
  fleet?.stop();
  await writer?.close();
  await server?.stop();
});

async function textOf(day: string) {
  const { accountId } = owner;
  const fromMs = beginOf(day);
  const goesOn = day === today;
  const span = goesOn ? { untilMs, lastMs: fleet.sinceMs - 1000 } : { untilMs: fromMs + 24 * hour };
  function* heard() {
    for (const moment of pastDay({ ...plan, ssids, fromMs, ...span, fineFromMs: untilMs - 26 * hour })) {
      messages.push(...moment);
      yield moment;
    }
  }
  const { rows } = await countDay(
    { accountId, fromMs, goesOn, quarters: day !== days.at(-1), ...(await writer.equipment(accountId)) },
    heard(),
  );
  for (const row of rows.in_session) {
    const [serial, mac, bssid] = row.slice(5, 8) as [string, string, string];
    counted.push({ serial, mac, bssid, startedAt: +(row[17] as Date), down: row[19] as number });
  }
  const text = noText();
  addText(text, rows);
  return text;
}

const write = async (day: string) =>
  writer.write({ day, zone, accountIds: [owner.accountId], now: new Date() }, await textOf(day));

/** By the devices' own counters of a day, from their first report of it. */
function throughUplinks(day: string): number {
  const last = new Map<string, number>();
  let bytes = 0;
  for (const { serial, at, method, params } of messages) {
    if (method !== 'state' || dayOf(new Date(at), zone) !== day) continue;
    const { interfaces = [] } = params.state as { interfaces?: { name: string; counters?: Record<string, number> }[] };
    for (const { name, counters } of interfaces) {
      if (!name.startsWith('up') || !counters) continue;
      const now = counters.rx_bytes! + counters.tx_bytes!;
      const before = last.get(`${serial} ${name}`);
      if (before !== undefined) bytes += now >= before ? now - before : now;
      last.set(`${serial} ${name}`, now);
    }
  }
  return bytes;
}

const rowsOf = async (table: string) => query(`select * from ${table} order by bucket, to_jsonb(${table})::text`);

it('writes days newest first, each whole or not at all', async () => {
  await expect.poll(() => sum('select count(*) as sum from device_counters')).toBe(fleet.devices.length);
  await createRollups({ database: server.db.database, clock: systemClock }).run();
  await write(days[0]!);
  const broken = await textOf(days[1]!);
  broken.in_share.push(Buffer.from('no row\n'));
  await expect(
    writer.write({ day: days[1]!, zone, accountIds: [owner.accountId], now: new Date() }, broken),
  ).rejects.toThrow();
  expect(await writer.until()).toEqual(new Date(beginOf(days[0]!)));
  const of = (day: string) =>
    sum('select count(*) as sum from device_sample where at >= $1 and at < $2', [
      new Date(beginOf(day)),
      new Date(beginOf(addDays(day, 1))),
    ]);
  expect(await of(days[1]!)).toBe(0);
  messages.splice(0, messages.length, ...messages.filter(({ at }) => at >= beginOf(today)));
  counted.splice(0, counted.length, ...counted.filter(({ startedAt }) => startedAt >= beginOf(today)));
  for (const day of days.slice(1)) await write(day);
  expect(await writer.until()).toEqual(new Date(beginOf(days.at(-1)!)));
  for (const day of days.slice(1)) expect(await of(day), day).toBeGreaterThan(70);
});

it('has the flow that the devices counted, day by day', async () => {
  for (const day of days.slice(1)) {
    const span = [new Date(beginOf(day)), new Date(beginOf(addDays(day, 1)))];
    const written = await sum(
      'select sum(wan_down + wan_up)::bigint as sum from device_sample where at >= $1 and at < $2',
      span,
    );
    expect(written, day).toBe(throughUplinks(day));
    expect(written, day).toBeGreaterThan(1_000_000);
    expect(
      await sum(
        'select sum(wan_down + wan_up)::bigint as sum from rollup_account_1h where bucket >= $1 and bucket < $2',
        span,
      ),
    ).toBe(written);
  }
});

it('has rollups and days that equal a recount from the rows', async () => {
  const { database } = server.db;
  const before = new Map<string, unknown>();
  for (const { table } of layers) before.set(table, await rowsOf(table));
  expect(await query('select from platform.rollup_late where bucket < $1', [new Date(untilMs - 10 * minute)])).toEqual(
    [],
  );
  await createRollups({ database, clock: systemClock }).rebuild(
    new Date(beginOf(days.at(-1)!)),
    new Date(untilMs - 10 * minute),
  );
  for (const { table } of layers) expect(await rowsOf(table), table).toEqual(before.get(table));
  const users = await query(
    `select to_char(u.day, 'YYYY-MM-DD') as day, u.online = s.online and u.new_users = s.fresh as same
     from users_day u join (
       select day, count(distinct mac) as online, count(distinct mac) filter (where is_new) as fresh from station_day group by 1
     ) s using (day) where gwid = $1 order by 1 desc`,
    [whole],
  );
  const over = days.slice(1).filter((day) => beginOf(addDays(day, 1)) + 10 * minute < Date.now());
  expect(users).toEqual(over.map((day) => ({ day, same: true })));
  const firsts = await sum(`select count(*) as sum from station_day d join station s using (account_id, mac)
    where d.is_new <> ((s.first_seen at time zone '${zone}')::date = d.day)`);
  expect(firsts).toBe(0);
  for (const day of over) {
    const rows = await query<{ flow: number }>(
      'select flow_0_6 + flow_6_11 + flow_11_14 + flow_14_19 + flow_19_24 as flow from uplink_day where day = $1 and gwid = $2',
      [day, whole],
    );
    expect(
      rows.map(({ flow }) => Number(flow)),
      day,
    ).toEqual([
      await sum('select sum(house_wan)::bigint as sum from rollup_network_1h where bucket >= $1 and bucket < $2', [
        new Date(beginOf(day)),
        new Date(beginOf(addDays(day, 1))),
      ]),
    ]);
  }
});

it('joins the live reports without a gap and without counting anything twice', async () => {
  const live = new Date(fleet.sinceMs);
  const [seam] = await query<{ past: Date; live: Date; first: number; gap: number | null }>(
    `select (select max(at) from device_sample where at < $1) as past, (select min(at) from device_sample where at >= $1) as live,
      (select sum(wan_down + wan_up) from device_sample where at >= $1 and gap_s is null)::bigint as first`,
    [live],
  );
  expect(seam!.past).toEqual(new Date(fleet.sinceMs - 1000));
  expect(seam!.live.getTime()).toBeGreaterThanOrEqual(fleet.sinceMs);
  expect(Number(seam!.first)).toBe(0);
  const open = await query<{ mac: string; started_at: Date }>(
    'select mac, started_at from station_open where band > 0',
  );
  const since = open.filter(({ started_at: at }) => +at < fleet.sinceMs - minute);
  if (untilMs - beginOf(today) > 2 * hour) expect(since.length).toBeGreaterThan(2);
  // neither ended in the past nor begun twice
  const twice = await query(
    `select from station_session s join station_open o using (account_id, mac, serial, bssid)
     where s.band > 0 and s.ended_at > o.started_at`,
  );
  expect(twice).toEqual([]);
  const sessions = await sum(`select sum(sessions) as sum from station_day where day = $1`, [today]);
  const begun = await sum(
    `select (select count(*) from station_session where started_at >= $1) + (select count(*) from station_open
      where started_at >= $1 or last_at >= $2) as sum`,
    [new Date(beginOf(today)), live],
  );
  expect(sessions).toBe(begun);
});

it('carries sessions over midnight, with the bytes of both days', async () => {
  const midnight = beginOf(days[1]!);
  const over = await query<{ serial: string; mac: string; bssid: string; started_at: Date; down: string }>(
    'select serial, mac, bssid, started_at, down from station_session where band > 0 and started_at < $1 and ended_at > $1',
    [new Date(midnight)],
  );
  expect(over.length).toBeGreaterThan(3);
  for (const { serial, mac, bssid, started_at: at, down } of over) {
    const parts = counted
      .filter((row) => row.serial === serial && row.mac === mac && row.bssid === bssid && row.startedAt === +at)
      .map((row) => row.down);
    expect(parts).toHaveLength(2);
    expect(Number(down)).toBe(parts[0]! + parts[1]!);
  }
});

it('keeps its days until the end, whatever their age', async () => {
  expect(await dropOldPartitions(server.db.database, systemClock)).toEqual([]);
  await writer.close();
  await sql`update platform.partitioned set days = 1 where name = 'device_sample'`.execute(server.db.database.system);
  expect(await dropOldPartitions(server.db.database, systemClock)).not.toEqual([]);
});
