import 'reflect-metadata';
import { createHash, X509Certificate } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import { deflateSync, inflateSync } from 'node:zlib';
import { Pkcs10CertificateRequest } from '@peculiar/x509';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { AccessPoint } from './peer/access-point.ts';
import type { FirmwareOptions } from './peer/firmware.ts';
import { DeviceFlash } from './peer/flash.ts';
import { acceptsServer, matchHostname } from './peer/hostname.ts';
import { makeCertificate, makeKey, makeRequest } from './peer/identity.ts';
import type { Json } from './peer/json.ts';
import { BadHostname, UpgradeRefused } from './peer/socket.ts';
import { Switch } from './peer/switch.ts';
import { encodeFrame, FrameReader, opcodes } from './peer/websocket.ts';

const authority = { commonName: 'Test CA', key: makeKey() };
const ca = makeCertificate({ ...authority, isCa: true });
const serverKey = makeKey();
const serverCert = (commonName: string, dns: string[] = []): string =>
  makeCertificate({ commonName, dns, key: serverKey, issuer: authority });
const serial = '903cb3000001';
const deviceKey = makeKey();
const device = {
  key: deviceKey.keyPem,
  cert: makeCertificate({ commonName: serial, key: deviceKey, issuer: authority }),
  ca,
};
const good: Json = {
  uuid: 0,
  interfaces: [{ role: 'upstream', ethernet: [{ 'select-ports': ['WAN*'] }] }],
  radios: [{ band: '5G' }],
};

class Controller {
  server!: Server;
  socket: TLSSocket | null = null;
  head = '';
  messages: Json[] = [];
  frames: { opcode: number; masked: boolean; text: string }[] = [];
  answersPings = true;
  echoesProtocol = true;
  status = '101 Switching Protocols';

  async start(names: string[]): Promise<number> {
    const [commonName = '', ...dns] = names;
    const options = {
      key: serverKey.keyPem,
      cert: serverCert(commonName, dns),
      ca,
      requestCert: true,
      rejectUnauthorized: true,
    };
    this.server = createServer(options, (socket) => this.#accept(socket));
    this.server.on('tlsClientError', () => undefined);
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return (this.server.address() as AddressInfo).port;
  }

  send(message: Json | string, fin = true, opcode: number = opcodes.text): void {
    const text = typeof message === 'string' ? message : JSON.stringify(message);
    this.socket?.write(encodeFrame(text, { masked: false, fin, opcode }));
  }

  call(id: unknown, method: string, params: Json = {}): void {
    this.send({ jsonrpc: '2.0', id, method, params: { serial, ...params } });
  }

  reply(id: unknown): Json | undefined {
    return this.messages.find((message) => message.id === id)?.result as Json | undefined;
  }

  of(method: string): Json[] {
    return this.messages.filter((message) => message.method === method).map((message) => message.params as Json);
  }

  #accept(socket: TLSSocket): void {
    this.socket = socket;
    const reader = new FrameReader();
    let upgraded = false;
    socket.on('error', () => socket.destroy());
    socket.on('data', (bytes: Buffer) => {
      if (!upgraded) {
        upgraded = true;
        this.head = bytes.toString();
        const key = /Sec-WebSocket-Key: (\S+)/.exec(this.head)?.[1];
        const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
        const protocol = this.echoesProtocol ? 'Sec-WebSocket-Protocol: ucentral-broker\r\n' : '';
        socket.write(
          `HTTP/1.1 ${this.status}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n${protocol}Sec-WebSocket-Accept: ${accept}\r\n\r\n`,
        );
        return;
      }
      for (const frame of reader.push(bytes)) {
        this.frames.push({ opcode: frame.opcode, masked: frame.masked, text: frame.payload.toString() });
        if (frame.opcode === opcodes.ping && this.answersPings) this.send(frame.payload.toString(), true, opcodes.pong);
        if (frame.opcode === opcodes.text) this.messages.push(JSON.parse(frame.payload.toString()));
      }
    });
  }
}

let controller: Controller;
let port: number;
const devices: { cut(): unknown }[] = [];
const options = (more: Partial<FirmwareOptions> = {}): FirmwareOptions => ({
  ...device,
  serial,
  server: 'console.example.com',
  address: '127.0.0.1',
  port,
  validateHostname: true,
  ...more,
});

async function accessPoint(more: Partial<FirmwareOptions> = {}): Promise<AccessPoint> {
  const peer = new AccessPoint(options(more));
  devices.push(peer);
  await peer.connect();
  await seen(() => controller.of('connect')[0]);
  return peer;
}

