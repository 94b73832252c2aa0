import { expect, it } from 'vitest';
import { isDue, lastDue } from './schedule.ts';

const at = (text: string) => new Date(text);
const daily = { cycle: 'daily', hour: 3, weekday: 1 } as const;
const sundays = { cycle: 'weekly', hour: 4, weekday: 7 } as const;

it('is due at its hour of the account’s clock, and makes up for what was missed once', () => {
  // 03:00 in Shanghai is 19:00 in UTC, the day before
  expect(lastDue(daily, at('2026-11-22T01:00:00Z'), 'Asia/Shanghai')).toEqual(at('2026-11-21T19:00:00Z'));
  expect(lastDue(daily, at('2026-11-21T18:59:00Z'), 'Asia/Shanghai')).toEqual(at('2026-11-20T19:00:00Z'));
  expect(lastDue(sundays, at('2026-11-22T03:59:00Z'), 'UTC')).toEqual(at('2026-11-15T04:00:00Z'));
  expect(lastDue(sundays, at('2026-11-22T04:00:00Z'), 'UTC')).toEqual(at('2026-11-22T04:00:00Z'));
  expect(lastDue({ ...daily, cycle: 'off' }, at('2026-11-22T04:00:00Z'), 'UTC')).toBeNull();

  const now = at('2026-11-22T04:30:00Z');
  expect(isDue(daily, null, now, 'UTC')).toBe(true);
  expect(isDue(daily, at('2026-11-15T03:10:00Z'), now, 'UTC')).toBe(true);
  expect(isDue(daily, at('2026-11-22T03:10:00Z'), now, 'UTC')).toBe(false);
});

it('is due at its hour on days whose clock changes', () => {
  const now = at('2027-03-14T20:00:00Z');
  expect(lastDue({ ...daily, hour: 4 }, now, 'America/New_York')).toEqual(at('2027-03-14T08:00:00Z'));
});
