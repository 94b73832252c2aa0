import type { TLSSocket } from 'node:tls';
import { deflateSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DeviceError, DeviceOffline, DeviceTimeout } from './device-commands.ts';
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
const ref = () => ({ accountId: up.accountId, serial });
let up: TestUplink;
let device: DeviceCredential;
let raw: RawDevice;
let facts: { subject: string; message: unknown }[];
let neighbours: string[] = [];
let failing = false;

beforeAll(async () => {
  up = await startTestUplink({
    handlers: {
      neighbours: async () => neighbours,
      connected: async (from, connect, link) => {
        if (failing) throw new Error('the database is away');
        up.calls.push({ what: 'connected', device: from, connect, link });
      },
      message: async (from, method, params) => {
        if (method === 'log' && params.log === 'break') throw new Error('a handler that breaks');
        up.calls.push({ what: 'message', device: from, method, params });
      },
    },
  });
  device = await up.enrol(serial);
  up.bus.subscribe('device.>', (message, subject) => facts.push({ subject, message }));
});
afterAll(() => up.stop());
beforeEach(async () => {
  facts = [];
  up.calls.length = 0;
  up.states.length = 0;
  raw = await connectDevice(up, device, {}, until);
});
afterEach(async () => {
  raw.close();
  await until(() => up.uplink.sessions() === 0);
});

const messages = () => up.calls.flatMap((entry) => (entry.what === 'message' ? [entry] : []));
const dropped = async (why: string) => {
  const { values } = await up.metrics.getSingleMetric('yunxun_device_frames_dropped_total')!.get();
  return values.find(({ labels }) => labels.why === why)?.value ?? 0;
};
async function answer(method: string, result: Record<string, unknown>, nth = 1) {
  await until(() => raw.commands.filter((command) => command.method === method).length >= nth);
  const command = raw.commands.filter((each) => each.method === method)[nth - 1]!;
  raw.reply(command.id, { serial, uuid: 1, ...result });
  return command.params;
}
const ok = { status: { error: 0, text: 'Success' } };

