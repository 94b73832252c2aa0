import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  readRttyFromDevice,
  readRttyFromServer,
  rttyDevice,
  rttyLimits,
  rttyServer,
  rttyTypes,
  splitRtty,
} from './index.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));

describe('rtty 7.1.4', () => {
  it('writes the bytes that its client and its servers write', () => {
    expect(hex(rttyDevice.register('id', '', 'ab'))).toBe('00000769640000616200');
    expect(hex(rttyServer.registered())).toBe('000004004f4b00');
    expect(hex(rttyServer.login())).toBe('010000');
    expect(hex(rttyDevice.login(2))).toBe('0100020002');
    expect(hex(rttyDevice.login(null))).toBe('01000101');
    expect(hex(rttyServer.size(1, 300, 40))).toBe('04000501012c0028');
    expect(hex(rttyServer.data(1, bytes('ls\n')))).toBe('030004016c730a');
    expect(hex(rttyDevice.heartbeat())).toBe('060000');
    expect(hex(rttyDevice.file(1, 'wanted'))).toBe('0700020100');
    expect(hex(rttyDevice.file(1, 'offered', bytes('a')))).toBe('070003010161');
    expect(hex(rttyServer.fileRefused())).toBe('07000103');
  });

  it('gives every byte once and in order, however the connection cuts them', () => {
    const chunk = fc.uint8Array({ minLength: 1, maxLength: 9000 });
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 4 }), fc.integer({ min: 1, max: 700 }), (sent, step) => {
        const wire = Buffer.concat(sent.map((data) => rttyDevice.data(3, data)));
        const got: Uint8Array[] = [];
        let rest: Uint8Array = new Uint8Array();
        for (let at = 0; at < wire.length; at += step) {
          const split = splitRtty(Buffer.concat([rest, wire.subarray(at, at + step)]));
          if (split === null) throw new Error('refused');
          for (const frame of split.frames) {
            const read = readRttyFromDevice(frame);
            if (read?.type !== 'data' || read.sid !== 3) throw new Error('not data');
            got.push(read.data);
          }
          rest = split.rest;
        }
        expect(rest).toHaveLength(0);
        expect(Buffer.concat(got).equals(Buffer.concat(sent))).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  it('refuses types that it does not know, bodies that are too long, and frames that lack a part', () => {
    expect(splitRtty(new Uint8Array([8]))).toBeNull();
    expect(splitRtty(new Uint8Array([3, 0xff, 0xff]))).toBeNull();
    expect(splitRtty(new Uint8Array([3, 0, 2, 1]))?.frames).toEqual([]);
    const device = (type: number, body: string) => readRttyFromDevice({ type, body: bytes(body) });
    expect(device(rttyTypes.register, 'id\0\0token')).toBeNull();
    expect(device(rttyTypes.register, 'id\0\0token\0\0')).toBeNull();
    expect(device(rttyTypes.login, '')).toBeNull();
    expect(device(rttyTypes.data, '')).toBeNull();
    expect(device(rttyTypes.data, `${String.fromCharCode(rttyLimits.sessions)}x`)).toBeNull();
    expect(device(rttyTypes.size, '\0\0\0\0\0')).toBeNull();
    expect(readRttyFromServer({ type: rttyTypes.size, body: bytes('\0\0') })).toBeNull();
  });

  it('reads what each side says', () => {
    const one = (wire: Uint8Array) => splitRtty(wire)!.frames[0]!;
    expect(readRttyFromDevice(one(rttyDevice.register('a', 'b', 'c')))).toEqual({
      type: 'register',
      id: 'a',
      description: 'b',
      token: 'c',
    });
    expect(readRttyFromServer(one(rttyServer.registered()))).toEqual({ type: 'register', error: null });
    expect(readRttyFromServer(one(rttyServer.registered('token')))).toEqual({ type: 'register', error: 'token' });
    expect(readRttyFromServer(one(rttyServer.size(0, 80, 24)))).toEqual({
      type: 'size',
      sid: 0,
      columns: 80,
      rows: 24,
    });
    expect(readRttyFromDevice(one(rttyDevice.logout(4)))).toEqual({ type: 'logout', sid: 4 });
  });
});
