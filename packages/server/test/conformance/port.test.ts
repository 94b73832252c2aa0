import { connect as connectTcp, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startTestUplink, type TestUplink } from '../../src/uplink/testing/harness.ts';
import { accessPoint, endDevices, type Identity, newSerial, switchOf, turnedAway } from './device-client.ts';
import { makeCertificate, makeKey } from './peer/identity.ts';
import { openTls, upgradeRequest } from './peer/socket.ts';

const silence = 2000;
let test: TestUplink;

beforeAll(async () => {
  test = await startTestUplink({ times: { silence, sweep: 100 } });
});
afterEach(endDevices);
afterAll(() => test.stop());

async function identify(at = test): Promise<Identity> {
  const { serial, key, cert } = await at.enrol(newSerial());
  return { serial, key, cert, ca: at.authority.certificate, server: 'localhost', port: at.uplink.port };
}

const webSocketKey = Buffer.alloc(16, 1).toString('base64');
const reportOf = (what: string, serial: string) =>
  test.calls.filter((entry) => entry.what === what && entry.device.serial === serial);
const ended = (serial: string) =>
  test.calls.flatMap((entry) =>
    entry.what === 'disconnected' && entry.device.serial === serial ? [entry.info.reason] : [],
  );

const closes = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    socket.resume();
    socket.on('error', () => undefined);
    socket.once('close', () => resolve());
  });

describe('silence', () => {
  it('is no absence of a device that pings, nor of one that only answers pings', async () => {
    // access points ping by themselves, switches only every 300 s
    const device = accessPoint(await identify(), { pingAfterMs: 300, hangUpAfterMs: 10_000 });
    const quiet = switchOf(await identify());
    for (const one of [device, quiet]) {
      await one.connect();
      await expect.poll(() => reportOf('connected', one.options.serial).length).toBe(1);
    }
    const since = Date.now();
    await expect.poll(() => Date.now() - since).toBeGreaterThan(3 * silence);
    for (const one of [device, quiet]) {
      expect(one.socket).not.toBeNull();
      expect(ended(one.options.serial)).toEqual([]);
    }
  });

  it('of a device whose link is dead ends its session', async () => {
    const device = accessPoint(await identify());
    await device.connect();
    await expect.poll(() => reportOf('connected', device.options.serial).length).toBe(1);
    device.socket?.tls.pause();
    device.socket?.tls.removeAllListeners('data');
    await expect.poll(() => ended(device.options.serial)).toEqual(['silent']);
  });
});

describe('strangers', () => {
  it('that say nothing, at whatever step, are hung up on', async () => {
    const hasty = await startTestUplink({ times: { handshake: 1500, connect: 1500, sweep: 100 } });
    const identity = await identify(hasty);
    const silent = connectTcp(identity.port, '127.0.0.1');
    const half = connectTcp(identity.port, '127.0.0.1');
    half.write(Buffer.from('1603010200010001fc0303', 'hex'));
    const { options } = accessPoint(identity);
    const shaken = await openTls(options);
    const dribbling = await openTls(options);
    const drip = setInterval(() => dribbling.write('G'), 50);
    const mute = await openTls(options);
    mute.write(upgradeRequest('localhost', webSocketKey));
    await Promise.all([silent, half, shaken, dribbling, mute].map(closes));
    clearInterval(drip);
    await expect.poll(() => hasty.refusals.find(({ serial }) => serial === identity.serial)?.reason).toBeDefined();
    expect(hasty.calls).toEqual([]);
    await hasty.stop();
  });

  it('that were refused are not held half-open', { timeout: 15_000 }, async () => {
    const key = makeKey();
    const cert = makeCertificate({ commonName: newSerial(), key });
    const { ca, port } = await identify();
    const options = {
      host: '127.0.0.1',
      servername: 'localhost',
      port,
      ca,
      key: key.keyPem,
      cert,
      allowHalfOpen: true,
    };
    const socket = connectTls(options as ConnectionOptions);
    const gone = closes(socket);
    socket.write(upgradeRequest('localhost', webSocketKey));
    await new Promise<void>((resolve) => socket.once('end', () => resolve()));
    const drip = setInterval(() => socket.write('more'), 50);
    await gone.finally(() => clearInterval(drip));
  });

  it('that were refused leave nothing that a stop would have to wait for', { timeout: 15_000 }, async () => {
    const other = await startTestUplink();
    const { serial, key, cert } = await other.enrol(newSerial());
    other.unbound.add(serial);
    const identity = {
      serial,
      key,
      cert,
      ca: other.authority.certificate,
      server: 'localhost',
      port: other.uplink.port,
    };
    await turnedAway(accessPoint(identity));
    await other.stop();
  });

  it('of a hundred do not keep a device out', async () => {
    const device = accessPoint(await identify());
    const many = Array.from({ length: 100 }, () =>
      connectTcp(device.options.port, '127.0.0.1').on('error', () => undefined),
    );
    await device.connect();
    await expect.poll(() => reportOf('connected', device.options.serial).length).toBe(1);
    for (const socket of many) socket.destroy();
  });
});

