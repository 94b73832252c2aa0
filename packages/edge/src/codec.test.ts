import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accessPointBackOff, agentBackOff, BackOff } from './back-off.ts';
import { compressParams, encodeMessage, expandParams } from './codec.ts';
import { certificateNames } from './host-name.ts';

const jsonObject = fc.dictionary(fc.string(), fc.jsonValue()).filter((value) => !('compress_64' in value));

describe('compression', () => {
  it('gives back what went in, and says its size', () => {
    fc.assert(
      fc.property(jsonObject, (params) => {
        const json = JSON.stringify(params);
        const packed = compressParams(json);
        expect(packed.compress_sz).toBe(Buffer.byteLength(json));
        expect(expandParams({ ...packed })).toEqual(JSON.parse(json));
      }),
    );
  });

  it('is used from 2 KiB on and nowhere else', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4096 }), fc.boolean(), (size, on) => {
        const params = { serial: 'x', pad: 'p'.repeat(size) };
        const message = JSON.parse(encodeMessage('state', params, on)) as { params: Record<string, unknown> };
        const compressed = 'compress_64' in message.params;
        expect(compressed).toBe(on && JSON.stringify(params).length >= 2048);
        expect(expandParams(message.params)).toEqual(params);
      }),
    );
  });

  it('survives anything that calls itself compressed', () => {
    fc.assert(
      fc.property(fc.string(), fc.jsonValue(), (text, size) => {
        const expanded = expandParams({ compress_64: text, compress_sz: size });
        expect(expanded === null || typeof expanded === 'object').toBe(true);
      }),
    );
  });

  it('stops a bomb at the cap', () => {
    const bomb = deflateSync(Buffer.alloc(9 * 1024 * 1024, 0x20)).toString('base64');
    expect(expandParams({ compress_64: bomb, compress_sz: 10 })).toBeNull();
  });
});

describe('back-off', () => {
  it('never passes its limit and never shrinks between two successes', () => {
    const rule = new BackOff(accessPointBackOff, () => 0);
    const waits = Array.from({ length: 120 }, () => rule.next());
    expect(waits.slice(0, 4)).toEqual([0, 10_000, 20_000, 30_000]);
    expect(Math.max(...waits)).toBe(900_000);
    expect(waits).toEqual(waits.toSorted((left, right) => left - right));
    rule.succeeded();
    expect(rule.next()).toBe(10_000);
  });

  it('of the agent spreads by a third around the step', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (draw) => {
        const rule = new BackOff(agentBackOff, () => draw);
        rule.succeeded();
        const wait = rule.next();
        expect(wait).toBeGreaterThanOrEqual(8_333);
        expect(wait).toBeLessThanOrEqual(11_667);
      }),
    );
  });
});

const names = (common: string, alternatives?: string) => ({
  subject: { CN: common },
  ...(alternatives === undefined ? {} : { subjectaltname: alternatives }),
});

describe('server name', () => {
  it.each([
    ['console.example', names('console.example'), true],
    ['CONSOLE.example', names('console.Example'), true],
    ['console.example', names('other', 'DNS:a.example, DNS:console.example'), true],
    ['127.0.0.1', names('localhost', 'DNS:localhost, IP Address:127.0.0.1'), true],
    ['a.b.example', names('*.example'), true],
    ['example', names('*.example'), false],
    ['console.example.evil', names('console.example'), false],
    ['console.example', { subjectaltname: '' }, false],
  ])('%s against %o is %s', (host, certificate, expected) => {
    expect(certificateNames(host, certificate)).toBe(expected);
  });
});
