import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { newId } from '../platform/database/id.ts';
import type { Database } from '../platform/database/index.ts';
import { silentLog } from '../platform/log.ts';
import { createMetrics } from '../platform/metrics.ts';
import type { PeerIdentity } from '../uplink/peer-identity.ts';
import { createLatestWriter, createPresenceStore } from './index.ts';

const accountId = newId();
const at = new Date('2026-11-20T12:00:00Z');
const later = new Date(at.getTime() + 60_000);
let db: TestDatabase;
let count = 0;
let device: { accountId: string; serial: string };
let peer: PeerIdentity;

beforeAll(async () => {
  db = await createTestDatabase();
  await sql`insert into account (account_id, name, binding_code) values (${accountId}, 'A', 'A')`.execute(
    db.database.system,
  );
});
afterAll(() => db.drop());
beforeEach(async () => {
  device = await bind();
  peer = { serial: device.serial, fingerprint: `f${device.serial}`, ours: false, notAfter: later };
});

async function bind() {
  count += 1;
  const serial = count.toString(16).padStart(12, '0');
  await sql`insert into serial_directory (serial, account_id, enrolled_at) values (${serial}, ${accountId}, ${at})`.execute(
    db.database.system,
  );
  return { accountId, serial };
}
const row = async <T>(table: 'device_latest' | 'device_link', serial = device.serial) =>
  (await sql<T>`select * from ${sql.table(table)} where serial = ${serial}`.execute(db.database.system)).rows[0] ??
  null;
describe('the latest health report', () => {
  const writer = () => createLatestWriter(db.database, createMetrics(), silentLog());

  test('is committed when its promise settles', async () => {
    expect(await writer().healthcheck(device, { sanity: 87.4, data: { unit: { memory: 12 } } }, at)).toBe(true);
    expect(await row('device_latest')).toMatchObject({ sanity: 87, health_at: at });
  });

  test('of many devices is written in few transactions, the newest of each device only', async () => {
    let transactions = 0;
    const counted = {
      ...db.database,
      withSystem: (work) => {
        transactions += 1;
        return db.database.withSystem(work);
      },
    } as Database;
    const metrics = createMetrics();
    const one = createLatestWriter(counted, metrics, silentLog());
    const devices = await Promise.all(Array.from({ length: 50 }, bind));
    const outcomes = await Promise.all(
      devices.flatMap((each) => [1, 2, 3].map((sanity) => one.healthcheck(each, { sanity }, at))),
    );
    expect(outcomes.filter(Boolean)).toHaveLength(50);
    expect(transactions).toBeLessThanOrEqual(2);
    for (const { serial } of devices) expect(await row('device_latest', serial)).toMatchObject({ sanity: 3 });
    expect(await metrics.getSingleMetricAsString('yunxun_health_messages_shed_total')).toContain('shed_total 100');
  });

  test('is not replaced by an older one', async () => {
    const one = writer();
    await one.healthcheck(device, { sanity: 9 }, later);
    await one.healthcheck(device, { sanity: 1 }, at);
    expect(await row('device_latest')).toMatchObject({ sanity: 9, health_at: later });
  });

  test('of a device that was unbound meanwhile is dropped', async () => {
    await sql`delete from serial_directory where serial = ${device.serial}`.execute(db.database.system);
    await writer().healthcheck(device, { sanity: 1 }, at);
    expect(await row('device_latest')).toBeNull();
  });

  test('waits while the database is away', async () => {
    let away = true;
    const flaky = {
      ...db.database,
      withSystem: (work) => (away ? Promise.reject(new Error('Connection terminated')) : db.database.withSystem(work)),
    } as Database;
    const one = createLatestWriter(flaky, createMetrics(), silentLog());
    const first = one.healthcheck(device, { sanity: 1 }, at);
    const second = one.healthcheck(await bind(), { sanity: 2 }, at);
    away = false;
    expect(await Promise.all([first, second])).toEqual([true, true]);
    await one.drain();
    expect(await row('device_latest')).toMatchObject({ sanity: 1 });
  });

  test('that the database refuses is lost alone', async () => {
    const one = writer();
    const broken = { accountId, serial: 'no\0serial' };
    expect(
      await Promise.all([one.healthcheck(broken, { sanity: 1 }, at), one.healthcheck(device, { sanity: 2 }, at)]),
    ).toEqual([false, true]);
    expect(await row('device_latest')).toMatchObject({ sanity: 2 });
  });
});

describe('presence', () => {
  test('counts the sessions of a device; only the newest can end it', async () => {
    const links = createPresenceStore(db.database);
    const [one, two] = [newId(), newId()];
    const session = { address: '192.0.2.1', peer, at };
    expect(await links.open(device, { ...session, node: one })).toEqual({ epoch: 1 });
    expect(await links.open(device, { ...session, node: two, at: later })).toEqual({ epoch: 2 });
    expect(await links.close(device, 1, later, at)).toBe(false);
    expect(await row('device_link')).toMatchObject({ node: two, connected_since: later, disconnected_at: null });
    expect(await links.close(device, 2, later, at)).toBe(true);
    expect(await row('device_link')).toMatchObject({
      connected_since: null,
      disconnected_at: later,
      last_frame_at: at,
    });
    expect(await links.close(device, 2, later, at)).toBe(false);
  });

  test('notes the first session ever, once', async () => {
    const links = createPresenceStore(db.database);
    for (const time of [at, later]) await links.open(device, { node: newId(), address: '192.0.2.1', peer, at: time });
    const { rows } = await sql<{
      first: Date;
    }>`select first_connected_at as first from serial_directory where serial = ${device.serial}`.execute(
      db.database.system,
    );
    expect(rows[0]?.first).toEqual(at);
  });

  test('is moved forward for the sessions that are still the newest', async () => {
    const links = createPresenceStore(db.database);
    const other = await bind();
    await links.open(device, { node: newId(), address: '192.0.2.1', peer, at });
    await links.open(other, { node: newId(), address: '192.0.2.1', peer: { ...peer, serial: other.serial }, at });
    await links.touch([
      { ...device, epoch: 1, at: later },
      { ...other, epoch: 7, at: later },
    ]);
    expect(await row('device_link')).toMatchObject({ last_frame_at: later });
    expect(await row('device_link', other.serial)).toMatchObject({ last_frame_at: at });
  });

  test('of a dead process ends when it was last heard of', async () => {
    const links = createPresenceStore(db.database);
    const node = newId();
    await links.open(device, { node, address: '192.0.2.1', peer, at });
    expect(await links.nodes()).toContain(node);
    expect(await links.closeNode(node)).toEqual([{ ...device, epoch: 1, node, lastFrameAt: at }]);
    expect(await row('device_link')).toMatchObject({ connected_since: null, disconnected_at: at });
    expect(await links.nodes()).not.toContain(node);
  });
});