async function shake(
  identity: Identity,
  session?: Buffer,
): Promise<{ socket: TLSSocket; session: Buffer; head: string }> {
  const { key, cert, ca, port } = identity;
  const socket = connectTls({
    host: '127.0.0.1',
    servername: 'localhost',
    port,
    key,
    cert,
    ca,
    ...(session ? { session } : {}),
  });
  socket.on('error', () => undefined);
  const ticket = new Promise<Buffer>((resolve) => socket.once('session', resolve));
  await new Promise((resolve) => socket.once('secureConnect', resolve));
  socket.write(upgradeRequest('localhost', webSocketKey));
  const head = await new Promise<string>((resolve) =>
    socket.once('data', (bytes: Buffer) => resolve(bytes.toString('latin1'))),
  );
  return { socket, session: session ?? (await ticket), head };
}

describe('resumption', () => {
  it('saves a device the handshake, and keeps its identity', async () => {
    const identity = await identify();
    const first = await shake(identity);
    first.socket.destroy();
    const second = await shake(identity, first.session);
    expect([second.socket.isSessionReused(), second.head]).toEqual([true, expect.stringContaining(' 101 ')]);
    second.socket.destroy();
  });

  it('does not bring back a revoked certificate, nor lend an identity to a foreign one', async () => {
    const identity = await identify();
    const first = await shake(identity);
    first.socket.destroy();
    test.unbound.add(identity.serial);
    const second = await shake(identity, first.session);
    expect(second.head).toContain(' 410 ');
    second.socket.destroy();
    const key = makeKey();
    const foreign = { ...identity, key: key.keyPem, cert: makeCertificate({ commonName: identity.serial, key }) };
    const refused = await shake(foreign);
    expect(refused.head).toContain(' 403 ');
    const again = await shake(foreign, refused.session);
    expect(again.head).toContain(' 403 ');
    for (const { socket } of [refused, again]) socket.destroy();
  });
});

describe('take-over', () => {
  it('of a storm of connections leaves one session, the last, and no word of absence', async () => {
    const identity = await identify();
    const devices = Array.from({ length: 12 }, () => accessPoint(identity));
    for (const device of devices) await device.connect();
    await expect.poll(() => devices.filter((device) => device.socket).length).toBe(1);
    expect(devices.at(-1)?.socket).not.toBeNull();
    expect(ended(identity.serial)).toEqual([]);
  });

  it('is not given to a device that is not admitted any more', async () => {
    const identity = await identify();
    const device = accessPoint(identity);
    await device.connect();
    await expect.poll(() => reportOf('connected', identity.serial).length).toBe(1);
    test.unbound.add(identity.serial);
    await turnedAway(accessPoint(identity));
    expect(device.socket).not.toBeNull();
  });
});

describe('authorities', () => {
  const foreign = { commonName: 'Another maker', key: makeKey() };
  const foreignCa = makeCertificate({ ...foreign, isCa: true });
  let shared: TestUplink;

  beforeAll(async () => {
    shared = await startTestUplink({ clientCas: [foreignCa] });
  });
  afterAll(() => shared.stop());

  function birth(commonName: string, more: { notBefore?: Date; notAfter?: Date } = {}): Identity {
    const key = makeKey();
    const cert = makeCertificate({ commonName, key, issuer: foreign, ...more });
    const { authority, uplink } = shared;
    return {
      serial: commonName,
      key: key.keyPem,
      cert,
      ca: authority.certificate,
      server: 'localhost',
      port: uplink.port,
    };
  }
  const refusal = (serial: string | null) =>
    expect.poll(() => shared.refusals.findLast((entry) => entry.serial === serial)?.reason);

  it('that were configured are accepted beside ours, and distinguished', async () => {
    const identity = birth(newSerial());
    await accessPoint(identity).connect();
    await expect
      .poll(() => shared.calls.find(({ device }) => device.serial === identity.serial))
      .toMatchObject({ what: 'connected', link: { ours: false } });
  });

  it.each([
    ['certificate-expired', { notAfter: new Date(Date.now() - 60_000) }],
    ['certificate-not-yet-valid', { notBefore: new Date(Date.now() + 3_600_000) }],
  ])('do not excuse a %s', async (reason, validity) => {
    const identity = birth(newSerial(), validity);
    await turnedAway(accessPoint(identity));
    await refusal(identity.serial).toBe(reason);
  });

  it.each(['console.example.com', '9c00000000', '9C0000000001X', '', 'somebody\nCN=9c0000000001', '9c0000000001\n'])(
    'give no identity to the name %j',
    async (name) => {
      const before = shared.refusals.length;
      await turnedAway(accessPoint({ ...birth(name), serial: newSerial() }));
      await expect.poll(() => shared.refusals.slice(before).map((entry) => entry.reason)).toContain('certificate-name');
    },
  );

  it('do not lower the version of TLS', async () => {
    const { key, cert, ca, port } = birth(newSerial());
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
    const socket = connectTls({ host: '127.0.0.1', servername: 'localhost', port, key, cert, ca, ...old });
    const outcome = await new Promise((resolve) => {
      socket.once('secureConnect', () => resolve('accepted'));
      socket.once('error', () => resolve('refused'));
    });
    socket.destroy();
    expect(outcome).toBe('refused');
  });
});
