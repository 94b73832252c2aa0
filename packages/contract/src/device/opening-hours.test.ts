import { expect, it } from 'vitest';
import { type OpeningHours, openingAt } from './opening-hours.ts';

const zone = 'Asia/Shanghai';
/** In Shanghai; 2026-11-23 is a Monday. */
const local = (text: string) => Date.parse(`${text}:00+08:00`);
const at = (hours: readonly OpeningHours[], text: string) => {
  const { open, until } = openingAt(hours, zone, local(text));
  return [open, until === null ? null : new Date(until + 8 * 3_600_000).toISOString().slice(0, 16)];
};
const week = [1, 2, 3, 4, 5, 6, 7];

it('is always open without hours', () => {
  expect(at([], '2026-11-23T03:00')).toEqual([true, null]);
});

it('says when it closes and opens', () => {
  const hours = [{ days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00' }];
  expect(at(hours, '2026-11-23T08:00')).toEqual([true, '2026-11-23T18:00']);
  expect(at(hours, '2026-11-23T18:00')).toEqual([false, '2026-11-24T08:00']);
  expect(at(hours, '2026-11-27T20:00')).toEqual([false, '2026-11-30T08:00']);
});

it('runs over midnight, and joins hours that touch', () => {
  const bar = [{ days: [5], from: '18:00', to: '02:00' }];
  expect(at(bar, '2026-11-28T01:00')).toEqual([true, '2026-11-28T02:00']);
  expect(at(bar, '2026-11-27T01:00')).toEqual([false, '2026-11-27T18:00']);
  const joined = [...bar, { days: [6], from: '01:30', to: '04:00' }];
  expect(at(joined, '2026-11-27T23:00')).toEqual([true, '2026-11-28T04:00']);
  expect(at([{ days: week, from: '00:00', to: '00:00' }], '2026-11-25T12:00')).toEqual([true, null]);
});

it('keeps the local time over a clock change', () => {
  const hours = [{ days: week, from: '08:00', to: '18:00' }];
  const before = Date.parse('2026-10-24T20:00:00Z');
  expect(openingAt(hours, 'Europe/Berlin', before)).toEqual({ open: false, until: Date.parse('2026-10-25T07:00:00Z') });
});

it('does not announce hours that the clock skips', () => {
  const hours = [{ days: [7], from: '02:30', to: '03:00' }];
  const before = Date.parse('2027-03-28T00:00:00Z');
  expect(openingAt(hours, 'Europe/Berlin', before)).toEqual({ open: false, until: Date.parse('2027-04-04T00:30:00Z') });
});
