import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createLocalBus } from '../platform/bus/index.ts';
import { ManualClock } from '../platform/clock.ts';
import { tellSession } from './subjects.ts';
import {
  connectDevice,
  connectParams,
  type DeviceCredential,
  RawDevice,
  startTestUplink,
  type TestUplink,
} from './testing/harness.ts';

const until = (condition: () => boolean) => expect.poll(condition).toBe(true);
const serial = '903cb3000001';

describe('a session', () => {
  const clock = new ManualClock();
  let up: TestUplink;
  let device: DeviceCredential;

  beforeAll(async () => {
    up = await startTestUplink({ clock });
    device = await up.enrol(serial);
  });
  afterAll(() => up.stop());
  afterEach(async () => {
    await until(() => up.uplink.sessions() === 0);
    up.calls.length = 0;
  });

  test('ends when the device is silent too long; pings of either side keep it alive', async () => {
    const raw = await connectDevice(up, device, {}, until);
    const mute = await new RawDevice(up, await up.enrol('903cb3000005'), { pong: false }).opened();
    mute.notify('connect', connectParams('903cb3000005'));
    await until(() => up.calls.length === 2);
    let pinged = 0;
    raw.socket.on('ping', () => {
      pinged += 1;
    });
    clock.advance(100_000);
    await until(() => pinged === 1);
    // frames are sequential: proves that the pong was read
    raw.socket.ping();
    await once(raw.socket, 'pong');
    clock.advance(100_000);
    await until(() => mute.closed !== null && pinged === 2);
    expect(raw.closed).toBeNull();
    expect(up.calls[2]).toMatchObject({
      what: 'disconnected',
      device: { serial: '903cb3000005' },
      info: { reason: 'silent' },
    });
    raw.close();
  });

  test('is pinged before it is given up, however late the check', async () => {
    const raw = await connectDevice(up, device, {}, until);
    let pinged = 0;
    raw.socket.on('ping', () => {
      pinged += 1;
    });
    for (const looks of [1, 2, 3]) {
      clock.advance(1_000_000);
      await until(() => pinged === looks);
      // proves that the pong was read
      raw.socket.ping();
      await once(raw.socket, 'pong');
    }
    expect(raw.closed).toBeNull();
    raw.close();
  });

  test('is taken over by a second connection of the device, without a disconnect event', async () => {
    const first = await connectDevice(up, device, {}, until);
    const second = await connectDevice(up, device, { reason: 'socket' }, until);
    await until(() => first.closed !== null);
    expect(first.closed).toEqual({ code: 1008, reason: 'taken-over' });
    await until(() => up.uplink.sessions() === 1);
    expect(up.calls.map(({ what }) => what)).toEqual(['connected', 'connected']);
    void up.commands.leds({ accountId: up.accountId, serial }, 'blink', 5).catch(() => undefined);
    await until(() => second.frames.length === 1);
    expect(first.frames).toEqual([]);
    second.close();
    await until(() => up.calls.length === 3);
    expect(up.calls.at(-1)).toMatchObject({
      what: 'disconnected',
      info: { reason: 'closed', epoch: (up.calls[1] as { link: { epoch: number } }).link.epoch },
    });
  });

  test('takes commands on the new connection while the lost one has not answered the goodbye', async () => {
    // a recovery boot refuses configurations
    const lost = await connectDevice(up, device, { uuid: 0, reason: 'recovery' }, until);
    lost.socket.pause();
    const again = await connectDevice(up, device, { reason: 'reboot' }, until);
    let refused: unknown = null;
    up.commands.configure({ accountId: up.accountId, serial }, {}, 5).catch((error: unknown) => {
      refused = error;
    });
    await until(() => again.frames.length === 1 || refused !== null);
    expect(refused).toBeNull();
    expect(lost.closed).toBeNull();
    lost.socket.resume();
    await until(() => lost.closed !== null);
    again.close();
    await until(() => up.uplink.sessions() === 0);
  });

  test('is taken over by a connection to another process', async () => {
    const other = await startTestUplink({ beside: up });
    const first = await connectDevice(up, device, {}, until);
    const second = await connectDevice(other, device, {}, until);
    await until(() => first.closed !== null);
    expect(first.closed?.reason).toBe('taken-over');
    expect(up.calls.map(({ what }) => what)).toEqual(['connected']);
    second.close();
    await until(() => other.calls.length === 2);
    await other.stop();
  });

  test('is cut when its certificate is revoked or the device unbound', async () => {
    for (const reason of ['revoked', 'unbound'] as const) {
      const raw = await connectDevice(up, device, {}, until);
      tellSession(up.bus, { accountId: up.accountId, serial }, { type: 'cut', reason });
      await until(() => raw.closed !== null);
      expect(raw.closed).toEqual({ code: 1008, reason });
      await until(() => up.uplink.sessions() === 0);
    }
    expect(up.calls.filter(({ what }) => what === 'disconnected')).toHaveLength(2);
  });
});