const seen = <T>(find: () => T | undefined): Promise<T> =>
  expect
    .poll(find)
    .toBeDefined()
    .then(() => find() as T);

beforeAll(async () => {
  controller = new Controller();
  port = await controller.start(['console.example.com']);
});
afterAll(() => controller.server.close());
afterEach(() => {
  for (const peer of devices.splice(0)) peer.cut();
  Object.assign(controller, {
    messages: [],
    frames: [],
    head: '',
    answersPings: true,
    echoesProtocol: true,
    status: '101 Switching Protocols',
  });
});

describe('identity', () => {
  it('makes requests and certificates that others take', async () => {
    const request = new Pkcs10CertificateRequest(makeRequest(serial, deviceKey));
    expect(request.subject).toBe(`CN=${serial}`);
    expect(await request.verify()).toBe(true);
    expect(await new Pkcs10CertificateRequest(makeRequest(serial, deviceKey, makeKey())).verify()).toBe(false);
    const certificate = new X509Certificate(device.cert);
    expect(certificate.verify(new X509Certificate(ca).publicKey)).toBe(true);
    expect(certificate.checkPrivateKey(deviceKey.privateKey)).toBe(true);
  });
});

describe('server name', () => {
  it.each([
    ['a.example.com', 'a.example.com', true],
    ['a.example.com', '*.example.com', true],
    ['a.b.example.com', '*.example.com', true],
    ['example.com', '*.example.com', false],
    ['badexample.com', '*.example.com', false],
    ['A.example.com', 'a.example.com', false],
    ['a.example.com', 'a.*', false],
  ])('%s fits %s: %s', (server, name, fits) => {
    expect(matchHostname(server, name)).toBe(fits);
  });

  it('is looked for in the CN, and in the SAN by newer firmware', () => {
    const names = { commonName: 'other', dns: ['a.example.com'] };
    expect(acceptsServer('a.example.com', names, true)).toBe(true);
    expect(acceptsServer('a.example.com', names, false)).toBe(false);
  });

  it('that does not fit makes the device leave, in old and new firmware', async () => {
    await expect(new AccessPoint(options({ server: 'other.example.com' })).connect()).rejects.toThrow(BadHostname);
    const second = new Controller();
    const inSan = await second.start(['localhost', 'console.example.com']);
    await expect(new AccessPoint(options({ port: inSan, readsAlternativeNames: false })).connect()).rejects.toThrow(
      BadHostname,
    );
    const peer = new AccessPoint(options({ port: inSan }));
    await peer.connect();
    peer.cut();
    second.server.close();
  });
});

describe('transport', () => {
  it('upgrades as libwebsockets does and masks its frames', async () => {
    const peer = await accessPoint();
    expect(controller.head).toMatch(/^GET \/ HTTP\/1\.1\r\n/);
    expect(controller.head).toContain('\r\nHost: console.example.com\r\nOrigin: http://console.example.com\r\n');
    expect(controller.head).toContain('Sec-WebSocket-Protocol: ucentral-broker');
    expect(controller.head).not.toMatch(/extensions|user-agent/i);
    expect(peer.socket?.subprotocol).toBe('ucentral-broker');
    expect(peer.socket?.tls.getProtocol()).toBe('TLSv1.3');
    expect(controller.frames.every((frame) => frame.masked)).toBe(true);
  });

  it('does without an echoed subprotocol, and not without a 101', async () => {
    controller.echoesProtocol = false;
    expect((await accessPoint()).socket?.subprotocol).toBeNull();
    controller.status = '403 Forbidden';
    await expect(new AccessPoint(options()).connect()).rejects.toThrow(UpgradeRefused);
  });

  it('pings when idle, stays while pongs come and hangs up without', async () => {
    const peer = await accessPoint({ pingAfterMs: 30, hangUpAfterMs: 5000 });
    await seen(() => controller.frames.filter((frame) => frame.opcode === opcodes.ping)[2]);
    expect(peer.socket).not.toBeNull();
    controller.answersPings = false;
    expect(await peer.closed).toEqual({ code: null, reason: '', noPong: true });
  });
});

const filler = (size: number): Json => ({ uuid: 5, config: { ...good, uuid: 5, note: 'x'.repeat(size) } });

