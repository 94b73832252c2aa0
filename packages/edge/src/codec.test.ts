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

  const draws = fc.double({ min: 0, max: 1, noNaN: true });

  it('of the agent never waits longer than 6 s, however often it failed', () => {
    fc.assert(
      fc.property(fc.array(draws, { minLength: 1 }), (drawn) => {
        let turn = 0;
        const rule = new BackOff(agentBackOff, () => drawn[turn++ % drawn.length] ?? 0);
        const waits = Array.from({ length: 50 }, () => rule.next());
        expect(Math.max(...waits)).toBeLessThanOrEqual(6_000);
        expect(Math.min(...waits)).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it('of 10,000 agents spreads their return over the whole wait', () => {
    const waits = Array.from({ length: 10_000 }, () => new BackOff(agentBackOff, Math.random).next());
    const perSecond = [0, 1, 2, 3, 4, 5].map((second) => waits.filter((ms) => Math.floor(ms / 1000) === second).length);
    expect(Math.max(...perSecond)).toBeLessThan(2_000);
  });

  it('of the agent waits at least what an overloaded console asks for, and longer each time', () => {
    fc.assert(
      fc.property(draws, (draw) => {
        const rule = new BackOff(agentBackOff, () => draw);
        const waits = Array.from({ length: 6 }, () => rule.next(10_000));
        [10_000, 20_000, 40_000, 60_000, 60_000, 60_000].forEach((base, turn) => {
          expect(waits[turn]).toBeGreaterThanOrEqual(base);
          expect(waits[turn]).toBeLessThanOrEqual(2 * base);
        });
        rule.succeeded();
        expect(rule.next(10_000)).toBeLessThanOrEqual(20_000);
      }),
    );
  });

  it('of access points ignores what the server asks for', () => {
    const rule = new BackOff(accessPointBackOff, () => 0);
    expect([rule.next(30_000), rule.next(30_000)]).toEqual([0, 10_000]);
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
