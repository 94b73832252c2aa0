import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  asAddress,
  asCount,
  asFlag,
  asNumber,
  asTexts,
  commandTimeouts,
  configureOutcome,
  controllerMethods,
  isRandomMac,
  jsonDepth,
  macOfSerial,
  nextConfigurationUuid,
  nextId,
  normaliseSerial,
  readDeviceFrame,
  rejections,
  takesCompressedCommands,
} from './index.ts';

const int32 = 2 ** 31 - 1;

describe('serial', () => {
  it('has one form, whatever form it came in', () => {
    const digits = fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 6, maxLength: 6 });
    fc.assert(
      fc.property(digits, fc.constantFrom('', ':', '-'), fc.boolean(), (bytes, separator, upper) => {
        const plain = bytes.map((byte) => byte.toString(16).padStart(2, '0'));
        const written = plain.join(separator);
        expect(normaliseSerial(upper ? written.toUpperCase() : written)).toBe(plain.join(''));
        expect(normaliseSerial(macOfSerial(plain.join('')))).toBe(plain.join(''));
      }),
    );
  });

  it.each([[''], ['53494d00000'], ['53494d0000012'], ['zz494d000001'], [12], [null], ['5'.repeat(4000)]])(
    'refuses %s',
    (value) => expect(normaliseSerial(value)).toBeNull(),
  );

  it('knows a made-up MAC', () => {
    expect(isRandomMac('da:a1:19:00:00:01')).toBe(true);
    expect(isRandomMac('3c:22:fb:00:00:01')).toBe(false);
  });
});

describe('reading frames', () => {
  it('sorts anything without throwing', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(['message', 'reply', 'error', 'radius', 'invalid']).toContain(readDeviceFrame(value).kind);
      }),
    );
  });

  it.each([
    [
      { method: 'state', params: { a: 1 } },
      { kind: 'message', method: 'state', params: { a: 1 } },
    ],
    [
      { jsonrpc: '2.0', method: 'ping' },
      { kind: 'message', method: 'ping', params: {} },
    ],
    [
      { id: 4, result: { uuid: 1 } },
      { kind: 'reply', id: 4, result: { uuid: 1 } },
    ],
    [
      { id: 4, error: { code: -32601, message: 'no' } },
      { kind: 'error', id: 4, code: -32601, message: 'no' },
    ],
    [
      { radius: 'auth', data: 'AA==' },
      { kind: 'radius', radius: 'auth', data: 'AA==' },
    ],
    [
      { method: 'state', params: [] },
      { kind: 'invalid', why: 'params' },
    ],
    [{ result: {} }, { kind: 'invalid', why: 'reply without id' }],
    [[], { kind: 'invalid', why: 'not an object' }],
  ])('%o', (value, expected) => expect(readDeviceFrame(value)).toEqual(expected));

  it('counts nesting without parsing, brackets in text aside', () => {
    const bytes = (text: string) => new TextEncoder().encode(text);
    expect(jsonDepth(bytes('{"a":[{"b":"]]]]{{{\\"["}]}'), 64)).toBe(3);
    expect(jsonDepth(bytes('['.repeat(100_000)), 64)).toBe(65);
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const deep = (entry: unknown): number =>
          typeof entry === 'object' && entry !== null ? 1 + Math.max(0, ...Object.values(entry).map(deep)) : 0;
        expect(jsonDepth(bytes(JSON.stringify(value)), 1000)).toBe(deep(value));
      }),
    );
  });
});

describe('tolerant values', () => {
  it('never throw and keep their type', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        const number = asNumber(value);
        expect(number === null || Number.isFinite(number)).toBe(true);
        const count = asCount(value);
        expect(count === null || (Number.isSafeInteger(count) && count >= 0)).toBe(true);
        expect(asTexts(value).every((entry) => typeof entry === 'string')).toBe(true);
        expect([true, false, null]).toContain(asFlag(value));
        const address = asAddress(value);
        expect(address === null || address.length <= 64).toBe(true);
      }),
    );
  });

  it.each([
    ['1000', 1000],
    [' ', null],
    ['1e400', null],
    [Number.NaN, null],
    [7.5, 7.5],
  ])('number of %o is %o', (value, expected) => expect(asNumber(value)).toBe(expected));

  it('band and address come in two forms each', () => {
    expect([asTexts('2G'), asTexts(['2G', 5])]).toEqual([['2G'], ['2G']]);
    expect([asAddress('10.0.0.2'), asAddress({ address: '10.0.0.3' })]).toEqual(['10.0.0.2', '10.0.0.3']);
  });
});

describe('ids and uuids', () => {
  it('stay within 31 bits', () => {
    fc.assert(fc.property(fc.integer({ min: -5, max: int32 + 5 }), (id) => nextId(id) >= 1 && nextId(id) <= int32));
    expect([nextId(0), nextId(1), nextId(int32)]).toEqual([1, 2, 1]);
  });

  it('a new uuid is above everything, or there is none', () => {
    const uuid = fc.integer({ min: 0, max: int32 });
    fc.assert(
      fc.property(uuid, uuid, uuid, (now, last, reported) => {
        const next = nextConfigurationUuid(now, last, reported);
        if (next === null) expect(Math.max(last, reported)).toBe(int32);
        else expect(next > last && next > reported && next >= now && next <= int32 && next > 1).toBe(true);
      }),
    );
  });
});

describe('what a configure reply means', () => {
  it.each([
    ['applied', { uuid: 9, status: { error: 0, text: 'Success' } }, { outcome: 'applied', rejected: [] }],
    ['applied in part', { uuid: 9, status: { error: 1, rejected: ['x'] } }, { outcome: 'applied', rejected: ['x'] }],
    ['already applied', { uuid: 8, status: { error: 0, text: 'Already applied.' } }, { outcome: 'stale', active: 8 }],
    [
      'failed',
      { uuid: 8, status: { error: 2, text: 'Failed' } },
      { outcome: 'rejected', rejected: [], text: 'Failed' },
    ],
    [
      'failed beside another DNS server',
      { uuid: 8, status: { error: 2, rejected: ['x'], port53: 'in_use' } },
      { outcome: 'rejected', rejected: ['x'], text: '', port53: 'in_use' },
    ],
    ['empty', {}, { outcome: 'stale', active: 0 }],
  ])('%s', (_name, result, expected) => expect(configureOutcome(result, 9)).toEqual(expected));

  it('puts object rejections into words', () => {
    const rejected = ['plain', { parameter: '/radios/0', reason: 'no such band' }, {}, null];
    expect(rejections({ status: { error: 2, rejected } })).toEqual(['plain', '/radios/0: no such band', '{}', 'null']);
  });
});

it('every command has a time-out', () => {
  expect(Object.keys(commandTimeouts).toSorted()).toEqual(controllerMethods.toSorted());
});

it('only devices that say so take compressed commands, and switches never', () => {
  const asked = [{ compress_cmd: true, platform: 'ap' }, { compress_cmd: true, platform: 'switch' }, {}, null];
  expect(asked.map(takesCompressedCommands)).toEqual([true, false, false, false]);
});
