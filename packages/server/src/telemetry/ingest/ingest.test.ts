import { deflateSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { eventually } from '../../../../../tools/eventually.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts';
import { ManualClock } from '../../platform/clock.ts';
import { newId } from '../../platform/database/id.ts';
import { silentLog } from '../../platform/log.ts';
import { createMetrics, type Metrics } from '../../platform/metrics.ts';
import { createIngest, type Ingest, readLatestState } from '../index.ts';

const [accountId, gwid] = [newId(), newId()];
const clock = new ManualClock();
let db: TestDatabase;
let device: { accountId: string; serial: string };
let count = 0;
const running: Ingest[] = [];

beforeAll(async () => {
  db = await createTestDatabase();
  await sql`insert into account (account_id, name, binding_code) values (${accountId}, 'A', 'A')`.execute(
    db.database.system,
  );
  await sql`insert into network (account_id, gwid, remark) values (${accountId}, ${gwid}, 'N')`.execute(
    db.database.system,
  );
});
beforeEach(async () => {
  device = await bind();
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => one.stop(0)));
});
afterAll(() => db.drop());

async function bind() {
  count += 1;
  const serial = count.toString(16).padStart(12, '0');
  await sql`insert into device (account_id, serial, gwid, kind, remark, bound_at) values (${accountId}, ${serial}, ${gwid}, 'ap', 'AP', now())`.execute(
    db.database.system,
  );
  return { accountId, serial };
}

function ingest(metrics: Metrics = createMetrics()): Ingest {
  const one = createIngest({ database: db.database, worker: inject('ingestWorker'), metrics, log: silentLog() });
  running.push(one);
  return one;
}

const params = (minute: number, wan: number) => ({
  uuid: 5,
  state: {
    unit: { uptime: 1000 + minute * 60, localtime: 1_790_000_000 + minute * 60, load: [0.5, 0.4, 0.3] },
    interfaces: [{ name: 'up0v0', counters: { rx_bytes: wan, tx_bytes: 0 } }],
  },
});
const frame = (body: object) => Buffer.from(JSON.stringify({ jsonrpc: '2.0', method: 'state', params: body }));
const of = (epoch = 1) => {
  clock.advance(60_000);
  return { epoch, at: clock.now() };
};
const samples = async (serial = device.serial) =>
  (
    await sql<{ wan_down: number }>`select wan_down from device_sample where serial = ${serial} order by at`.execute(
      db.database.system,
    )
  ).rows.map(({ wan_down }) => wan_down);

describe('a report', () => {
  test('is committed when its promise settles, stored unchanged, and passed on as a digest', async () => {
    const { state } = ingest();
    expect(await state(device, frame(params(0, 7)), of())).toEqual({
      outcome: 'committed',
      inflated: 0,
      digest: {
        uuid: 5,
        requestUuid: null,
        downstream: { routes: false, serves: false },
        powers: [],
        uptimeS: expect.any(Number),
      },
    });
    expect(await readLatestState(db.database.system, device)).toEqual({ at: clock.now(), params: params(0, 7) });
    const text = JSON.stringify(params(1, 8));
    const packed = { compress_64: deflateSync(text).toString('base64'), compress_sz: 1 };
    expect(await state(device, frame(packed), of())).toMatchObject({ outcome: 'committed', inflated: text.length });
    expect((await readLatestState(db.database.system, device))?.params).toEqual(params(1, 8));
    expect(await samples()).toEqual([0, 1]);
  });

  test('that names another configuration is new within the second of the last one, also in another session', async () => {
    const { state } = ingest();
    await state(device, frame(params(0, 7)), of(1));
    await state(device, frame(params(0, 7)), of(2));
    await state(device, frame({ ...params(0, 7), uuid: 6 }), of(2));
    expect((await readLatestState(db.database.system, device))?.params).toMatchObject({ uuid: 6 });
  });

  test('that is none, or is of another device, is said to be so', async () => {
    const { state } = ingest();
    const other = frame({ serial: 'ffffffffffff', ...params(0, 1) });
    const strange = Buffer.from('{"method":"state","method":"log","params":{}}');
    const broken = Buffer.from('{"method":"state",');
    const outcomes = await Promise.all([other, strange, broken].map((one) => state(device, one, of())));
    expect(outcomes).toEqual([
      { outcome: 'other', inflated: 0 },
      { outcome: 'other', inflated: 0 },
      { outcome: 'invalid', inflated: 0, why: 'json' },
    ]);
    expect(await samples()).toEqual([]);
  });

  test('that the database refuses is lost alone', async () => {
    const { state } = ingest();
    const broken = { accountId, serial: 'no\0serial' };
    const all = await Promise.all([
      state(device, frame(params(0, 7)), of()),
      state(broken, frame(params(0, 7)), of()),
      state(device, frame(params(1, 9)), of()),
    ]);
    expect(all.map(({ outcome }) => outcome)).toEqual(['committed', 'refused', 'committed']);
    expect(await samples()).toEqual([0, 2]);
  });

  test('of a device that is not bound leaves nothing', async () => {
    const stranger = { accountId, serial: 'eeeeeeeeeeee' };
    expect(await ingest().state(stranger, frame(params(0, 7)), of())).toEqual({ outcome: 'refused', inflated: 0 });
    expect(await samples(stranger.serial)).toEqual([]);
  });
});

