import { beforeAll, expect, test } from 'vitest';
import { install } from '../app/i18n.ts';
import { messages } from '../messages/en.ts';
import { ago, bitRate, bytes, clock, duration, mac } from './format.ts';

beforeAll(() => install('en', messages));

test.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1.00 KB'],
  [1536, '1.50 KB'],
  [1024 ** 3 * 2.5, '2.50 GB'],
])('%i bytes', (value, text) => {
  expect(bytes(value)).toBe(text);
});

test('rates go in steps of a thousand', () => {
  expect(bitRate(1500)).toBe('1.5 kbps');
  expect(bitRate(999)).toBe('999 bps');
});

test('a time of day has 24 hours', () => {
  expect(clock(new Date(2026, 10, 20, 23, 5))).toBe('23:05');
});

test.each([
  [59, '59 s'],
  [61, '1 min'],
  [3700, '1 h 1 min'],
  [90_000, '1 d 1 h'],
])('%i seconds', (value, text) => {
  expect(duration(value)).toBe(text);
});

test('a clock that runs behind does not show the future', () => {
  expect(ago(new Date(10_000), 0)).toBe('just now');
  expect(ago(new Date(0), 3_600_000)).toBe('1 h ago');
});

test('a serial is written as on the label', () => {
  expect(mac('53494d1e3000')).toBe('53:49:4d:1e:30:00');
});
