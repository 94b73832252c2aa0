import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Registered, startTestServer, type TestServer } from '../server.ts';
import { accessPoint, endDevices, enrol, listed, listedAs, onboarding, switchOf } from './device-client.ts';
import { accessPointCapabilities } from './peer/access-point.ts';
import { BadHostname } from './peer/socket.ts';
import { opcodes } from './peer/websocket.ts';

/** Sessions of the firmware (docs/protocol.md, Connection). */

let server: TestServer;
let owner: Registered;

beforeAll(async () => {
  server = await startTestServer();
  owner = await server.register();
});
afterEach(endDevices);
afterAll(() => server.stop());

const station = (at: number) => ({
  station: `02:00:00:00:00:${at.toString(16).padStart(2, '0')}`,
  connected: 60,
  rssi: -50,
  rx_bytes: 1000,
  tx_bytes: 2000,
});

function report(stations: number): Record<string, unknown> {
  return {
    version: 1,
    unit: {
      localtime: 1_790_000_000,
      uptime: 3600,
      load: [0.1, 0.1, 0.1],
      memory: { total: 1000, free: 400, cached: 100, buffered: 0 },
    },
    radios: [{ channel: 36, channel_width: 80, tx_power: 20, band: ['5G'], phy: 'soc/c000000.wifi' }],
    interfaces: [
      {
        name: 'up0v0',
        location: '/interfaces/0',
        ipv4: { addresses: ['192.168.1.20/24'] },
        counters: { rx_bytes: 1, tx_bytes: 1 },
        ssids: [
          {
            ssid: 'Lobby',
            band: '5G',
            bssid: '9c:00:00:00:00:01',
            radio: { $ref: '#/radios/0' },
            counters: {},
            associations: Array.from({ length: stations }, (_, at) => station(at)),
          },
        ],
      },
    ],
  };
}

describe('transport', () => {
  it('has the device host in CN and SAN, so that old and new firmware stay', async () => {
    const identity = await enrol(server, owner);
    for (const readsAlternativeNames of [false, true]) {
      const device = accessPoint(identity, { readsAlternativeNames });
      await device.connect();
      const peer = device.socket?.tls.getPeerCertificate();
      expect([peer?.subject.CN, peer?.subjectaltname]).toEqual(['localhost', 'DNS:localhost']);
      await device.cut();
    }
    await expect(accessPoint(identity, { server: 'elsewhere.example.com' }).connect()).rejects.toThrow(BadHostname);
  });

  it.each(['TLSv1.2', 'TLSv1.3'] as const)('speaks %s', async (version) => {
    const device = accessPoint(await enrol(server, owner), { minVersion: version, maxVersion: version });
    await device.connect();
    expect(device.socket?.tls.getProtocol()).toBe(version);
    expect([null, 'ucentral-broker']).toContain(device.socket?.subprotocol);
    await listedAs(server, owner, device.options.serial, { status: 'online' });
  });

  it('answers pings, and never compresses or masks', async () => {
    const device = accessPoint(await enrol(server, owner), { pingAfterMs: 20, hangUpAfterMs: 5000 });
    await device.connect();
    let pongs = 0;
    device.socket?.on('pong', () => {
      pongs += 1;
    });
    const frames: { opcode: number; masked: boolean }[] = [];
    device.socket?.on('frame', (frame) => frames.push(frame));
    await expect.poll(() => pongs).toBeGreaterThanOrEqual(3);
    expect(frames.every(({ masked }) => !masked)).toBe(true);
    expect(device.socket).not.toBeNull();
  });

  it('survives a device that pings with a payload and sends its messages in fragments', async () => {
    const identity = await enrol(server, owner);
    const device = accessPoint(identity);
    await device.connect();
    const pongs: string[] = [];
    device.socket?.on('frame', ({ opcode, payload }) => opcode === opcodes.pong && pongs.push(payload.toString()));
    device.socket?.sendFrame('still there?', { opcode: opcodes.ping });
    const text = JSON.stringify({
      jsonrpc: '2.0',
      method: 'healthcheck',
      params: { serial: identity.serial, uuid: 1, sanity: 73, data: {} },
    });
    device.socket?.sendFrame(text.slice(0, 30), { fin: false });
    device.socket?.sendFrame('', { opcode: opcodes.ping });
    device.socket?.sendFrame(text.slice(30), { opcode: opcodes.continuation });
    await listedAs(server, owner, identity.serial, { sanity: 73 });
    expect(pongs).toContain('still there?');
  });
});

describe('presence', () => {
  it('is online from the connect message to the end of the socket, however it ends', async () => {
    const identity = await enrol(server, owner);
    const device = accessPoint(identity);
    await device.connect();
    await listedAs(server, owner, identity.serial, { status: 'online', version: 'OpenWrt 25.12 / TIP-5.1.0' });
    device.socket?.close();
    await listedAs(server, owner, identity.serial, { status: 'offline' });
    await device.connect();
    await listedAs(server, owner, identity.serial, { status: 'online' });
    await device.cut();
    const row = await listedAs(server, owner, identity.serial, { status: 'offline' });
    expect(row.last_seen).not.toBeNull();
  });

  it('of a second connection takes over, and the first is closed', async () => {
    const identity = await enrol(server, owner);
    const [first, second] = [accessPoint(identity), accessPoint(identity)];
    await first.connect();
    await listedAs(server, owner, identity.serial, { status: 'online' });
    await second.connect();
    await first.closed;
    expect(second.socket).not.toBeNull();
    expect(await listed(server, owner, identity.serial)).toMatchObject({ status: 'online' });
    second.state(report(1));
    await listedAs(server, owner, identity.serial, { status: 'online', online_user: 1 });
  });

  it('survives a restart of the server: the device comes back and is listed', async () => {
    const identity = await enrol(server, owner);
    const before = accessPoint(identity);
    await before.connect();
    await listedAs(server, owner, identity.serial, { status: 'online' });
    await server.restart();
    await before.closed;
    const { port } = (await onboarding(server, owner)).server;
    const after = accessPoint({ ...identity, port });
    await after.connect();
    await listedAs(server, owner, identity.serial, { status: 'online' });
  });
});

