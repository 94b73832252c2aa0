import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts';
import { ManualClock } from '../../platform/clock.ts';
import { newId } from '../../platform/database/id.ts';
import { silentLog } from '../../platform/log.ts';
import { createMetrics } from '../../platform/metrics.ts';
import { createIngest, type Ingest } from '../index.ts';

const [accountId, gwid] = [newId(), newId()];
const clock = new ManualClock(new Date('2026-11-20T12:00:00Z'));
const [oneBss, otherBss] = ['903cb3000011', '903cb3000022'];
let db: TestDatabase;
let ingest: Ingest;
let count = 0;

beforeAll(async () => {
  db = await createTestDatabase();
  await sql`
    insert into account (account_id, name, binding_code, time_zone, created_at)
    values (${accountId}, 'A', 'A', 'UTC', '2026-11-01')`.execute(db.database.system);
  await sql`insert into network (account_id, gwid, remark) values (${accountId}, ${gwid}, 'N')`.execute(
    db.database.system,
  );
  ingest = createIngest({
    database: db.database,
    worker: inject('ingestWorker'),
    metrics: createMetrics(),
    log: silentLog(),
  });
});
afterEach(() => clock.advance(3_600_000));
afterAll(async () => {
  await ingest.stop(0);
  await db.drop();
});

type Device = Awaited<ReturnType<typeof bind>>;

async function bind() {
  count += 1;
  const serial = count.toString(16).padStart(12, '0');
  await sql`insert into device (account_id, serial, gwid, kind, remark, bound_at) values (${accountId}, ${serial}, ${gwid}, 'ap', 'AP', '2026-11-01')`.execute(
    db.database.system,
  );
  return { accountId, serial };
}

type There = Partial<Record<'air' | 'cable' | 'leases', object[]>>;

async function report(device: Device, bssid: string, there: There): Promise<void> {
  const at = clock.now();
  const localtime = Math.floor(at.getTime() / 1000);
  const params = {
    state: {
      unit: { uptime: localtime - 1_700_000_000, localtime },
      interfaces: [
        {
          name: 'down1v0',
          clients: there.cable ?? [],
          ipv4: { leases: there.leases ?? [] },
          ssids: [{ ssid: 'House', bssid, band: ['5G'], associations: there.air ?? [] }],
        },
      ],
    },
  };
  const frame = Buffer.from(JSON.stringify({ jsonrpc: '2.0', method: 'state', params }));
  expect(await ingest.state(device, frame, { epoch: 1, at })).toMatchObject({ outcome: 'committed' });
}

async function left(device: Device, bssid: string, mac: string, secondsAgo: number, connectedS: number): Promise<void> {
  const at = clock.now();
  const payload = { client: mac, bssid, band: '5G', tx_bytes: 1, rx_bytes: 1, connected_time: connectedS };
  const event = [Math.floor(at.getTime() / 1000) - secondsAgo, { type: 'client.leave', payload }];
  await ingest.event(device, { serial: device.serial, data: { event } }, { epoch: 1, at });
}

async function daysOf(mac: string) {
  await ingest.drain();
  const { rows } = await sql<{ day: string; seconds: number; is_new: boolean }>`
    select to_char(day, 'YYYY-MM-DD') as day, seconds, is_new from station_day where mac = ${mac} order by day
  `.execute(db.database.system);
  return rows;
}

test('a client with a late earlier session is new on that day alone', async () => {
  const [one, other] = [await bind(), await bind()];
  await report(one, oneBss, {});
  clock.advance(60_000);
  const mac = '3c22fb000001';
  await report(one, oneBss, { air: [{ station: mac, connected: 5 }] });
  expect(await daysOf(mac)).toMatchObject([{ day: '2026-11-20', is_new: true }]);
  await left(other, otherBss, mac, 86_400, 60);
  expect(await daysOf(mac)).toMatchObject([
    { day: '2026-11-19', is_new: true },
    { day: '2026-11-20', is_new: false },
  ]);
  // finished days are not recounted: a client new on a later day stays new
  const final = '3c22fb000002';
  await sql`insert into users_day (account_id, day, gwid, online, new_users, old_users, authenticated, visits, visits_lt30,
      visits_gt30, visits_1to2, visits_2to4, visits_gt4, visits_0to6, visits_6to11, visits_11to14, visits_14to19, visits_19to24, final)
    values (${accountId}, '2026-11-18', gen_random_uuid(), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, true)`.execute(
    db.database.system,
  );
  clock.advance(60_000);
  await report(one, oneBss, { air: [{ station: final, connected: 5 }] });
  await left(other, otherBss, final, 2 * 86_400, 60);
  expect((await daysOf(final)).at(-1)).toMatchObject({ day: '2026-11-20', is_new: true });
});