describe('access point', () => {
  it('introduces itself, unconfigured as 1, from the ramdisk as 0, and flushes its events', async () => {
    const peer = new AccessPoint(options({ bootCause: 'coldboot' }));
    devices.push(peer);
    for (let at = 0; at < 260; at += 1) peer.event('client.join', { at });
    await peer.connect();
    await seen(() => controller.of('event')[249]);
    expect(controller.of('connect')).toMatchObject([{ serial, uuid: 1, reason: 'coldboot' }]);
    expect(controller.of('event')[0]).toMatchObject({ data: { event: [expect.any(Number), { payload: { at: 10 } }] } });
    await accessPoint({ recovery: true });
    await expect.poll(() => controller.of('connect')[1]).toMatchObject({ uuid: 0, reason: 'socket' });
  });

  it('takes 32 KiB in one frame and chokes on more, and on fragments', async () => {
    await accessPoint();
    controller.call(1, 'configure', filler(30_000));
    expect(await seen(() => controller.reply(1))).toMatchObject({ uuid: 5, status: { error: 0, text: 'Success' } });
    controller.call(2, 'configure', filler(40_000));
    expect(await seen(() => controller.of('log')[1])).toEqual({ serial, log: 'failed to parse command', severity: 2 });
    const half = JSON.stringify({ jsonrpc: '2.0', id: 3, method: 'ping', params: { serial } });
    controller.send(half.slice(0, 20), false);
    controller.send(half.slice(20), true, opcodes.continuation);
    await seen(() => controller.of('log')[3]);
    controller.call(4, 'ping');
    await seen(() => controller.reply(4));
    expect([controller.reply(2), controller.reply(3)]).toEqual([undefined, undefined]);
  });

  it('keeps to rising uuids', async () => {
    const peer = await accessPoint();
    const configure = (id: unknown, uuid: number, inner: number | undefined = uuid, more: Json = {}): void =>
      controller.call(id, 'configure', { uuid, config: { ...good, ...more, uuid: inner } });
    configure(1, 100);
    expect(await seen(() => controller.reply(1))).toMatchObject({ uuid: 100, status: { error: 0 } });
    configure(2, 90);
    expect(await seen(() => controller.reply(2))).toMatchObject({
      uuid: 100,
      status: { error: 0, text: 'Already applied.' },
    });
    controller.call(3, 'configure', { uuid: 101, config: { interfaces: good.interfaces } });
    expect(await seen(() => controller.reply(100))).toMatchObject({ uuid: 0, status: { error: 2 } });
    expect(controller.reply(3)).toBeUndefined();
    configure(4, 2 ** 31);
    expect(await seen(() => controller.reply(4))).toMatchObject({
      uuid: 0,
      status: { error: 1, text: 'invalid parameters' },
    });
    configure(5, 110, 110, { radios: [{ band: '7G' }] });
    expect(await seen(() => controller.reply(5))).toMatchObject({
      uuid: 110,
      status: { error: 2, text: 'Failed', rejected: [expect.stringMatching(/^\[E\] \(In \/radios\/0\/band\)/)] },
    });
    expect([peer.uuidActive, peer.flash.newest()]).toEqual([100, 110]);
    configure(6, 105);
    expect(await seen(() => controller.reply(6))).toMatchObject({ uuid: 110, status: { error: 2 } });
    configure(2 ** 40, 120);
    await expect.poll(() => peer.uuidActive).toBe(120);
    controller.call(2 ** 40, 'ping');
    await seen(() => controller.reply(0));
    controller.call('text', 'ping');
    await expect.poll(() => controller.messages.filter((message) => message.id === 0).length).toBe(2);
    const restarted = new AccessPoint(options({ flash: peer.flash }));
    expect(restarted.uuidActive).toBe(120);
  });

  it('inflates configure and compresses state', async () => {
    const peer = await accessPoint();
    const params = JSON.stringify({ serial, uuid: 7, config: { ...good, uuid: 7, note: 'x'.repeat(200_000) } });
    const compress_64 = deflateSync(params).toString('base64');
    controller.call(1, 'configure', { compress_64, compress_sz: 1000 });
    expect(await seen(() => controller.reply(1))).toMatchObject({ status: { error: 1 } });
    controller.call(2, 'configure', { compress_64, compress_sz: params.length });
    expect(await seen(() => controller.reply(2))).toMatchObject({ uuid: 7, status: { error: 0 } });
    peer.state({ unit: { uptime: 1 } });
    peer.state({ note: 'y'.repeat(3000) });
    const [plain, packed] = await seen(() =>
      controller.of('state').length === 2 ? controller.of('state') : undefined,
    );
    expect(plain).toMatchObject({ uuid: 7, state: { unit: { uptime: 1 } } });
    const inflated = inflateSync(Buffer.from(String(packed?.compress_64), 'base64'));
    expect([inflated.length, JSON.parse(inflated.toString())]).toMatchObject([
      packed?.compress_sz,
      { serial, uuid: 7 },
    ]);
    controller.call(3, 'configure', { uuid: 8, compress: false, config: { ...good, uuid: 8 } });
    await seen(() => controller.reply(3));
    peer.state({ note: 'y'.repeat(3000) });
    await expect.poll(() => controller.of('state')[2]).toMatchObject({ state: { note: expect.any(String) } });
  });

  it('answers commands with its quirks', async () => {
    const peer = await accessPoint({ actionMs: 0 });
    controller.call(1, 'nonsense');
    controller.call(2, 'rrm', { actions: [] });
    controller.call(3, 'package', { op: 'list', package: 'x' });
    controller.call(4, 'request', { message: 'state', request_uuid: 'u' });
    controller.call(5, 'leds', { pattern: 'blink', duration: 5 });
    controller.call(6, 'telemetry', { interval: 5, types: ['event'] });
    peer.remember('event', { a: 1 });
    controller.call(7, 'event', { types: ['event'] });
    controller.send({ jsonrpc: '1.0', id: 8, method: 'ping', params: {} });
    controller.call(9, 'script', { type: 'shell', script: Buffer.from('echo').toString('base64') });
    controller.call(10, 'wifiscan', {});
    controller.call(11, 'reboot', { when: 0 });
    expect(await seen(() => controller.reply(11))).toMatchObject({ status: { text: 'triggered command action' } });
    expect(controller.messages.filter((message) => message.id === 3)).toHaveLength(2);
    expect([controller.reply(1), controller.reply(2), controller.reply(8)]).toEqual([undefined, undefined, undefined]);
    expect(controller.reply(4)).toMatchObject({ status: { error: 1, text: 'failed to execute ustats' } });
    expect(controller.of('telemetry')).toEqual([{ serial, data: {} }]);
    expect(controller.reply(7)).toMatchObject({ events: { event: [[expect.any(Number), { a: 1 }]] } });
    expect(controller.of('log')).toMatchObject([{ log: 'received invalid jsonrpc call', severity: 3 }]);
    expect(controller.reply(10)).toMatchObject({ status: { scan: [{ ssid: 'Neighbour' }] } });
    await peer.closed;
    expect(peer.actions).toEqual(['reboot']);
    await peer.connect();
    await expect.poll(() => controller.of('connect')[1]).toMatchObject({ reason: 'reboot' });
  });
});

