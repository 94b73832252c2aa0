import { inflateSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CommandChannel } from './channel.ts';
import type { DeviceProfile } from './frame.ts';

interface Frame {
  id: number;
  method: string;
  params: Record<string, unknown>;
}

let sent: Frame[];
let sizes: number[];
let unexpected: number[];
let profile: DeviceProfile;
let channel: CommandChannel;

beforeEach(() => {
  vi.useFakeTimers();
  sent = [];
  sizes = [];
  unexpected = [];
  profile = { platform: 'ap', agent: false, compresses: true, recovery: false };
  channel = new CommandChannel({
    serial: '903cb3000001',
    profile: () => profile,
    send: (frame) => {
      sizes.push(Buffer.byteLength(frame));
      sent.push(JSON.parse(frame) as Frame);
    },
    unexpected: (id) => unexpected.push(id),
  });
});
afterEach(() => vi.useRealTimers());

const outcome = (promise: Promise<unknown>) => promise.catch((error: unknown) => error);
const done = (id: number, more = {}) => channel.reply(id, { result: { uuid: 1, ...more } });
const configure = (uuid: unknown, inner: unknown, text = '') =>
  channel.call('configure', { uuid, config: { uuid: inner, text } }, 1000);

test('commands are numbered from 1 and carry the serial', async () => {
  const calls = [channel.call('leds', { pattern: 'blink' }, 1000), channel.call('ping', {}, 1000)];
  expect(sent).toEqual([
    { jsonrpc: '2.0', id: 1, method: 'leds', params: { pattern: 'blink', serial: '903cb3000001' } },
    { jsonrpc: '2.0', id: 2, method: 'ping', params: { serial: '903cb3000001' } },
  ]);
  done(2);
  done(1, { status: { error: 0 } });
  expect(await Promise.all(calls)).toEqual([{ uuid: 1, status: { error: 0 } }, { uuid: 1 }]);
});

test('numbers of another session begin elsewhere, and every one stays within 31 bits', () => {
  for (const epoch of [1, 2, 32_768, 32_769, 5_000_000]) {
    channel.numberFrom(epoch);
    outcome(channel.call('ping', {}, 1000));
  }
  expect(sent.map(({ id }) => id)).toEqual([1, 65_537, 32_767 * 65_536 + 1, 1, (4_999_999 % 32_768) * 65_536 + 1]);
  expect(Math.max(...sent.map(({ id }) => id))).toBeLessThan(2 ** 31);
});

test('the first of two answers wins; later ones and answers to nothing are counted', async () => {
  const call = channel.call('ping', {}, 1000);
  done(1, { first: true });
  done(1, { first: false });
  done(99);
  done(0);
  expect(await call).toEqual({ uuid: 1, first: true });
  expect(unexpected).toEqual([1, 99, 0]);
});

test('a late answer matches no command', async () => {
  const call = outcome(channel.call('ping', {}, 1000));
  vi.advanceTimersByTime(1000);
  expect(await call).toMatchObject({ code: 'DEVICE_TIMEOUT', data: { sent: true } });
  done(1);
  expect(unexpected).toEqual([1]);
});

test('an error in place of a result is a refusal', async () => {
  const call = outcome(channel.call('trace', {}, 1000));
  channel.reply(1, { refused: { code: -32601, message: 'no such method' } });
  expect(await call).toMatchObject({
    code: 'DEVICE_REFUSED',
    message: 'no such method',
    data: { sent: true, code: -32601 },
  });
});

describe('changes', () => {
  test('go one after the other, while reading commands pass by', async () => {
    const first = channel.call('reboot', {}, 1000);
    const second = channel.call('upgrade', {}, 1000);
    outcome(channel.call('wifiscan', {}, 1000));
    expect(sent.map(({ method }) => method)).toEqual(['reboot', 'wifiscan']);
    done(1);
    await first;
    expect(sent.map(({ method }) => method)).toEqual(['reboot', 'wifiscan', 'upgrade']);
    done(3);
    await second;
  });

  test('that wait too long are never sent', async () => {
    outcome(channel.call('reboot', {}, 5000));
    const second = outcome(channel.call('factory', {}, 1000));
    vi.advanceTimersByTime(1000);
    expect(await second).toMatchObject({ code: 'DEVICE_TIMEOUT', data: { sent: false } });
    done(1);
    expect(sent.map(({ method }) => method)).toEqual(['reboot']);
  });

  test('that are not answered make way for the next', async () => {
    outcome(channel.call('reboot', {}, 1000));
    outcome(channel.call('factory', {}, 5000));
    vi.advanceTimersByTime(1000);
    expect(sent.map(({ method }) => method)).toEqual(['reboot', 'factory']);
  });

  test('do not pile up without end', async () => {
    for (let n = 0; n < 33; n += 1) outcome(channel.call('reboot', {}, 1000));
    expect(await outcome(channel.call('reboot', {}, 1000))).toMatchObject({
      code: 'DEVICE_BUSY',
      data: { sent: false },
    });
  });
});

