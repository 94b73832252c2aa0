import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BadArchive, unzip } from './unzip.ts';
import { zip } from './zip.ts';

const all = () => true;
const text = 'rows of a sheet, '.repeat(500);
const whole = await buffer(
  Readable.from(
    zip([
      { name: 'a.xml', content: text },
      { name: 'b.xml', content: '…' },
    ]),
  ),
);

test('what was packed is there again, and only what is asked for', () => {
  expect(unzip(whole, all, 100_000).get('a.xml')?.toString()).toBe(text);
  expect([...unzip(whole, (name) => name === 'b.xml', 100_000).keys()]).toEqual(['b.xml']);
});

test('more than it may hold is refused, whatever it claims', () => {
  expect(() => unzip(whole, all, text.length - 1)).toThrow(BadArchive);
});

test('a broken or shortened archive is refused in words, or gives no more than it may', () => {
  const broken = fc.record({
    at: fc.nat(whole.length - 1),
    bytes: fc.uint8Array({ minLength: 1, maxLength: 8 }),
    end: fc.integer({ min: 0, max: whole.length }),
  });
  fc.assert(
    fc.property(broken, ({ at, bytes, end }) => {
      const file = Buffer.from(whole);
      file.set(bytes.subarray(0, whole.length - at), at);
      try {
        const found = unzip(file.subarray(0, end), all, 100_000);
        expect([...found.values()].reduce((sum, { length }) => sum + length, 0)).toBeLessThanOrEqual(100_000);
      } catch (error) {
        expect(error).toBeInstanceOf(BadArchive);
      }
    }),
    { numRuns: 500 },
  );
});