test('a client on two devices is present once, in any order of reports', async () => {
  const [gateway, other] = [await bind(), await bind()];
  const [wired, both, roams] = ['3c22fb000011', '3c22fb000012', '3c22fb000013'];
  const begin = clock.now();
  for (let minute = 0; minute <= 10; minute += 1) {
    const connected = minute * 60;
    await report(gateway, oneBss, {
      air: [{ station: both, connected }],
      cable: [wired, roams].map((mac) => ({ mac, ports: ['LAN1'] })),
    });
    await report(other, otherBss, {
      air: [{ station: both, connected }, ...(minute < 5 ? [{ station: roams, connected }] : [])],
      cable: [{ mac: wired, ports: ['LAN2'] }],
    });
    clock.advance(60_000);
  }
  for (const mac of [wired, both, roams]) expect(await daysOf(mac), mac).toMatchObject([{ seconds: 600 }]);
  // a late visit is added unless it overlaps
  const ago = (clock.now().getTime() - begin.getTime()) / 1000 + 1000;
  await left(other, '903cb3000033', wired, ago, 300);
  expect(await daysOf(wired)).toMatchObject([{ seconds: 900 }]);
  await left(gateway, '903cb3000034', wired, ago + 100, 150);
  expect(await daysOf(wired)).toMatchObject([{ seconds: 900 }]);
});

test('no client is present for longer than the day, whatever sessions are reported', async () => {
  const device = await bind();
  await report(device, oneBss, {});
  const mac = '3c22fb000021';
  for (let n = 0; n < 20; n += 1) {
    clock.advance(1000);
    await left(device, oneBss, mac, 2000, 86_400 * 30);
  }
  const days = await daysOf(mac);
  expect(days.length).toBeLessThanOrEqual(8);
  for (const { seconds } of days) expect(seconds).toBeLessThanOrEqual(86_400);
  clock.advance(86_400_000);
  await report(device, oneBss, {});
  const begin = clock.now().getTime();
  const comings: Promise<void>[] = [];
  for (let n = 0; n < 600; n += 1) {
    clock.advance(2000);
    comings.push(left(device, oneBss, mac, 0, 1));
  }
  await Promise.all(comings);
  const last = (await daysOf(mac)).at(-1)!;
  expect(last.seconds).toBeGreaterThan(0);
  expect(last.seconds).toBeLessThanOrEqual((clock.now().getTime() - begin) / 1000);
  const { rows } = await sql<{ bytes: number }>`
    select max(pg_column_size(present)) as bytes from station_day where mac = ${mac}`.execute(db.database.system);
  expect(rows[0]!.bytes).toBeLessThan(8000);
});

test('a client’s type stays known when a less certain source reports concurrently', async () => {
  const [one, other] = [await bind(), await bind()];
  const mac = '3c22fb000031';
  await report(one, oneBss, { air: [{ station: mac, connected: 5 }] });
  await report(other, otherBss, { air: [{ station: mac, connected: 5 }] });
  clock.advance(20_000);
  await report(one, oneBss, { air: [{ station: mac, connected: 25 }], leases: [{ mac, hostname: 'android-5f3a' }] });
  clock.advance(5000);
  await report(other, otherBss, { air: [{ station: mac, connected: 30 }] });
  await ingest.drain();
  const { rows } = await sql`select hostname, terminal_type from station where mac = ${mac}`.execute(
    db.database.system,
  );
  expect(rows).toEqual([{ hostname: 'android-5f3a', terminal_type: 'android' }]);
});