describe('configure', () => {
  test.each([
    [1, 2],
    [0, 0],
    [2 ** 31, 2 ** 31],
    [1.5, 1.5],
    ['5', '5'],
    [undefined, 5],
    [5, undefined],
  ])('with uuids %s and %s is not sent', async (uuid, inner) => {
    expect(await outcome(configure(uuid, inner))).toMatchObject({ code: 'BAD_COMMAND', data: { sent: false } });
    expect(sent).toEqual([]);
  });

  test('is not sent to a device in its recovery system', async () => {
    profile = { ...profile, recovery: true };
    expect(await outcome(configure(5, 5))).toMatchObject({ code: 'RECOVERY_BOOT' });
  });

  test('of up to 32,000 bytes goes plain, a larger one compressed', () => {
    outcome(configure(5, 5, 'x'.repeat(31_800)));
    expect(sent[0]?.params).toHaveProperty('config');
    channel.reply(1, { result: {} });
    outcome(configure(6, 6, 'x'.repeat(200_000)));
    const params = sent[1]?.params ?? {};
    expect(Object.keys(params)).toEqual(['compress_64', 'compress_sz']);
    const plain = inflateSync(Buffer.from(String(params.compress_64), 'base64')).toString();
    expect(JSON.parse(plain)).toMatchObject({ serial: '903cb3000001', uuid: 6, config: { uuid: 6 } });
    expect(params.compress_sz).toBe(Buffer.byteLength(plain));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(32_000);
  });

  test('that is too large is refused, not cut: without compression, and with it when it does not help', async () => {
    profile = { ...profile, compresses: false };
    expect(await outcome(configure(5, 5, 'x'.repeat(32_000)))).toMatchObject({ code: 'FRAME_TOO_LARGE' });
    profile = { ...profile, compresses: true };
    const noise = Array.from({ length: 60_000 }, (_, n) => Math.imul(n, 2_654_435_761).toString(36)).join('');
    expect(await outcome(configure(5, 5, noise))).toMatchObject({
      code: 'FRAME_TOO_LARGE',
      data: { sent: false, most: 32_000 },
    });
    expect(sent).toEqual([]);
    outcome(configure(5, 5));
    expect(sent).toHaveLength(1);
  });

  test('goes plain to a switch, up to its own buffer', async () => {
    profile = { platform: 'switch', agent: false, compresses: false, recovery: false };
    outcome(configure(5, 5, 'x'.repeat(3_000_000)));
    expect(sent[0]?.params).toHaveProperty('config');
  });
});

test('only configure may be compressed: anything else that is too large is refused', async () => {
  expect(await outcome(channel.call('script', { script: 'x'.repeat(40_000) }, 1000))).toMatchObject({
    code: 'FRAME_TOO_LARGE',
  });
});

test('unknown commands are not sent', async () => {
  expect(await outcome(channel.call('format', {}, 1000))).toMatchObject({ code: 'BAD_COMMAND' });
});

test('what devices obey in silence does not wait', async () => {
  expect(await channel.call('rrm', { actions: [] }, 1000)).toEqual({});
  expect(sent).toHaveLength(1);
});

test('the end of the session fails everything, and says what the device may have done', async () => {
  const calls = [
    channel.call('reboot', {}, 1000),
    channel.call('factory', {}, 1000),
    channel.call('ping', {}, 1000),
  ].map(outcome);
  channel.close();
  expect(await Promise.all(calls)).toMatchObject([
    { code: 'DEVICE_GONE', data: { sent: true } },
    { code: 'DEVICE_GONE', data: { sent: false } },
    { code: 'DEVICE_GONE', data: { sent: true } },
  ]);
  expect(await outcome(channel.call('ping', {}, 1000))).toMatchObject({ code: 'DEVICE_GONE', data: { sent: false } });
  expect(vi.getTimerCount()).toBe(0);
});
