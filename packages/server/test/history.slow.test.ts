import { type HistoryReport, livePast } from '@yunxun/simulator';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { addDays, dayOf, startOfDay } from '../src/platform/calendar.ts';
import { ManualClock } from '../src/platform/clock.ts';
import { silentLog } from '../src/platform/log.ts';
import { createHistory } from '../src/telemetry/history.ts';
import { dropOldPartitions } from '../src/telemetry/partitions.ts';
import { type Registered, startTestServer, type TestServer } from './server.ts';

const zone = 'Asia/Shanghai';
const until = Date.parse('2026-11-20T09:00:00Z');
const clock = new ManualClock(new Date(until + 60_000));
const today = dayOf(clock.now(), zone);
const from = addDays(today, -5);
let server: TestServer;
let owner: Registered;
let gwid: string;

const reports: HistoryReport[] = [
  ...livePast({ ...plan(), fromMs: startOfDay(from, zone).getTime(), untilMs: until }),
].flat();
const serials = [...new Set(reports.map(({ serial }) => serial))];

function plan() {
  const people = { kind: 'office' as const, hoursEast: 8, peoplePerAp: 5 };
  return {
    ...people,
    seed: 'past',
    aps: 2,
    gateways: 1,
    switches: 1,
    ssids: [
      { name: 'Office', open: false },
      { name: 'Guests', open: true },
    ],
  };
}

const query = async <T>(text: string, values: unknown[] = []) =>
  (await server.db.database.systemPool.query<T & object>(text, values)).rows;

beforeAll(async () => {
  server = await startTestServer({ clock });
  owner = await server.register();
  gwid = (await server.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Office' }, owner)).data.gwid;
  for (const serial of serials) {
    await query('insert into serial_directory (serial, account_id, enrolled_at) values ($1, $2, $3)', [
      serial,
      owner.accountId,
      clock.now(),
    ]);
    await query(
      `insert into device (confirmed, account_id, serial, gwid, kind, remark, bound_at, first_seen)
       values (true, $1, $2, $3, 'ap', $2, $4, $4)`,
      [owner.accountId, serial, gwid, clock.now()],
    );
  }
});
afterAll(() => server.stop());

async function write(moments = Number.POSITIVE_INFINITY) {
  const ending = new AbortController();
  const history = createHistory({
    database: server.db.database,
    worker: inject('ingestWorker'),
    clock,
    log: silentLog(),
    from,
    signal: ending.signal,
  });
  const fromMs = startOfDay(from, zone).getTime();
  function* cut() {
    let count = 0;
    for (const moment of livePast({ ...plan(), fromMs, untilMs: until })) {
      count += 1;
      if (count > moments) ending.abort();
      yield moment;
    }
  }
  await history.open();
  try {
    const written = await history.write(owner.accountId, serials, cut());
    await history.rollUp();
    return written;
  } finally {
    await history.stop();
  }
}

/** Uses counters alone. */
function throughUplinks(): number {
  const last = new Map<string, number>();
  let sum = 0;
  for (const { serial, method, params } of reports) {
    if (method !== 'state') continue;
    const state = params.state as { interfaces?: { name: string; counters?: Record<string, number> }[] };
    for (const { name, counters } of state.interfaces ?? []) {
      if (!name.startsWith('up') || !counters) continue;
      const now = counters.rx_bytes! + counters.tx_bytes!;
      const key = `${serial} ${name}`;
      const before = last.get(key);
      if (before !== undefined) sum += now >= before ? now - before : now;
      last.set(key, now);
    }
  }
  return sum;
}

const events = (type: string) =>
  reports.filter(
    ({ params }) => (params.data as { event: [number, { type: string }] } | undefined)?.event[1].type === type,
  );

test('a past that was interrupted twice is written once, as its messages tell it', async () => {
  await expect(write(700)).rejects.toThrow(/abort/i);
  await expect(write(3000)).rejects.toThrow(/abort/i);
  const rest = await write();
  expect(rest).toBeGreaterThan(0);
  expect(rest).toBeLessThan(reports.length);
  expect(await write()).toBeLessThan(20);

  const [flow] = await query<{ bytes: number }>('select sum(wan_down + wan_up)::bigint as bytes from device_sample');
  expect(Number(flow!.bytes)).toBe(throughUplinks());
  const [ends] = await query<{ reported: number; all: number; open: number }>(
    `select (select count(*) from station_session where band > 0 and end_reason in ('leave', 'roam'))::integer as reported,
      (select count(*) from station_session where band > 0)::integer as all,
      (select count(*) from station_open where band > 0)::integer as open`,
  );
  expect(ends!.reported).toBe(events('client.leave').length);
  expect(ends!.all + ends!.open).toBe(events('client.join').length);
});

test('its days are counted: sums of flow, users of every day that is over', async () => {
  const [sums] = await query<{ samples: number; days: number; account: number }>(
    `select (select sum(wan_down + wan_up) from device_sample where at < (select max(bucket) + interval '1 hour' from rollup_device_1h))::bigint as samples,
      (select sum(wan_down + wan_up) from rollup_device_1h)::bigint as days,
      (select sum(wan_down + wan_up) from rollup_account_1h)::bigint as account`,
  );
  expect(Number(sums!.days)).toBe(Number(sums!.samples));
  const counted = await query<{ day: string; online: number; there: number }>(
    `select to_char(u.day, 'YYYY-MM-DD') as day, u.online,
      (select count(distinct mac) from station_day s where s.account_id = u.account_id and s.day = u.day)::integer as there
     from users_day u where u.gwid = '00000000-0000-0000-0000-000000000000' order by 1`,
  );
  expect(counted.map(({ day }) => day)).toEqual([5, 4, 3, 2, 1].map((ago) => addDays(today, -ago)));
  for (const { online, there } of counted) expect(online).toBe(there);
});

test('nothing of it is dropped for its age while it is written', async () => {
  const ending = new AbortController();
  const history = createHistory({
    database: server.db.database,
    worker: inject('ingestWorker'),
    clock,
    log: silentLog(),
    from,
    signal: ending.signal,
  });
  await history.open();
  expect(await dropOldPartitions(server.db.database, clock)).toEqual([]);
  await history.stop();
  await expect
    .poll(() => dropOldPartitions(server.db.database, clock), { timeout: 130_000, interval: 200 })
    .not.toEqual([]);
});
