import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ManualClock } from '../../src/platform/clock.ts';
import { type Registered, startTestServer, type TestServer } from '../server.ts';
import { accessPoint, endDevices, enrol, type Identity, listedAs, onboarding } from './device-client.ts';
import { type AccessPoint, accessPointCapabilities } from './peer/access-point.ts';
import type { FirmwareOptions } from './peer/firmware.ts';
import type { Json } from './peer/json.ts';
import { UpgradeRefused } from './peer/socket.ts';

let server: TestServer;
let owner: Registered;
let clock: ManualClock;

beforeAll(async () => {
  clock = new ManualClock();
  server = await startTestServer({ clock });
  owner = await server.register();
});
afterEach(endDevices);
afterAll(() => server.stop());

interface Box {
  address: string;
  mac: string | null;
  model: string | null;
}
interface Shared {
  first: Box;
  second: Box;
}

const sharedOf = async (serial: string): Promise<Shared | null> =>
  (await server.call<{ certificate_conflict: Shared | null }>('/api/v3/ap/detail', { serial }, owner)).data
    .certificate_conflict;

const hardware = (wan: string, model = 'Edgecore EAP102'): Json => ({
  ...accessPointCapabilities,
  model,
  macaddr: { wan, lan: wan },
});

/** Connects from its own loopback address (127/8). */
const box = (identity: Identity, from: string, wan: string, more: Partial<FirmwareOptions> = {}): AccessPoint =>
  accessPoint(identity, { from, capabilities: hardware(wan), ...more });

async function comes(device: AccessPoint): Promise<void> {
  await device.connect();
  await listedAs(server, owner, device.options.serial, { status: 'online' });
}

async function inTurn(first: AccessPoint, second: AccessPoint, times: number): Promise<void> {
  await comes(first);
  for (let count = 1; count <= times; count += 1) {
    const [holder, newDevice] = count % 2 === 1 ? [first, second] : [second, first];
    await newDevice.connect();
    await holder.until('the other to be cut off', () => holder.socket === null);
    await suspected(first.options.serial, count);
  }
}

const suspected = (serial: string, switches: number) =>
  expect
    .poll(async () => {
      const { rows } = await server.db.database.systemPool.query<{ switches: number }>(
        'select switches from shared_certificate where serial = $1',
        [serial],
      );
      return rows[0]?.switches ?? 0;
    })
    .toBe(switches);

describe('two boxes with one certificate', () => {
  it('are named, and the one that came later is held off', async () => {
    const identity = await enrol(server, owner);
    const { serial } = identity;
    const one = box(identity, '127.0.0.2', '903cb3aa0001');
    const other = box(identity, '127.0.0.3', '903cb3bb0001');
    await inTurn(one, other, 3);
    await other.until('the later box to be held off', () => other.socket === null);
    expect(await sharedOf(serial)).toMatchObject({
      first: { address: '127.0.0.2', mac: '903cb3aa0001' },
      second: { address: '127.0.0.3', mac: '903cb3bb0001' },
    });
    await one.connect();
    await listedAs(server, owner, serial, { status: 'online' });
    await expect(other.connect()).rejects.toThrow(UpgradeRefused);
    expect(one.socket).not.toBeNull();
    await expect
      .poll(async () => (await onboarding(server, owner)).refusals.find((each) => each.serial === serial))
      .toMatchObject({ reason: 'certificate-shared', ip: '127.0.0.3', detail: expect.stringContaining('127.0.0.2') });
    const { rows } = await server.db.database.systemPool.query(
      `select params from message where template = 'certificateShared' and account_id = $1`,
      [owner.accountId],
    );
    expect(rows).toEqual([{ params: { serial, first: '127.0.0.2', second: '127.0.0.3' } }]);
  });

  it('behind one address are distinguished by their hardware', async () => {
    const identity = await enrol(server, owner);
    const one = box(identity, '127.0.0.2', '903cb3aa0002');
    const other = box(identity, '127.0.0.2', '903cb3bb0002');
    await inTurn(one, other, 3);
    await other.until('the later box to be held off', () => other.socket === null);
    await comes(one);
    await other.connect();
    expect((await other.closed)?.reason).toBe('held-off');
    expect(one.socket).not.toBeNull();
  });

  it('that cannot be distinguished leave the session to its holder', async () => {
    const identity = await enrol(server, owner);
    const one = box(identity, '127.0.0.2', '903cb3aa0003');
    const other = box(identity, '127.0.0.2', '903cb3aa0003');
    await inTurn(one, other, 3);
    await expect.poll(() => sharedOf(identity.serial)).toMatchObject({ first: { mac: '903cb3aa0003' } });
    await one.connect();
    expect((await one.closed)?.reason).toBe('held-off');
    expect(other.socket).not.toBeNull();
  });

  it('change places when the operator says so, or when the first has been away for ten minutes', async () => {
    const identity = await enrol(server, owner);
    const { serial } = identity;
    const one = box(identity, '127.0.0.2', '903cb3aa0004');
    const other = box(identity, '127.0.0.3', '903cb3bb0004');
    await inTurn(one, other, 3);
    await other.until('the later box to be held off', () => other.socket === null);
    await comes(one);
    const swap = { serial, decision: 'swap' };
    expect((await server.call('/api/v3/device/certificate_conflict/decide', swap, owner)).code).toBe(2000);
    await one.until('the first box to be held off', () => one.socket === null);
    await comes(other);
    await expect(one.connect()).rejects.toThrow(UpgradeRefused);
    await other.cut();
    await listedAs(server, owner, serial, { status: 'offline' });
    await expect(one.connect()).rejects.toThrow(UpgradeRefused);
    clock.advance(10 * 60_000);
    await comes(one);
    expect(await sharedOf(serial)).toBeNull();
  });

  it('are forgotten when the operator says that it is settled', async () => {
    const identity = await enrol(server, owner);
    const { serial } = identity;
    const one = box(identity, '127.0.0.2', '903cb3aa0005');
    const other = box(identity, '127.0.0.3', '903cb3bb0005');
    await inTurn(one, other, 3);
    await other.until('the later box to be held off', () => other.socket === null);
    const settled = { serial, decision: 'forget' };
    expect((await server.call('/api/v3/device/certificate_conflict/decide', settled, owner)).code).toBe(2000);
    expect((await server.call('/api/v3/device/certificate_conflict/decide', settled, owner)).code).toBe(4113);
    await comes(other);
  });
});

describe('one box', () => {
  it('that moves between two lines, each of which it lost, is one', async () => {
    const identity = await enrol(server, owner);
    const lines = ['127.0.0.2', '127.0.0.3', '127.0.0.2', '127.0.0.3', '127.0.0.2'];
    const gone: AccessPoint[] = [];
    for (const from of lines) {
      const device = box(identity, from, '903cb3aa0006');
      await comes(device);
      // dead connection: data and close frames are ignored
      device.socket?.tls.removeAllListeners('data').resume();
      gone.push(device);
    }
    await Promise.all(gone.slice(0, -1).map((device) => device.closed));
    await suspected(identity.serial, 0);
    expect(await sharedOf(identity.serial)).toBeNull();
  });

  it('that is replaced by another one at once is only suspected', async () => {
    const identity = await enrol(server, owner);
    const one = box(identity, '127.0.0.2', '903cb3aa0007');
    const other = box(identity, '127.0.0.3', '903cb3bb0007');
    await inTurn(one, other, 1);
    await suspected(identity.serial, 1);
    expect(await sharedOf(identity.serial)).toBeNull();
    expect(other.socket).not.toBeNull();
  });
});
