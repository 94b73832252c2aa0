import { expect, it } from 'vitest';
import { addDays, dayOf, hourOf, momentOf, stampOf, startOfDay } from './calendar.ts';

it.each([
  ['2026-11-20T15:59:59Z', 'Asia/Shanghai', '2026-11-20', 23],
  ['2026-11-20T16:00:00Z', 'Asia/Shanghai', '2026-11-21', 0],
  ['2026-11-21T03:30:00Z', 'America/New_York', '2026-11-20', 22],
  ['2026-11-20T18:30:00Z', 'Asia/Kolkata', '2026-11-21', 0],
])('at %s a calendar in %s shows %s, %i h', (at, zone, day, hour) => {
  expect([dayOf(new Date(at), zone), hourOf(new Date(at), zone)]).toEqual([day, hour]);
});

it.each([
  ['2026-11-21', 'Asia/Shanghai', '2026-11-20T16:00:00.000Z'],
  ['2026-11-21', 'UTC', '2026-11-21T00:00:00.000Z'],
  ['2026-11-21', 'Asia/Kolkata', '2026-11-20T18:30:00.000Z'],
  ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
  ['2026-10-25', 'Europe/Berlin', '2026-10-24T22:00:00.000Z'],
  // 24:00 jumps to 01:00: the day begins at 01:00
  ['2026-03-29', 'Asia/Beirut', '2026-03-28T22:00:00.000Z'],
  // 24:00 falls back to 23:00: the day still begins once
  ['2026-10-25', 'Asia/Beirut', '2026-10-24T22:00:00.000Z'],
  // the zone left this day out
  ['2011-12-30', 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
])('the day %s begins in %s at %s', (day, zone, at) => {
  expect(startOfDay(day, zone).toISOString()).toBe(at);
});

it.each([
  ['2026-10-25', '22:00', '2026-10-25T21:00:00.000Z'],
  ['2026-03-29', '22:00', '2026-03-29T20:00:00.000Z'],
  // 02:00 jumps to 03:00
  ['2026-03-29', '02:00', '2026-03-29T01:00:00.000Z'],
  ['2026-03-29', '02:30', '2026-03-29T01:30:00.000Z'],
])('on %s a clock in Berlin shows %s at %s, a skipped time an hour later', (day, time, at) => {
  expect(momentOf(day, time, 'Europe/Berlin').toISOString()).toBe(at);
});

it.each([
  // 02:00 jumps to 02:30
  ['2026-10-04', '02:10', 'Australia/Lord_Howe', '2026-10-03T15:40:00.000Z'],
  ['2026-10-04', '09:00', 'Australia/Lord_Howe', '2026-10-03T22:00:00.000Z'],
  // 01:00 to 02:00 comes twice
  ['2026-11-01', '01:30', 'America/New_York', '2026-11-01T05:30:00.000Z'],
  ['2026-11-01', '04:00', 'America/New_York', '2026-11-01T09:00:00.000Z'],
  ['2027-03-14', '04:00', 'America/New_York', '2027-03-14T08:00:00.000Z'],
  // 24:00 jumps to 01:00
  ['2026-03-29', '00:30', 'Asia/Beirut', '2026-03-28T22:30:00.000Z'],
])('on %s a clock shows %s in %s at %s', (day, time, zone, at) => {
  expect(momentOf(day, time, zone).toISOString()).toBe(at);
});

it('stamps the name of a file with what a clock in the zone shows', () => {
  const at = new Date('2026-11-20T18:30:59Z');
  expect([stampOf(at, 'Asia/Kolkata'), stampOf(at, 'UTC')]).toEqual(['20261121-0000', '20261120-1830']);
});

it('counts days over the end of a year', () => {
  expect([addDays('2026-12-31', 1), addDays('2026-03-01', -1), addDays('2026-11-21', 0)]).toEqual([
    '2027-01-01',
    '2026-02-28',
    '2026-11-21',
  ]);
});