describe('switch', () => {
  it('has no compression, a large buffer, no reason, and Success for anything', async () => {
    const flash = new DeviceFlash();
    const peer = new Switch(options({ flash, bootCause: 'coldboot' }));
    devices.push(peer);
    await peer.connect();
    expect(await seen(() => controller.of('event')[0])).toMatchObject({
      data: { event: [0, { type: 'device.reboot', payload: { description: 'coldboot' } }] },
    });
    expect(controller.of('connect')[0]).not.toHaveProperty('reason');
    controller.call(1, 'configure', { compress_64: 'eJw=', compress_sz: 5 });
    expect(await seen(() => controller.reply(1))).toMatchObject({ status: { error: 2, text: 'invalid parameters' } });
    controller.call(2, 'nonsense');
    expect(await seen(() => controller.reply(2))).toMatchObject({ status: { error: 0, text: 'Success' } });
    controller.call(3, 'configure', { uuid: 9, config: { uuid: 9, note: 'x'.repeat(200_000) } });
    expect(await seen(() => controller.reply(3))).toMatchObject({ uuid: 9, status: { error: 0 } });
  });

  it('says 0 in state after a start, and afterwards the last uuid it was sent, good or bad', async () => {
    const flash = new DeviceFlash();
    flash.active = 5;
    const peer = new Switch(options({ flash, render: () => ({ error: 2, rejected: ['no such port'] }) }));
    devices.push(peer);
    await peer.connect();
    peer.state({});
    controller.call(1, 'configure', { uuid: 9, config: { uuid: 9 } });
    const refused = { uuid: 9, status: { error: 2, text: 'no such port' } };
    expect(await seen(() => controller.reply(1))).toMatchObject(refused);
    peer.state({});
    await expect.poll(() => controller.of('state').map((params) => params.uuid)).toEqual([0, 9]);
    expect(controller.of('connect')[0]).toMatchObject({ uuid: 5 });
  });
});
