import { expect, test } from 'vitest';
import { spanOf } from './time-range.tsx';

const now = new Date(2026, 10, 21, 15, 42, 7);
const local = (...parts: [number, number, number]) => new Date(...parts).toISOString();

test('ranges begin on whole days and hours, and are open to the end', () => {
  expect(spanOf('today', {}, now)).toEqual({ from: local(2026, 10, 21) });
  expect(spanOf('7d', {}, now)).toEqual({ from: local(2026, 10, 15) });
  expect(spanOf('30d', {}, now)).toEqual({ from: local(2026, 9, 23) });
  expect(spanOf('24h', {}, now)).toEqual({ from: new Date(2026, 10, 20, 15).toISOString() });
  expect(spanOf('24h', {}, new Date(now.getTime() + 60_000))).toEqual(spanOf('24h', {}, now));
});

test('days of one’s own hold their last day whole, and what is no day is as if it were not there', () => {
  expect(spanOf('custom', { first: '2026-11-01', last: '2026-11-02' }, now)).toEqual({
    from: local(2026, 10, 1),
    to: local(2026, 10, 3),
  });
  expect(spanOf('custom', { first: '2026-11-01' }, now)).toEqual({ from: local(2026, 10, 1) });
  expect(spanOf('custom', { first: 'x', last: '2026-99-99' }, now)).toEqual({});
});