test('a start closes what a dead process left open', async () => {
  const first = await startTestUplink();
  const credential = await first.enrol(serial);
  const raw = await connectDevice(first, credential, {}, until);
  const second = await startTestUplink({ beside: first, bus: createLocalBus(() => undefined) });
  expect(second.calls).toMatchObject([
    { what: 'disconnected', device: { serial }, info: { reason: 'process-gone', epoch: 1 } },
  ]);
  await second.stop();
  raw.close();
  await first.stop();
});

test('open sessions are vouched for, those of living processes are left alone', async () => {
  const first = await startTestUplink();
  const raw = await connectDevice(first, await first.enrol(serial), {}, until);
  const second = await startTestUplink({ beside: first, vouchEvery: 20 });
  const other = await connectDevice(second, await first.enrol('903cb3000002'), {}, until);
  await until(() => second.calls.some((entry) => entry.what === 'seen' && entry.device.serial === '903cb3000002'));
  expect(second.calls.filter(({ what }) => what === 'disconnected')).toEqual([]);
  expect(raw.closed).toBeNull();
  for (const each of [raw, other]) each.close();
  await second.stop();
  await first.stop();
});

test('an end that could not be written is written when the database is back', async () => {
  let away = true;
  let tries = 0;
  const uplink = await startTestUplink({
    vouchEvery: 20,
    end: async () => {
      tries += 1;
      if (away) throw new Error('the database is away');
    },
  });
  const raw = await connectDevice(uplink, await uplink.enrol(serial), {}, until);
  raw.close();
  await until(() => tries > 2);
  const ends = () => uplink.calls.flatMap((entry) => (entry.what === 'disconnected' ? [entry.info] : []));
  expect(ends()).toEqual([]);
  away = false;
  await until(() => ends().length > 0);
  await uplink.stop();
  expect(ends()).toMatchObject([{ reason: 'closed', epoch: 1 }]);
});

test('a stop closes every session like a restart, also those without a connect message', async () => {
  const uplink = await startTestUplink();
  const credential = await uplink.enrol(serial);
  const raw = await connectDevice(uplink, credential, {}, until);
  const mute = await new RawDevice(uplink, await uplink.enrol('903cb3000002')).opened();
  await uplink.stop();
  await until(() => raw.closed !== null && mute.closed !== null);
  expect(raw.closed?.code).toBe(1012);
  expect(uplink.calls.at(-1)).toMatchObject({ what: 'disconnected', info: { reason: 'server-stopped' } });
  const probe = createServer().listen(uplink.uplink.port, '127.0.0.1');
  await once(probe, 'listening');
  probe.close();
});

test('a stop waits for the end of a session whose socket was closed just before', async () => {
  let write: () => void = () => undefined;
  const written = new Promise<void>((resolve) => {
    write = resolve;
  });
  const ends: string[] = [];
  const uplink = await startTestUplink({
    handlers: {
      disconnected: async (_device, { reason }) => {
        await written;
        ends.push(reason);
      },
    },
  });
  const raw = await connectDevice(uplink, await uplink.enrol(serial), {}, until);
  raw.close();
  await until(() => uplink.uplink.sessions() === 0);
  const stopped = uplink.stop().then(() => ends.push('stopped'));
  await refusesConnections(uplink);
  write();
  await stopped;
  expect(ends).toEqual(['closed', 'stopped']);
});

test('a stop waits neither for strangers in the handshake nor for devices that are being admitted', async () => {
  let admit: () => void = () => undefined;
  const admitted = new Promise<void>((resolve) => {
    admit = resolve;
  });
  let asked = 0;
  const uplink = await startTestUplink({
    admit: async () => {
      asked += 1;
      await admitted;
    },
  });
  const stranger = connect(uplink.uplink.port, '127.0.0.1');
  const gone = once(
    stranger.on('error', () => undefined),
    'close',
  );
  stranger.write(Buffer.from('1603010200010001fc0303', 'hex'));
  const raw = new RawDevice(uplink, await uplink.enrol(serial));
  await until(() => asked === 1);
  await uplink.stop();
  await gone;
  await until(() => raw.closed !== null);
  admit();
  await admitted;
  expect([uplink.calls, uplink.uplink.sessions()]).toEqual([[], 0]);
});

async function refusesConnections({ uplink }: TestUplink): Promise<void> {
  const portClosed = () =>
    new Promise<boolean>((resolve) => {
      const probe = connect(uplink.port, '127.0.0.1', () => resolve(!probe.destroy()));
      probe.once('error', () => resolve(true));
    });
  await expect.poll(portClosed).toBe(true);
}
