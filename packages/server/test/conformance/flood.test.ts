import { deflateSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startTestUplink, type TestUplink } from '../../src/uplink/testing/harness.ts';
import { accessPoint, endDevices, newSerial } from './device-client.ts';
import type { AccessPoint } from './peer/access-point.ts';
import { encodeFrame, opcodes } from './peer/websocket.ts';

/** The server's memory stays bounded, and other devices get answers. */

const mebibyte = 1024 * 1024;

async function online(at: TestUplink): Promise<AccessPoint> {
  const { serial, key, cert } = await at.enrol(newSerial());
  const { authority, uplink } = at;
  const device = accessPoint({
    serial,
    key,
    cert,
    ca: authority.certificate,
    server: 'localhost',
    port: uplink.port,
  });
  await device.connect();
  await expect.poll(() => at.calls.some((entry) => entry.device.serial === serial)).toBe(true);
  return device;
}

const logOf = (bytes: number) => (serial: string) =>
  JSON.stringify({ jsonrpc: '2.0', method: 'log', params: { serial, log: 'x'.repeat(bytes), severity: 7 } });

function swelling(serial: string, bytes: number): string {
  const text = deflateSync(JSON.stringify({ serial, state: { filler: 'x'.repeat(bytes) } })).toString('base64');
  return JSON.stringify({ jsonrpc: '2.0', method: 'state', params: { compress_64: text, compress_sz: bytes } });
}

/** Counts the bytes that the kernel accepted, under constant back-pressure. */
function flood(device: AccessPoint, frame: Buffer) {
  let going = true;
  const sent = {
    taken: 0,
    stop() {
      going = false;
    },
  };
  // sent in dozens, so that the test process is not the bottleneck
  const piece = Buffer.concat(Array.from({ length: Math.max(1, Math.floor(65_536 / frame.length)) }, () => frame));
  const write = () => {
    if (!going) return;
    device.socket?.tls.write(piece, (error) => {
      if (error) return;
      sent.taken += piece.length;
      write();
    });
  };
  for (let at = 0; at < 4; at += 1) write();
  return sent;
}

describe('memory', () => {
  it.each([
    ['large messages', logOf(mebibyte), 64],
    ['messages that swell', (serial: string) => swelling(serial, 4 * mebibyte), 8],
  ])(
    'is not filled by a device that sends %s faster than they can be handled',
    async (_what, make, maxMebibytes) => {
      const release = { now: (): void => undefined };
      const held = new Promise<void>((resolve) => {
        release.now = resolve;
      });
      const slow = await startTestUplink({ handlers: { message: () => held } });
      const device = await online(slow);
      const sent = flood(device, encodeFrame(make(device.options.serial)));
      // data that the server does not read stays in this process
      let before = -1;
      const stalled = () => {
        const same = sent.taken === before && sent.taken > 0;
        before = sent.taken;
        return same;
      };
      await expect.poll(stalled).toBe(true);
      release.now();
      expect(sent.taken).toBeLessThan(maxMebibytes * mebibyte);
      sent.stop();
      await device.cut();
      await slow.stop();
    },
    60_000,
  );
});

/** Milliseconds; a command served only after the flood would time out. */
const timeout = 20_000;

describe('a flood', () => {
  let up: TestUplink;

  beforeAll(async () => {
    up = await startTestUplink({ handlers: { message: async () => undefined } });
  });
  afterEach(endDevices);
  afterAll(() => up.stop());

  it.each<[string, (serial: string) => Buffer]>([
    ['valid frames of nearly 4 MiB', (serial) => encodeFrame(logOf(4 * mebibyte - 200)(serial))],
    ['messages that swell', (serial) => encodeFrame(swelling(serial, 7 * mebibyte))],
    ['bombs', () => encodeFrame(swelling('', 64 * mebibyte))],
    ['tiny messages', (serial) => encodeFrame(logOf(1)(serial))],
    ['nonsense', () => encodeFrame('x'.repeat(4 * mebibyte))],
    ['pongs', () => encodeFrame('', { opcode: opcodes.pong })],
  ])(
    'of %s leaves another device its answers',
    async (_what, make) => {
      const bystander = await online(up);
      const noisy = await online(up);
      const { serial } = bystander.options;
      const sent = flood(noisy, make(noisy.options.serial));
      const ping = () => up.commands.call({ accountId: up.accountId, serial }, 'ping', {}, { timeoutMs: timeout });
      for (let asked = 0; asked < 50 || sent.taken < mebibyte / 8; asked += 1) await ping();
      expect(noisy.socket?.tls.writableLength).toBeGreaterThan(0);
      sent.stop();
    },
    60_000,
  );
});
