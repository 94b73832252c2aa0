import { expect, it } from 'vitest';
import { countsAt, curveTimes } from './curve.ts';

it('has a time for each hour of a day, and now', () => {
  const times = curveTimes(new Date('2026-11-21T04:30:00Z'));
  expect(times).toHaveLength(25);
  expect(times[0]!.toISOString()).toBe('2026-11-20T04:30:00.000Z');
  expect(times[1]!.toISOString()).toBe('2026-11-20T05:30:00.000Z');
  expect(times[24]!.toISOString()).toBe('2026-11-21T04:30:00.000Z');
});

it('counts what had begun and not ended', () => {
  const rows = [
    { began: 0, ended: 4, count: 2 },
    { began: 1, ended: 2, count: 3 },
    { began: 3, ended: 4, count: 1 },
    // between two times
    { began: 2, ended: 2, count: 7 },
  ];
  expect(countsAt(rows, 4)).toEqual([2, 5, 2, 3]);
});
