import { describe, expect, test } from 'vitest';
import type { CommittedReport } from './counted-report.ts';
import { dateEvent, type EventClock, offsetAfter } from './event-time.ts';

const now = Date.parse('2026-11-23T10:00:00Z');
const second = 1000;
const minute = 60 * second;
const day = 86_400 * second;

type Clock = Pick<CommittedReport, 'at' | 'localtimeS' | 'offset'>;

/** Reports every minute; `ahead`: lead of the device clock, milliseconds. */
function after(...ahead: number[]): Clock {
  return ahead.reduce<Clock | null>((last, more, n) => {
    const at = now - (ahead.length - 1 - n) * minute;
    const next = { at, localtimeS: (at + more) / second };
    return { ...next, offset: offsetAfter(last, next) };
  }, null)!;
}

const of = (known: Clock | null, more: Partial<EventClock> = {}): EventClock => ({
  known,
  boundAt: now - 30 * day,
  absentSince: null,
  ...more,
});
const dated = (clock: EventClock, ago: number, ahead: number, arrival = now + 30 * second): number =>
  (arrival - dateEvent((arrival - ago + ahead) / second, arrival, clock).at) / second;

describe('an event', () => {
  test.each([0, 2 * day, -2 * day, Date.parse('2100-01-01') - now, 60 * second - now])(
    'is dated by the clock of its device, which is %i ms ahead',
    (ahead) => {
      expect(dated(of(after(ahead, ahead)), 20 * second, ahead)).toBe(20);
    },
  );

  test.each([2 * day, -2 * day, Date.parse('2100-01-01') - now, 60 * second - now])(
    'counts as of its arrival while the clock has just moved by %i ms, and by the new clock once that is certain',
    (ahead) => {
      expect(dated(of(after(0, 0, ahead)), 20 * second, ahead)).toBe(0);
      expect(dated(of(after(0, 0, ahead, ahead)), 20 * second, ahead)).toBe(20);
      expect(dated(of(after(0, 0, ahead, 0)), 20 * second, 0)).toBe(20);
    },
  );

  test.each([2 * day, -2 * day, Date.parse('2100-01-01') - now, 60 * second - now])(
    'of a device that has not reported yet, by a clock %i ms ahead, is not before it was bound',
    (ahead) => {
      expect(dated(of(null, { boundAt: now }), 20 * second, ahead)).toBe(0);
    },
  );

  test('is not before the last absence, and within it where it happened', () => {
    const away = of(after(0), { absentSince: now });
    const back = now + 600 * second;
    expect(dated(away, 300 * second, 0, back)).toBe(300);
    expect(dated(away, 700 * second, 0, back)).toBe(0);
  });

  test('of a device that is connected is not from long before its last report', () => {
    const live = of(after(0, 0), { absentSince: now - 10 * day });
    expect(dated(live, 10 * minute, 0)).toBe(600);
    expect(dated(live, 2 * day, 0)).toBe(0);
  });

  test('is never after its arrival', () => {
    expect(dated(of(after(0)), -30 * second, 0)).toBe(0);
    expect(dateEvent(null, now, of(after(0)))).toEqual({ at: now, isBelieved: false });
  });
});
