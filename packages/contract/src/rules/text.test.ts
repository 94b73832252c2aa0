import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bytesOf,
  canonicalSubnet,
  charactersOf,
  normaliseMac,
  passwordStrength,
  rules,
  sizeText,
  tripleLengthOf,
} from './index.ts';

const number = (octets: number[]): number => octets.reduce((sum, part) => sum * 256 + part, 0);

describe('text helpers', () => {
  it('measures bytes, characters and the x3 length', () => {
    expect([bytesOf('a中😀'), charactersOf('a中😀'), tripleLengthOf('a中😀')]).toEqual([8, 3, 7]);
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => bytesOf(text) === Buffer.byteLength(text)));
  });

  it.each([
    [500, '500 KB'],
    [2048, '2 MB'],
    [1500, '1.46 MB'],
    [0.5, '512 B'],
    [0, '0 B'],
    [5 * 1024 * 1024, '5 GB'],
    [1024 ** 5, '1048576 TB'],
  ])('shows %d KB as %s', (kilobytes, text) => {
    expect(sizeText(kilobytes)).toBe(text);
  });

  it.each([
    ['00-1A-2B-3C-4D-5E', '00:1a:2b:3c:4d:5e'],
    [' 001a2b3c4d5e ', '00:1a:2b:3c:4d:5e'],
    ['00:1a:2b:3c:4d', null],
    ['hello', null],
    ['', null],
  ])('normalises the MAC %j', (text, mac) => {
    expect(normaliseMac(text)).toBe(mac);
  });

  it('offers a canonical subnet that the rule accepts and that holds the address', () => {
    const octet = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(octet, octet, octet, octet, fc.integer({ min: 8, max: 32 }), (a, b, c, d, prefix) => {
        const canonical = canonicalSubnet(`${a}.${b}.${c}.${d}/${prefix}`) as string;
        expect(canonicalSubnet(canonical)).toBe(canonical);
        const [parts = ''] = canonical.split('/');
        const size = 2 ** (32 - prefix);
        const base = number(parts.split('.').map(Number));
        expect(base % size).toBe(0);
        expect(number([a, b, c, d]) - base).toBeLessThan(size);
        const refused = [0, 127].includes(a) || (a >= 224 && a < 240) || (a === 169 && b === 254);
        const offered = canonical.startsWith('169.254.') || refused;
        expect(rules.subnet.test(canonical)).toBe(!offered);
      }),
    );
  });

  it.each([
    ['abc', 0],
    ['abcdefgh', 0],
    ['aaaaaa11', 1],
    ['abcd1234', 1],
    ['abcd1234efgh', 2],
    ['Abcd1234', 2],
    ['abcd12!?', 2],
    ['Abcd12!?', 3],
    ['abcdef1234!?', 3],
  ] as const)('rates the password %s as %d', (password, strength) => {
    expect(passwordStrength(password)).toBe(strength);
  });
});