test('two processes that handle a device one after the other count nothing twice', async () => {
  const [one, two] = [ingest(), ingest()];
  await one.state(device, frame(params(0, 100)), of(1));
  await two.state(device, frame(params(1, 150)), of(2));
  // in flight when the device moved
  await one.state(device, frame(params(2, 170)), of(1));
  await two.state(device, frame(params(3, 200)), of(2));
  expect(await samples()).toEqual([0, 50, 20, 30]);
});

test('many devices are written in few transactions, with the time that each stage took', async () => {
  const metrics = createMetrics();
  const { state } = ingest(metrics);
  const devices = await Promise.all(Array.from({ length: 60 }, bind));
  const at = of();
  const reports = [0, 1].flatMap((minute) =>
    devices.map((each) =>
      state(each, frame(params(minute, 10 * minute)), { ...at, at: new Date(at.at.getTime() + minute * 60_000) }),
    ),
  );
  for (const { outcome } of await Promise.all(reports)) expect(outcome).toBe('committed');
  for (const { serial } of devices) expect(await samples(serial)).toEqual([0, 10]);
  const reported = await metrics.metrics();
  expect(Number(/^yunxun_telemetry_batch_messages_count (\d+)/m.exec(reported)?.[1])).toBeLessThan(60);
  expect(Number(/stage_seconds_total\{stage="commit"\} ([\d.e-]+)/.exec(reported)?.[1])).toBeGreaterThan(0);
});

test('a stop waits for what can be committed, gives up what cannot, and says so', async () => {
  const one = ingest();
  const waiting = one.state(device, frame(params(0, 1)), of());
  await one.stop();
  expect(await waiting).toMatchObject({ outcome: 'committed' });
  expect(await one.state(device, frame(params(1, 1)), of())).toEqual({ outcome: 'shed' });
  const two = ingest();
  await db.database.withSystem(async (tx) => {
    await sql`lock table device_sample in access exclusive mode`.execute(tx);
    const stuck = two.state(device, frame(params(2, 2)), of());
    await two.stop(0);
    expect(await stuck).toEqual({ outcome: 'shed' });
  });
  expect(await samples()).toEqual([0]);
});

test('new clients are counted within seconds without a reader', async () => {
  const { state } = ingest();
  const heard = { station: '02:00:00:00:00:09', bssid: '0a:00:00:00:00:01', connected: 60, rssi: -50 };
  const interfaces = [{ name: 'up0v0', ssids: [{ bssid: heard.bssid, ssid: 'Guest', associations: [heard] }] }];
  const { state: reported } = params(0, 1);
  await state(device, frame({ uuid: 5, state: { ...reported, interfaces } }), of());
  const counted = sql<{ online: number }>`select online from station_sum where serial = ${device.serial}`;
  const waiting = sql`select from station_changed`;
  expect((await waiting.execute(db.database.system)).rows).toHaveLength(1);
  await eventually(async () => {
    expect((await waiting.execute(db.database.system)).rows).toEqual([]);
    expect((await counted.execute(db.database.system)).rows).toEqual([{ online: 1 }]);
  });
});