describe('messages', () => {
  it('of state arrive plain and compressed, and stay as last-known values', async () => {
    const identity = await enrol(server, owner);
    const device = accessPoint(identity);
    await device.connect();
    device.state({ ...report(0), interfaces: [] });
    await listedAs(server, owner, identity.serial, { as_of: expect.any(String) });
    device.state(report(30));
    await listedAs(server, owner, identity.serial, { online_user: 30 });
    await device.cut();
    await listedAs(server, owner, identity.serial, { status: 'offline', online_user: 30, as_of: expect.any(String) });
  });

  it('of every kind are taken, known or not, whole or with fields missing', async () => {
    const identity = await enrol(server, owner);
    const { serial } = identity;
    const device = accessPoint(identity);
    device.event('wired.carrier-up', { name: 'WAN' });
    await device.connect();
    device.notify('log', { serial, log: 'something', severity: 3 });
    device.notify('telemetry', { serial, data: {} });
    device.notify('telemetry', { serial, adhoc: 1, data: { event: [[1, {}]] } });
    device.notify('wifiscan', { serial, uuid: 1, data: [] });
    device.notify('alarm', { serial, data: { what: 'ever' } });
    device.notify('crashlog', { serial, uuid: 1, loglines: ['oops'] });
    device.notify('rebootLog', { serial, uuid: 1, type: 'console', date: 1, info: [] });
    device.notify('deviceupdate', { serial, currentPassword: 'secret' });
    device.notify('venue_broadcast', { serial, timestamp: 1, data: {} });
    device.notify('ping', { serial, uuid: 1 });
    device.notify('cfgpending', { serial, active: 1, uuid: 2 });
    device.notify('somethingNew', { serial });
    device.sendJson({ radius: 'auth', data: 'AAAA' });
    for (const method of [
      'state',
      'healthcheck',
      'log',
      'event',
      'telemetry',
      'wifiscan',
      'alarm',
      'rebootLog',
      'recovery',
    ]) {
      device.notify(method, {});
      device.notify(method, { serial, uuid: 'x', state: 7, data: 7, log: {}, severity: 'high', sanity: 'most' });
    }
    device.notify('healthcheck', { serial, uuid: 1, sanity: 41, data: { unit: { memory: 10 } } });
    await listedAs(server, owner, serial, { sanity: 41 });
    expect(device.socket).not.toBeNull();
    expect(device.received.filter(({ command }) => command?.method === undefined)).toEqual([]);
  });

  it('of a recovery system that asks to be restarted are answered by a restart, once', async () => {
    const identity = await enrol(server, owner);
    const { serial } = identity;
    const device = accessPoint(identity, { recovery: true, bootCause: 'recovery' });
    await device.connect();
    const recovery = (reboot: unknown) =>
      device.notify('recovery', {
        serial,
        uuid: 0,
        firmware: 'OpenWrt 5.1.0',
        reboot,
        loglines: ['no root file system'],
      });
    for (const reboot of ['false', false, undefined, 1, {}]) recovery(reboot);
    device.notify('healthcheck', { serial, uuid: 0, sanity: 51, data: {} });
    await listedAs(server, owner, serial, { sanity: 51 });
    expect(device.received).toEqual([]);
    for (const reboot of ['true', true]) recovery(reboot);
    device.notify('healthcheck', { serial, uuid: 0, sanity: 52, data: {} });
    await listedAs(server, owner, serial, { sanity: 52 });
    expect((await device.command('reboot')).params).toEqual({ serial, when: 0 });
    expect(device.received).toHaveLength(1);
    expect(device.answered).toMatchObject([{ result: { status: { error: 0 } } }]);
    await listedAs(server, owner, serial, { status: 'restarting' });
  });

  it('of a switch connect without a reason', async () => {
    const device = switchOf(await enrol(server, owner), { bootCause: 'coldboot' });
    await device.connect();
    await listedAs(server, owner, device.options.serial, {
      status: 'online',
      kind: 'switch',
      model: 'Edgecore ECS4150',
    });
    device.state({ unit: { uptime: 5 }, 'link-state': { upstream: { Ethernet0: { carrier: 1, speed: '1000' } } } });
    await listedAs(server, owner, device.options.serial, { as_of: expect.any(String) });
  });

  it('with the serial in another form are of the same device', async () => {
    const identity = await enrol(server, owner);
    const device = accessPoint(identity);
    device.options.serial = (identity.serial.match(/../g) as string[]).join(':').toUpperCase();
    await device.connect();
    await listedAs(server, owner, identity.serial, { status: 'online' });
  });

  it('may lack everything but the serial', async () => {
    const identity = await enrol(server, owner);
    const device = accessPoint(identity, { capabilities: {} });
    await device.connect();
    await listedAs(server, owner, identity.serial, { status: 'online' });
    device.options.capabilities = accessPointCapabilities;
    device.notify('connect', { serial: identity.serial });
    device.notify('healthcheck', { serial: identity.serial, sanity: 12 });
    await listedAs(server, owner, identity.serial, { status: 'online', sanity: 12 });
  });
});
