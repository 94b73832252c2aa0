import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { install } from '../app/i18n.ts';
import { applyPreferences } from '../app/preferences.ts';
import { messages } from '../messages/en.ts';
import {
  ago,
  bitRate,
  bytes,
  bytesTick,
  clock,
  date,
  duration,
  exactTime,
  mac,
  momentTyped,
  money,
  shortTime,
  startOfDay,
} from './format.ts';

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

test('an axis writes round sizes without decimals', () => {
  expect(bytesTick(200 * 1024 ** 3)).toBe('200 GB');
  expect(bytesTick(1536)).toBe('1.50 KB');
  expect(bytesTick(0)).toBe('0 B');
});

test.each([
  [0, '¥0.00'],
  [12840.5, '¥12,840.50'],
  [-3, '-¥3.00'],
])('%d yuan', (value, text) => {
  expect(money(value)).toBe(text);
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
  [7200, '2 h'],
  [90_000, '1 d 1 h'],
  [172_800, '2 d'],
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

describe('in the zone that the person chose', () => {
  const choose = (time_zone: string) => {
    vi.stubGlobal('document', { documentElement: { dataset: {} } });
    applyPreferences({ personalization: { density: 'comfortable', page_size: 10 }, time_zone } as never);
  };
  afterEach(() => vi.unstubAllGlobals());
  const at = new Date('2026-12-31T20:30:05Z');

  test.each([
    ['Asia/Shanghai', '2027-01-01 04:30:05'],
    ['America/New_York', '2026-12-31 15:30:05'],
    ['Asia/Kathmandu', '2027-01-01 02:15:05'],
    ['UTC', '2026-12-31 20:30:05'],
  ])('%s', (zone, text) => {
    choose(zone);
    expect(exactTime(at)).toBe(text);
    expect(date(at)).toBe(text.slice(0, 10));
  });

  test.each([
    ['Asia/Shanghai', '2026-12-31T20:30:00.000Z'],
    ['America/New_York', '2027-01-01T09:30:00.000Z'],
    ['UTC', '2027-01-01T04:30:00.000Z'],
  ])('a time that is typed is one of %s', (zone, moment) => {
    choose(zone);
    expect(momentTyped('2027-01-01T04:30').toISOString()).toBe(moment);
  });

  test.each([
    // skipped: as much later as the clock jumps
    ['2027-03-14T02:30', '2027-03-14T07:30:00.000Z'],
    // shown twice: the first time, as on the server
    ['2026-11-01T01:30', '2026-11-01T05:30:00.000Z'],
  ])('%s typed in New York on a day whose clock changes', (typed, moment) => {
    choose('America/New_York');
    expect(momentTyped(typed).toISOString()).toBe(moment);
  });

  test('today and this year are those of the zone', () => {
    choose('Asia/Shanghai');
    expect(shortTime(at, new Date('2027-01-01T10:00:00Z'))).toBe('04:30');
    expect(shortTime(at, new Date('2026-12-31T10:00:00Z'))).toBe('2027-01-01 04:30');
    expect(shortTime(at, new Date('2027-03-01T10:00:00Z'))).toBe('01-01 04:30');
  });

  test.each([
    ['Asia/Shanghai', 0, '2026-12-31T16:00:00.000Z'],
    ['Asia/Shanghai', -6, '2026-12-25T16:00:00.000Z'],
    ['America/New_York', 0, '2026-12-31T05:00:00.000Z'],
    // the day before clocks go back has 24 hours, that day 25
    ['America/New_York', -61, '2026-10-31T04:00:00.000Z'],
    ['America/New_York', -59, '2026-11-02T05:00:00.000Z'],
  ])('a day of %s begins at its own midnight (%i days on)', (zone, days, iso) => {
    choose(zone);
    expect(startOfDay(at, days).toISOString()).toBe(iso);
  });

  test('a zone that the browser does not know is as if none were chosen', () => {
    choose('Mars/Olympus');
    expect(clock(new Date(2026, 10, 20, 23, 5))).toBe('23:05');
  });
});
