import { deflateSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Registered, startTestServer, type TestServer } from '../server.ts';
import {
  accessPoint,
  endDevices,
  enrol,
  type Identity,
  listed,
  listedAs,
  onboarding,
  turnedAway,
} from './device-client.ts';
import type { AccessPoint } from './peer/access-point.ts';
import { makeCertificate, makeKey } from './peer/identity.ts';
import { openTls, upgradeRequest } from './peer/socket.ts';
import { encodeFrame, type FrameOptions, opcodes } from './peer/websocket.ts';

let server: TestServer;
let owner: Registered;
let good: Identity;
let witness: AccessPoint;
let turn = 0;

beforeAll(async () => {
  server = await startTestServer();
  owner = await server.register();
  good = await enrol(server, owner);
  const bystander = await enrol(server, owner);
  witness = accessPoint(bystander);
  await witness.connect();
});
beforeEach(async () => {
  if (!witness.socket) await witness.connect();
});
afterEach(async () => {
  expect(witness.socket).not.toBeNull();
  turn = (turn + 1) % 90;
  witness.notify('healthcheck', { serial: witness.options.serial, uuid: 1, sanity: 10 + turn, data: {} });
  await listedAs(server, owner, witness.options.serial, { status: 'online', sanity: 10 + turn });
});
afterAll(async () => {
  await endDevices();
  await server.stop();
});

const refusalOf = (serial: string) =>
  expect.poll(
    async () => (await onboarding(server, owner)).refusals.find((refusal) => refusal.serial === serial)?.reason,
  );

describe('identity', () => {
  it.each<[string, (serial: string) => Partial<Identity>]>([
    ['no certificate', () => ({ key: '', cert: '' })],
    [
      'a certificate it signed itself',
      (serial) => {
        const key = makeKey();
        return { key: key.keyPem, cert: makeCertificate({ commonName: serial, key }) };
      },
    ],
    [
      'a certificate of a foreign authority with our name',
      (serial) => {
        const [key, foreign] = [makeKey(), makeKey()];
        return {
          key: key.keyPem,
          cert: makeCertificate({
            commonName: serial,
            key,
            issuer: { commonName: 'Yunxun device authority', key: foreign },
          }),
        };
      },
    ],
  ])('of %s is turned away', async (_what, forge) => {
    await turnedAway(accessPoint({ ...good, ...forge(good.serial) }));
    expect((await listed(server, owner, good.serial))?.status).not.toBe('online');
  });

  it('of one device cannot speak for another', async () => {
    const device = accessPoint(good);
    device.options.serial = witness.options.serial;
    await turnedAway(device);
    await refusalOf(good.serial).toBeDefined();
    expect(await listed(server, owner, witness.options.serial)).toMatchObject({ status: 'online' });
  });

  it('cannot change in the middle of a session', async () => {
    const device = accessPoint(good);
    await device.connect();
    await listedAs(server, owner, good.serial, { status: 'online' });
    device.notify('connect', { serial: witness.options.serial, uuid: 1, firmware: 'stolen', capabilities: {} });
    device.notify('healthcheck', { serial: witness.options.serial, sanity: 99 });
    await device.until('the server to hang up', () => device.socket === null);
    expect((await listed(server, owner, witness.options.serial)) as object).not.toMatchObject({ version: 'stolen' });
  });

  it('that was revoked is turned away at once and for good', async () => {
    const device = accessPoint(good);
    await device.connect();
    await listedAs(server, owner, good.serial, { status: 'online' });
    const spare = await enrol(server, owner);
    const revoked = accessPoint(spare);
    await revoked.connect();
    await listedAs(server, owner, spare.serial, { status: 'online' });
    expect(await server.call('/api/v3/device/unbind', { serial: spare.serial }, owner)).toMatchObject({ code: 2000 });
    await revoked.closed;
    await turnedAway(accessPoint(spare));
    expect(await listed(server, owner, spare.serial)).toBeUndefined();
    expect(device.socket).not.toBeNull();
  });
});

