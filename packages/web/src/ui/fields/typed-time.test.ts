import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dayOf, isWholeTime, stepDay, stepMonth, stepTime, timeOf, weeksOf } from './typed-time.ts';

test('a time is read in the ways in which people type it', () => {
  const typed = ['4', '04', '430', '0430', '4:30', '4.30', '４：３０', ' 23:59 ', '0', '000'];
  expect(typed.map(timeOf)).toEqual([
    '04:00',
    '04:00',
    '04:30',
    '04:30',
    '04:30',
    '04:30',
    '04:30',
    '23:59',
    '00:00',
    '00:00',
  ]);
});

test('what is no time of a 24-hour day is none', () => {
  for (const text of ['', '24:00', '7:60', '2460', '4 pm', '12:3x', '-1', '1:2:3', '12345'])
    expect(timeOf(text), text).toBeNull();
});

test('a time is handed on while it is typed only once more digits cannot change it', () => {
  expect(['4', '43', '430', '4:3', '4:30', '0430', '12:00'].map(isWholeTime)).toEqual([
    false,
    false,
    false,
    false,
    true,
    true,
    true,
  ]);
});

test('arrows move a time over midnight', () => {
  expect([stepTime('23:50', 15), stepTime('00:10', -15), stepTime('', 60), stepTime('nonsense', -60)]).toEqual([
    '00:05',
    '23:55',
    '01:00',
    '23:00',
  ]);
});

test('every time of a day is read as itself', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1439 }), (minute) => {
      const text = stepTime('00:00', minute);
      expect(timeOf(text)).toBe(text);
      expect(timeOf(text.replace(':', ''))).toBe(text);
    }),
  );
});

test('a day must exist', () => {
  expect(['2026-11-29', '2026/1/9', '20280229', '２０２６-11-29'].map(dayOf)).toEqual([
    '2026-11-29',
    '2026-01-09',
    '2028-02-29',
    '2026-11-29',
  ]);
  for (const text of ['', '2026-02-29', '2026-13-01', '29-11-2026', '2026-11', '2026-00-10'])
    expect(dayOf(text), text).toBeNull();
});

test('a month moves to the last day of a shorter one', () => {
  expect([stepMonth('2026-01-31', 1), stepMonth('2028-03-31', -1), stepMonth('2026-12-15', 1)]).toEqual([
    '2026-02-28',
    '2028-02-29',
    '2027-01-15',
  ]);
  expect(stepDay('2026-12-31', 1)).toBe('2027-01-01');
});

test('a calendar has six weeks from Monday on, with the whole month', () => {
  const weeks = weeksOf('2026-11-29');
  expect(weeks[0]?.[0]).toBe('2026-10-26');
  expect(weeks.flat()).toHaveLength(42);
  expect(weeks.flat().filter((day) => day.startsWith('2026-11'))).toHaveLength(30);
});