describe('messages', () => {
  test('of every method are handled in wire order and published on the bus', async () => {
    const methods = [
      'healthcheck',
      'log',
      'event',
      'telemetry',
      'wifiscan',
      'alarm',
      'crashlog',
      'rebootLog',
      'recovery',
      'ping',
      'cfgpending',
      'never-heard-of',
    ];
    for (const method of methods) raw.notify(method, { serial, uuid: 1, data: { a: 1 } });
    await until(() => messages().length === methods.length);
    expect(messages().map(({ method }) => method)).toEqual(methods);
    await until(() => facts.length >= methods.length + 1);
    const subjects = facts.map(({ subject }) => subject.split('.').at(-1));
    expect(subjects).toEqual(expect.arrayContaining(['connected', 'healthcheck', 'rebootlog', 'unknown']));
    expect(facts.find(({ subject }) => subject.endsWith('.alarm'))?.message).toMatchObject({
      method: 'alarm',
      params: { data: { a: 1 } },
    });
    expect(facts.find(({ subject }) => subject.endsWith('.wifiscan'))?.message).not.toHaveProperty('params');
  });

  test('with a state arrive plain and compressed, and are published without their content', async () => {
    raw.notify('state', { serial, uuid: 7, state: { unit: { uptime: 5 } } });
    const text = JSON.stringify({ serial, uuid: 7, request_uuid: 'r1', state: { unit: { uptime: 6 } } });
    raw.notify('state', { compress_64: deflateSync(text).toString('base64'), compress_sz: text.length });
    await until(() => up.states.length === 2);
    expect(up.states).toMatchObject([{ state: { unit: { uptime: 5 } } }, { state: { unit: { uptime: 6 } } }]);
    await until(() => facts.filter(({ subject }) => subject.endsWith('.state')).length === 2);
    expect(facts.at(-1)?.message).toEqual({ at: expect.any(String), method: 'state', uuid: 7, request_uuid: 'r1' });
  });

  test('with a password store it separately, sealed', async () => {
    raw.notify('deviceupdate', { serial, currentPassword: 'swordfish' });
    await until(() => messages().length === 1);
    expect(up.passwords.get(serial)).toBe('swordfish');
    expect(JSON.stringify([messages(), facts])).not.toContain('swordfish');
    raw.close();
    await until(() => up.uplink.sessions() === 0);
    raw = await connectDevice(up, device, { password: 'trout' }, until);
    expect(up.passwords.get(serial)).toBe('trout');
    expect(JSON.stringify([up.calls, facts])).not.toContain('trout');
  });

  test('that a handler breaks on are lost alone', async () => {
    raw.notify('log', { serial, log: 'break' });
    raw.notify('log', { serial, log: 'fine' });
    await until(() => messages().length === 1);
    expect(messages()[0]).toMatchObject({ params: { log: 'fine' } });
  });

  test('for the venue go to the other devices of the network, and not back', async () => {
    const other = await connectDevice(up, await up.enrol('903cb3000002'), {}, until);
    neighbours = [serial, '903cb3000002', '903cb3000003'];
    raw.notify('venue_broadcast', { serial, timestamp: 5, data: { scan: 1 } });
    await until(() => other.frames.length === 1);
    expect(other.commands[0]).toMatchObject({ method: 'venue_broadcast', params: { timestamp: 5, data: { scan: 1 } } });
    expect(raw.frames).toEqual([]);
    other.close();
  });

  test.each([
    ['no JSON', 'hello', 'json'],
    ['deep JSON', '['.repeat(100_000), 'depth'],
    [
      'a bomb',
      JSON.stringify({
        method: 'state',
        params: { compress_64: deflateSync(Buffer.alloc(64 << 20)).toString('base64') },
      }),
      'inflated-size',
    ],
    ['radius', JSON.stringify({ radius: 'auth', data: 'AAAA' }), 'radius'],
    ['an unexpected reply', JSON.stringify({ jsonrpc: '2.0', id: 77, result: {} }), 'reply'],
  ])('that are %s are counted and survived', async (_, text, why) => {
    const before = await dropped(why);
    raw.send(text);
    raw.notify('ping', { serial });
    await until(() => messages().length === 1);
    expect(await dropped(why)).toBe(before + 1);
    expect(raw.closed).toBeNull();
  });

  test('that are too large end the session with a reason, and disturb no other', async () => {
    const other = await connectDevice(up, await up.enrol('903cb3000002'), {}, until);
    raw.send('x'.repeat(4 * 1024 * 1024 + 1));
    await until(() => raw.closed !== null);
    expect(raw.closed?.code).toBe(1009);
    await until(() => up.calls.some((entry) => entry.what === 'disconnected'));
    expect(up.calls.at(-1)).toMatchObject({ info: { reason: 'oversized-frame' } });
    other.notify('ping', { serial: '903cb3000002' });
    await until(() => messages().length === 1);
    other.close();
  });

  test('that come faster than they are handled make the socket wait, not the memory grow', async () => {
    for (let n = 0; n < 2000; n += 1) raw.notify('log', { serial, log: String(n) });
    await until(() => messages().length === 2000);
    expect(messages().map(({ params }) => params.log)).toEqual(Array.from({ length: 2000 }, (_, n) => String(n)));
  });

  test('that say connect again bring the news without a new session', async () => {
    raw.notify('connect', { ...connectParams(serial), uuid: 9 });
    await until(() => up.calls.length === 2);
    const [first, second] = up.calls as { link: { epoch: number }; connect: { uuid: number } }[];
    expect(second?.connect.uuid).toBe(9);
    expect(second?.link.epoch).toBe(first?.link.epoch);
  });
});