/** Frames after which only the sender may be disconnected. */
const frames: [string, (serial: string) => { payload: Buffer | string; options?: FrameOptions }[]][] = [
  ['text that is not JSON', () => [{ payload: 'hello' }]],
  ['JSON that is no object', () => ['[]', 'null', '1', '"x"', 'true', '{}'].map((payload) => ({ payload }))],
  ['half a JSON object', (serial) => [{ payload: `{"jsonrpc":"2.0","method":"state","params":{"serial":"${serial}"` }]],
  ['bytes that are not UTF-8', () => [{ payload: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]) }]],
  ['a binary frame', () => [{ payload: Buffer.from([0, 1, 2, 3]), options: { opcode: opcodes.binary } }]],
  ['an empty frame', () => [{ payload: '' }]],
  ['an unmasked frame', () => [{ payload: '{}', options: { masked: false } }]],
  ['reserved bits', () => [{ payload: '{}', options: { reserved: 7 } }]],
  ['an unknown opcode', () => [{ payload: '{}', options: { opcode: 5 } }]],
  ['a continuation of nothing', () => [{ payload: '{}', options: { opcode: opcodes.continuation } }]],
  ['a ping that is too long', () => [{ payload: 'x'.repeat(200), options: { opcode: opcodes.ping } }]],
  ['a frame that claims 2^53 bytes', () => [{ payload: 'x', options: { claimedLength: 2 ** 53 } }]],
  ['a frame of 9 MiB', () => [{ payload: Buffer.alloc(9 * 1024 * 1024, 0x20) }]],
  [
    'fragments of 12 MiB together',
    () => [
      { payload: ' ', options: { fin: false } },
      ...Array.from({ length: 12 }, () => ({
        payload: Buffer.alloc(1024 * 1024, 0x20),
        options: { fin: false, opcode: opcodes.continuation },
      })),
    ],
  ],
  ['JSON a million levels deep', () => [{ payload: '['.repeat(1_000_000) }]],
  [
    'parameters 100,000 levels deep',
    (serial) => [
      {
        payload: `{"jsonrpc":"2.0","method":"state","params":{"serial":"${serial}","state":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}}`,
      },
    ],
  ],
  [
    'a zip bomb',
    () => [
      {
        payload: JSON.stringify({
          jsonrpc: '2.0',
          method: 'state',
          params: {
            compress_64: deflateSync(Buffer.alloc(200 * 1024 * 1024, 0x20)).toString('base64'),
            compress_sz: 10,
          },
        }),
      },
    ],
  ],
  [
    'a zip bomb of deep JSON',
    () => [
      {
        payload: JSON.stringify({
          jsonrpc: '2.0',
          method: 'state',
          params: { compress_64: deflateSync('['.repeat(4_000_000)).toString('base64') },
        }),
      },
    ],
  ],
  [
    'compressed parameters that are not',
    () =>
      ['', '=', 'AAAA', deflateSync('{').toString('base64'), deflateSync('7').toString('base64')].map((text) => ({
        payload: JSON.stringify({ jsonrpc: '2.0', method: 'state', params: { compress_64: text, compress_sz: -1 } }),
      })),
  ],
  [
    'keys of the prototype',
    (serial) => [
      {
        payload: `{"jsonrpc":"2.0","method":"__proto__","params":{"serial":"${serial}","__proto__":{"admin":true},"constructor":{"prototype":{"x":1}}}}`,
      },
    ],
  ],
  [
    'NUL and lone surrogates',
    (serial) => [
      {
        payload: `{"jsonrpc":"2.0","method":"event","params":{"serial":"${serial}","data":{"event":[1e999,{"type":"\\u0000\\ud800","payload":{"\\u0000":"\\udfff"}}]}}}`,
      },
    ],
  ],
  [
    'answers to nothing',
    (serial) =>
      Array.from({ length: 200 }, (_, id) => ({
        payload: JSON.stringify({ jsonrpc: '2.0', id, result: { serial, uuid: 0, status: { error: 0 } } }),
      })),
  ],
  [
    'answers with strange ids',
    () => [null, 'x', -1, 1e300, {}, []].map((id) => ({ payload: JSON.stringify({ jsonrpc: '2.0', id, result: {} }) })),
  ],
];

