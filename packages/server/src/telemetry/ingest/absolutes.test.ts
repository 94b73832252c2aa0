import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts';
import { ManualClock } from '../../platform/clock.ts';
import { newId } from '../../platform/database/id.ts';
import { silentLog } from '../../platform/log.ts';
import { createMetrics } from '../../platform/metrics.ts';
import { createIngest, type Ingest } from '../index.ts';
import { packAbsolutes, settleAbsolutes } from './absolutes.ts';
import { sessionKey } from './associations.ts';
import { emptyPresence, type Presence, type Session } from './client-session.ts';

const [accountId, gwid] = [newId(), newId()];
const clock = new ManualClock();
const [bssid, phone] = ['903cb3000011', '3c22fb000001'];
const running: Ingest[] = [];
let db: TestDatabase;

beforeAll(async () => {
  db = await createTestDatabase();
  await sql`insert into account (account_id, name, binding_code) values (${accountId}, 'A', 'A')`.execute(
    db.database.system,
  );
  await sql`insert into network (account_id, gwid, remark) values (${accountId}, ${gwid}, 'N')`.execute(
    db.database.system,
  );
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => one.stop(0)));
});
afterAll(() => db.drop());

function ingest(): Ingest {
  const parts = { database: db.database, worker: inject('ingestWorker'), metrics: createMetrics(), log: silentLog() };
  const one = createIngest(parts);
  running.push(one);
  return one;
}

let second = 0;

async function report(by: Ingest, serial: string, epoch: number, tx: number | null): Promise<void> {
  clock.advance(10_000);
  second += 10;
  const associations =
    tx === null ? [] : [{ station: phone, connected: 5, rssi: -60, tx_bytes: tx, rx_bytes: Math.floor(tx / 10) }];
  const state = {
    unit: { uptime: 1000 + second, localtime: 1_790_000_000 + second },
    interfaces: [{ name: 'up0v0', ssids: [{ ssid: 'House', bssid, band: ['5G'], associations }] }],
  };
  const frame = Buffer.from(JSON.stringify({ jsonrpc: '2.0', method: 'state', params: { state } }));
  expect(await by.state({ accountId, serial }, frame, { epoch, at: clock.now() })).toMatchObject({
    outcome: 'committed',
  });
}

test.each([
  ['its thread died', '000000000001', (one: Ingest) => one.terminate().then(() => one), 1],
  ['it went to another process', '000000000002', async () => ingest(), 2],
])(
  'what a terminal carried counts, though it is gone when the device reports again after %s',
  async (_, serial, next, epoch) => {
    await sql`insert into device (account_id, serial, gwid, kind, remark, bound_at) values (${accountId}, ${serial}, ${gwid}, 'ap', 'AP', now())`.execute(
      db.database.system,
    );
    const first = ingest();
    await report(first, serial, 1, null);
    await report(first, serial, 1, 1000);
    await report(first, serial, 1, 3_000_000);
    await report(first, serial, 1, 5_001_000);
    const seen = clock.now();
    await report(await next(first), serial, epoch, null);
    const { rows } = await sql`
    select down::integer, up::integer, ended_at, end_reason from station_session where serial = ${serial}`.execute(
      db.database.system,
    );
    expect(rows).toEqual([{ down: 5_001_000, up: 500_100, ended_at: seen, end_reason: 'gone' }]);
    const quarters = await sql`
    select sum(down)::integer as down from station_quarter where serial = ${serial}`.execute(db.database.system);
    expect(quarters.rows).toEqual([{ down: 5_001_000 }]);
  },
);

test('sessions of any place continue, except those written since', () => {
  const at = 1_000_000;
  const of = (mac: string, place: string, lastAt: number, tx: number | null, rx: number | null): Session => ({
    mac,
    bssid: place,
    band: place ? 5 : 0,
    ssid: null,
    port: null,
    ip: null,
    ip6: null,
    username: null,
    authenticated: false,
    hostname: null,
    guess: null,
    startedAt: 0,
    lastAt,
    down: 7,
    up: 7,
    tx: { value: tx, other: null, counted: 0, countedAt: 0 },
    rx: { value: rx, other: null, counted: 0, countedAt: 0 },
    rssi: null,
    rssiMin: null,
    rssiSum: 0,
    rssiN: 0,
    txRate: null,
    rxRate: null,
    packets: null,
    joinedS: null,
    spared: 0,
    shares: [],
    writtenAt: lastAt,
    behind: null,
    looks: 0,
    news: false,
  });
  const reported = [
    of(phone, bssid, at, 500, 50),
    of(phone, '', at, 2 ** 40, null),
    of('3c22fb000002', 'wlan0-客房', at, 90, 2 ** 50),
    of('3c22fb000003', bssid, at, 90, 90),
    of('3c22fb000004', bssid, at - 1, 90, 90),
  ];
  const rows = [
    of(phone, bssid, 0, 100, 20),
    of(phone, '', 0, 2 ** 40 - 6, 1),
    of('3c22fb000002', 'wlan0-客房', 0, 80, 80),
    of('3c22fb000003', bssid, at + 1, 95, 95),
    of('3c22fb000004', bssid, 0, 0, 0),
  ];
  const presence: Presence = {
    ...emptyPresence(),
    open: new Map(rows.map((one) => [sessionKey(one.mac, one.bssid), one])),
  };
  settleAbsolutes(presence, packAbsolutes(reported, at)!, at);
  expect(rows.map(({ down, up, lastAt }) => [down, up, lastAt])).toEqual([
    [407, 37, at],
    [13, 7, at],
    [17, 7, at],
    [7, 7, at + 1],
    [7, 7, 0],
  ]);
  expect(presence.touched).toEqual(new Set(rows.slice(0, 3)));
  expect(packAbsolutes(reported.slice(4), at)).toBeNull();
});
