import { beforeEach, expect, test, vi } from 'vitest';
import { applyPreferences } from '../../app/preferences.ts';
import { spanOf } from './time-range.tsx';

vi.stubGlobal('document', { documentElement: { dataset: {} } });
const live = (zone: string) =>
  applyPreferences({ personalization: { density: 'comfortable', page_size: 10 }, time_zone: zone } as never);
beforeEach(() => live('Asia/Shanghai'));

const now = new Date('2026-11-21T07:42:07Z');
const utc = (text: string) => new Date(text).toISOString();

test('ranges begin on whole days and hours of the person’s zone, and are open to the end', () => {
  expect(spanOf('today', {}, now)).toEqual({ from: utc('2026-11-20T16:00Z') });
  expect(spanOf('7d', {}, now)).toEqual({ from: utc('2026-11-14T16:00Z') });
  expect(spanOf('30d', {}, now)).toEqual({ from: utc('2026-10-22T16:00Z') });
  expect(spanOf('24h', {}, now)).toEqual({ from: utc('2026-11-20T07:00Z') });
  expect(spanOf('24h', {}, new Date(now.getTime() + 60_000))).toEqual(spanOf('24h', {}, now));
});

test('days of one’s own hold their last day whole, and what is no day is as if it were not there', () => {
  const days = { first: '2026-11-01', last: '2026-11-02' };
  expect(spanOf('custom', days, now)).toEqual({ from: utc('2026-10-31T16:00Z'), to: utc('2026-11-02T16:00Z') });
  expect(spanOf('custom', { first: '2026-11-01' }, now)).toEqual({ from: utc('2026-10-31T16:00Z') });
  expect(spanOf('custom', { first: 'x', last: '2026-99-99' }, now)).toEqual({});
});

test.each([
  ['Pacific/Kiritimati', '2026-10-31T10:00Z'],
  ['Pacific/Pago_Pago', '2026-11-01T11:00Z'],
  ['UTC', '2026-11-01T00:00Z'],
])('a day is that of %s', (zone, begins) => {
  live(zone);
  expect(spanOf('custom', { first: '2026-11-01' }, now)).toEqual({ from: utc(begins) });
});