describe('frames', () => {
  it.each(frames)('with %s disturb no other device', async (_what, make) => {
    const device = accessPoint(good);
    await device.connect();
    await listedAs(server, owner, good.serial, { status: 'online' });
    for (const { payload, options } of make(good.serial)) device.socket?.sendFrame(payload, options);
    device.notify('healthcheck', { serial: good.serial, uuid: 1, sanity: 66, data: {} });
    const read = async () => device.socket === null || (await listed(server, owner, good.serial))?.sanity === 66;
    await expect.poll(read).toBe(true);
    await device.cut();
    const again = accessPoint(good);
    await again.connect();
    again.notify('healthcheck', { serial: good.serial, uuid: 1, sanity: 77, data: {} });
    await listedAs(server, owner, good.serial, { status: 'online', sanity: 77 });
    again.notify('healthcheck', { serial: good.serial, uuid: 1, sanity: 100, data: {} });
    await listedAs(server, owner, good.serial, { sanity: 100 });
    await again.cut();
  });

  it('that are too large end the session with a reason, and say so', async () => {
    const device = accessPoint(good);
    await device.connect();
    device.socket?.sendFrame(Buffer.alloc(9 * 1024 * 1024, 0x20));
    expect(await device.closed).toMatchObject({ code: 1009 });
    await listedAs(server, owner, good.serial, { status: 'offline' });
  });

  it('that stop in the middle leave nothing behind', async () => {
    for (const cutAt of [1, 2, 5, 9, 40]) {
      const device = accessPoint(good);
      await device.connect();
      const whole = encodeFrame(JSON.stringify({ jsonrpc: '2.0', method: 'ping', params: { serial: good.serial } }));
      device.socket?.sendRaw(whole.subarray(0, cutAt));
      await device.cut();
    }
    await listedAs(server, owner, good.serial, { status: 'offline' });
  });

  it('before the connect message make no session', async () => {
    const device = accessPoint(good);
    await listedAs(server, owner, good.serial, { status: 'offline' });
    const tls = await openTls(device.options);
    tls.on('error', () => undefined);
    tls.write(upgradeRequest(good.server, Buffer.alloc(16, 1).toString('base64')));
    tls.write(
      encodeFrame(
        JSON.stringify({ jsonrpc: '2.0', method: 'state', params: { serial: good.serial, uuid: 1, state: {} } }),
      ),
    );
    tls.write(
      encodeFrame(
        JSON.stringify({ jsonrpc: '2.0', method: 'healthcheck', params: { serial: good.serial, sanity: 3 } }),
      ),
    );
    await new Promise<void>((resolve) => tls.once('data', () => resolve()));
    expect(await listed(server, owner, good.serial)).toMatchObject({ status: 'offline' });
    tls.destroy();
  });
});

describe('the port', () => {
  const requests: [string, string][] = [
    ['plain HTTP', 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    [
      'another path',
      upgradeRequest('localhost', Buffer.alloc(16, 1).toString('base64')).replace('GET / ', 'GET /../../etc/passwd '),
    ],
    [
      'an old WebSocket version',
      upgradeRequest('localhost', Buffer.alloc(16, 1).toString('base64')).replace('Version: 13', 'Version: 7'),
    ],
    ['no key', upgradeRequest('localhost', '')],
    ['nonsense', '\u0000\u0001\u0002\r\n\r\n'],
    ['headers without end', `GET / HTTP/1.1\r\n${'X: y\r\n'.repeat(50_000)}`],
  ];

  it.each(requests)('answers %s with an end', async (_what, request) => {
    const tls = await openTls(accessPoint(good).options);
    tls.on('error', () => undefined);
    const answer = new Promise<string>((resolve) => {
      let text = '';
      tls.on('data', (bytes: Buffer) => {
        text += bytes.toString('latin1');
      });
      tls.once('close', () => resolve(text));
    });
    tls.write(request);
    expect(await answer).not.toContain(' 101 ');
  });
});
