import { deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { receive } from './receive.ts';

const frame = (value: unknown) => receive(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)));
const compressed = (text: string | Buffer, more = {}) =>
  frame({
    jsonrpc: '2.0',
    method: 'state',
    params: { compress_64: deflateSync(text).toString('base64'), compress_sz: 10, ...more },
  });

describe('a frame', () => {
  test('is a message, a reply, an error or radius', () => {
    expect(frame({ jsonrpc: '2.0', method: 'ping', params: { serial: 'x' } })).toEqual({
      kind: 'message',
      method: 'ping',
      params: { serial: 'x' },
    });
    expect(frame({ jsonrpc: '2.0', id: 4, result: { uuid: 1 } })).toEqual({
      kind: 'reply',
      id: 4,
      result: { uuid: 1 },
    });
    expect(frame({ jsonrpc: '2.0', id: 4, error: { code: -32601, message: 'no' } })).toMatchObject({
      kind: 'error',
      code: -32601,
    });
    expect(frame({ radius: 'auth', data: 'AAAA' })).toMatchObject({ kind: 'radius' });
  });

  test.each([
    ['nothing', '', 'json'],
    ['no JSON', '{"method":', 'json'],
    ['two values', '{}{}', 'json'],
    ['a number', '7', 'not an object'],
    ['nesting without end', '['.repeat(1_000_000), 'depth'],
    ['nesting that is closed', `${'{"a":'.repeat(70)}1${'}'.repeat(70)}`, 'depth'],
  ])('of %s is invalid', (_, text, why) => {
    expect(frame(text)).toEqual({ kind: 'invalid', why });
  });

  test('with brackets in strings is not deep', () => {
    expect(frame({ method: 'log', params: { log: `\\"${'['.repeat(500)}` } })).toMatchObject({ kind: 'message' });
  });

  test('loses what no database stores, and nothing else', () => {
    const text =
      '{"method":"log","params":{"log":"a\\u0000b \\ud83d\\ude00 \\ud83d \\\\u0000","k\\u0000":["\\udc00"]}}';
    expect(frame(text)).toMatchObject({ params: { log: 'ab \u{1f600} \ufffd \\u0000', k: ['\ufffd'] } });
  });
});

describe('compressed parameters', () => {
  test('are inflated, whatever their size says, and kept as they came', () => {
    const text = JSON.stringify({ serial: 'x', uuid: 1, state: {} });
    for (const size of [text.length, 0, -1, 'x', undefined]) {
      expect(compressed(text, { compress_sz: size })).toEqual({
        kind: 'message',
        method: 'state',
        params: { serial: 'x', uuid: 1, state: {} },
        deflated: deflateSync(text),
        inflated: text.length,
      });
    }
  });

  test('that inflate to more than 8 MiB are refused without being held', () => {
    const bomb = deflateSync(Buffer.alloc(512 * 1024 * 1024));
    const before = process.memoryUsage().arrayBuffers;
    const result = frame({ method: 'state', params: { compress_64: bomb.toString('base64'), compress_sz: 10 } });
    expect(result).toEqual({ kind: 'invalid', why: 'inflated-size', inflated: 8 * 1024 * 1024 });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 1024 * 1024);
  });

  test.each([
    ['another format', { compress_64: gzipSync('{}').toString('base64') }, 'deflate'],
    ['no base64', { compress_64: '%%%' }, 'deflate'],
    ['half of it', { compress_64: deflateSync('{"a":1}').subarray(0, 8).toString('base64') }, 'deflate'],
    ['no object', { compress_64: deflateSync('[1]').toString('base64') }, 'compressed-params', 3],
    ['no JSON', { compress_64: deflateSync('x').toString('base64') }, 'compressed-params', 1],
    ['deep JSON', { compress_64: deflateSync('['.repeat(100)).toString('base64') }, 'depth', 100],
  ])('of %s are invalid, and the work of inflating them is reported', (_, params, why, inflated?: number) => {
    expect(frame({ method: 'state', params })).toEqual({ kind: 'invalid', why, ...(inflated && { inflated }) });
  });
});

test('nothing that arrives throws', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array(),
        fc.string(),
        fc.json(),
        fc.base64String().map((data) => JSON.stringify({ method: 'state', params: { compress_64: data } })),
      ),
      (data) => {
        expect(receive(Buffer.from(data)).kind).toMatch(/^(message|reply|error|radius|invalid)$/);
      },
    ),
    { numRuns: 2000 },
  );
});
