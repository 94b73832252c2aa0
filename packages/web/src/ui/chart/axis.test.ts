import { expect, test } from 'vitest';
import { axisOf, hasValues, labelled, linear, nearest, roundTimes, valueAxis } from './axis.ts';

test.each([
  [0, { max: 1, ticks: [0, 1] }],
  [3, { max: 3, ticks: [0, 1, 2, 3] }],
  [87, { max: 100, ticks: [0, 20, 40, 60, 80, 100] }],
])('an axis of counts up to %i has whole steps', (max, axis) => {
  expect(valueAxis(max)).toEqual(axis);
});

test('an axis of bytes steps in the unit that its values have', () => {
  const GB = 1024 ** 3;
  expect(valueAxis(190 * GB, 'bytes')).toEqual({ max: 200 * GB, ticks: [0, 50, 100, 150, 200].map((n) => n * GB) });
  expect(valueAxis(0, 'bytes').max).toBe(1);
});

test('an axis of fractions has round ones', () => {
  expect(valueAxis(0.7, 'number')).toEqual({ max: 0.8, ticks: [0, 0.2, 0.4, 0.6, 0.8] });
});

test.each(Array.from({ length: 40 }, (_, index) => 3 ** (index / 2)))(
  '%d stays below the end, between 2 and 8 lines',
  (max) => {
    for (const kind of ['count', 'bytes', 'number'] as const) {
      const axis = valueAxis(max, kind);
      expect(axis.max).toBeGreaterThanOrEqual(max * (1 - 1e-9));
      expect(axis.ticks.at(-1)).toBeCloseTo(axis.max, 6);
      expect(axis.ticks.length).toBeGreaterThanOrEqual(2);
      expect(axis.ticks.length).toBeLessThanOrEqual(8);
    }
  },
);

test('a straight scale goes through both ends, also upside down', () => {
  const toY = linear([0, 50], [200, 0]);
  expect([0, 25, 50].map(toY)).toEqual([200, 100, 0]);
});

test('an axis whose end is fixed keeps it', () => {
  expect(valueAxis(100, 'count', true)).toEqual({ max: 100, ticks: [0, 20, 40, 60, 80, 100] });
});

test('levels in dBm stand on an axis around them, not on one from 0', () => {
  expect(axisOf([-62, -55, -71], 'number')).toEqual({ min: -90, max: -50, ticks: [-90, -80, -70, -60, -50] });
  expect(axisOf([-60], 'number')).toMatchObject({ min: -70, max: -60 });
  expect(axisOf([12, 30], 'number', 100)).toEqual({ min: 0, ...valueAxis(100, 'number', true) });
});

test.each([[[-95]], [[-60, -60]], [[-120, -1]], [[-3, 4]]])('%j lies between the ends of its axis', (values) => {
  const { min, max, ticks } = axisOf(values, 'number');
  for (const value of values) expect(value >= min && value <= max).toBe(true);
  expect(max).toBeGreaterThan(min);
  expect(ticks.length).toBeGreaterThan(1);
});

test('labels keep their distance, and the latest place has one', () => {
  expect(labelled(7, 700)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  const few = labelled(30, 340);
  expect(few.at(-1)).toBe(29);
  expect(few.length).toBeLessThanOrEqual(5);
});

const east = (minutes: number) => (at: number) => (((at / 60_000 + minutes) % 1440) + 1440) % 1440;
const written = (minutes: number, marks: readonly number[]) =>
  marks.map((at) => new Date(at + minutes * 60_000).toISOString().slice(11, 16));

test.each([
  [480, 600, ['18:00', '21:00', '00:00', '03:00', '06:00', '09:00', '12:00', '15:00']],
  [480, 340, ['18:00', '00:00', '06:00', '12:00']],
  [345, 340, ['18:00', '00:00', '06:00', '12:00']],
  [
    -210,
    900,
    ['06:00', '08:00', '10:00', '12:00', '14:00', '16:00', '18:00', '20:00', '22:00', '00:00', '02:00', '04:00'],
  ],
])('%i minutes east, %i pixels wide: the marks of a day are round where it is read', (minutes, width, marks) => {
  const end = Date.parse('2026-11-21T09:10:00Z');
  expect(written(minutes, roundTimes([end - 86_400_000, end], width, east(minutes)))).toEqual(marks);
});

test('a short time has half hours, a long one midnights', () => {
  const end = Date.parse('2026-11-21T09:10:00Z');
  expect(written(480, roundTimes([end - 7_200_000, end], 600, east(480)))).toEqual([
    '15:30',
    '16:00',
    '16:30',
    '17:00',
  ]);
  expect(written(480, roundTimes([end - 7 * 86_400_000, end], 600, east(480)))).toEqual(Array(7).fill('00:00'));
});

test('a pointer takes the nearest place', () => {
  expect(nearest([0, 10, 20], 14)).toBe(1);
  expect(nearest([0, 10, 20], 400)).toBe(2);
});

test('nothing but gaps and zeros is nothing to draw', () => {
  expect(hasValues([null, 0, null])).toBe(false);
  expect(hasValues([null, 2])).toBe(true);
});