describe('commands', () => {
  test('of every kind go out as the protocol has them', async () => {
    const { commands } = up;
    const leds = commands.leds(ref(), 'blink', 10);
    expect(await answer('leds', ok)).toEqual({ serial, pattern: 'blink', duration: 10, when: 0 });
    const reboot = commands.reboot(ref());
    expect(await answer('reboot', ok)).toEqual({ serial, when: 0 });
    await reboot;
    const factory = commands.factory(ref(), true);
    expect(await answer('factory', ok)).toEqual({ serial, when: 0, keep_redirector: 1 });
    await factory;
    const upgrade = commands.upgrade(ref(), { uri: 'https://x/y.bin' });
    expect(await answer('upgrade', ok)).toEqual({ serial, when: 0, keep_redirector: 1, uri: 'https://x/y.bin' });
    const scan = commands.wifiscan(ref(), { active: true });
    await answer('wifiscan', { status: { error: 0, scan: [{ bssid: 'a' }] } });
    const event = commands.event(ref(), ['client']);
    await answer('event', { ...ok, events: { client: [] } });
    const script = commands.script(ref(), 'shell', 'echo hi', 5);
    expect(await answer('script', { status: { error: 3, result: 'hi' } })).toMatchObject({
      type: 'shell',
      script: Buffer.from('echo hi').toString('base64'),
      timeout: 5,
    });
    await Promise.all([leds, upgrade]);
    expect(await scan).toEqual([{ bssid: 'a' }]);
    expect(await event).toEqual({ client: [] });
    expect(await script).toEqual({ exitCode: 3, output: 'hi' });
  });

  test('that configure tell what the device made of it', async () => {
    const push = up.commands.configure(ref(), { radios: [], uuid: 3 }, 9);
    expect(await answer('configure', { uuid: 9, ...ok })).toEqual({
      serial,
      uuid: 9,
      when: 0,
      config: { radios: [], uuid: 9 },
    });
    expect(await push).toEqual({ outcome: 'applied', rejected: [] });
    const again = up.commands.configure(ref(), {}, 8);
    await answer('configure', { uuid: 9, status: { error: 0, text: 'Already applied.' } }, 2);
    expect(await again).toEqual({ outcome: 'stale', active: 9 });
    const refused = up.commands.configure(ref(), {}, 10);
    await answer('configure', { uuid: 9, status: { error: 2, text: 'Failed', rejected: ['[E] no'] } }, 3);
    expect(await refused).toEqual({ outcome: 'rejected', text: 'Failed', rejected: ['[E] no'] });
  });

  test('that refresh fall back to a script where the firmware lost its service', async () => {
    const refresh = up.commands.refresh(ref(), 'state');
    expect(await answer('request', { status: { error: 1, text: 'failed to execute ustats' } })).toMatchObject({
      message: 'state',
      request_uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    const { script } = await answer('script', { status: { error: 0, result: '' } });
    expect(Buffer.from(String(script), 'base64').toString()).toContain('/usr/share/ucentral/state.uc');
    expect(await refresh).toEqual({ by: 'script' });
  });

  test('that ask for telemetry stop it by themselves', async () => {
    const telemetry = up.commands.telemetry(ref(), 1, ['wifi-frames'], 0.05);
    await answer('telemetry', ok);
    await telemetry;
    expect(await answer('telemetry', ok, 2)).toEqual({ serial, interval: 0, types: ['wifi-frames'] });
  });

  test('fail as offline without a session, time out without an answer, and fail on a bad one', async () => {
    const unknown = { ...ref(), serial: '000000000000' };
    await expect(up.commands.reboot(unknown)).rejects.toThrow(DeviceOffline);
    await expect(up.commands.call(ref(), 'ping', {}, { timeoutMs: 20 })).rejects.toThrow(DeviceTimeout);
    const leds = up.commands.leds(ref(), 'on', 1).catch((error: unknown) => error);
    await answer('leds', { status: { error: 2, text: 'invalid parameters' } });
    expect(await leds).toBeInstanceOf(DeviceError);
    expect(await leds).toMatchObject({ code: 'STATUS', message: 'invalid parameters' });
    const lost = up.commands.reboot(ref()).catch((error: unknown) => error);
    await until(() => raw.commands.some(({ method }) => method === 'reboot'));
    raw.close();
    expect(await lost).toMatchObject({ name: 'DeviceOffline', sent: true });
    await until(() => up.uplink.sessions() === 0);
    await expect(up.commands.reboot(ref())).rejects.toMatchObject({ name: 'DeviceOffline', sent: false });
  });

  test('fail at once after a protocol error, although the connection stays half-open', async () => {
    const pending = up.commands.reboot(ref()).catch((error: unknown) => error);
    await until(() => raw.commands.some(({ method }) => method === 'reboot'));
    const { _socket: socket } = raw.socket as unknown as { _socket: TLSSocket };
    socket.pause();
    // a masked frame with a reserved opcode
    socket.write(Buffer.from([0x83, 0x80, 0, 0, 0, 0]));
    expect(await pending).toMatchObject({ name: 'DeviceOffline' });
    await expect(up.commands.reboot(ref())).rejects.toMatchObject({ name: 'DeviceOffline', sent: false });
    // less than the 30 seconds of ws itself
  }, 25_000);

  test('to a device in its recovery system configure nothing', async () => {
    raw.close();
    await until(() => up.uplink.sessions() === 0);
    raw = await connectDevice(up, device, { uuid: 0 }, until);
    await expect(up.commands.configure(ref(), {}, 5)).rejects.toMatchObject({ code: 'RECOVERY_BOOT' });
    expect(raw.frames).toEqual([]);
  });
});

test('a session that the program could not begin is not kept, and the next one is', async () => {
  raw.close();
  await until(() => up.uplink.sessions() === 0);
  failing = true;
  raw = await new RawDevice(up, device).opened();
  raw.notify('connect', connectParams(serial));
  await until(() => raw.closed !== null);
  expect(raw.closed?.code).toBe(1011);
  failing = false;
  raw = await connectDevice(up, device, {}, until);
});

test('no session holds the device before connect, and missing capabilities are accepted', async () => {
  raw.close();
  await until(() => up.uplink.sessions() === 0);
  raw = await new RawDevice(up, device).opened();
  await expect(up.commands.reboot(ref())).rejects.toThrow(DeviceOffline);
  const before = up.calls.length;
  raw.notify('connect', { serial, capabilities: 'none', firmware: 7, uuid: '12' });
  await until(() => up.calls.length > before);
  expect(up.calls.at(-1)).toMatchObject({ connect: { firmware: null, uuid: 12, platform: null, capabilities: {} } });
});
