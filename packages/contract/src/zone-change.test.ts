import { expect, test } from 'vitest';
import { firstDayInZone } from './zone-change.ts';

test.each([
  ['2026-11-25T12:00:00Z', 'Asia/Shanghai', 'Europe/Berlin', '2026-11-26'],
  ['2026-11-25T17:00:00Z', 'Asia/Shanghai', 'America/New_York', '2026-11-27'],
  ['2026-11-25T17:00:00Z', 'America/New_York', 'Asia/Shanghai', '2026-11-27'],
  ['2026-12-31T23:30:00Z', 'UTC', 'Asia/Kolkata', '2027-01-02'],
])('a change at %s from %s to %s counts from %s', (at, before, after, day) => {
  expect(firstDayInZone(new Date(at), before, after)).toBe(day);
});
