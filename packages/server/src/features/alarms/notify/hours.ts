import type { AlarmLevel } from '@yunxun/contract';
import { dayOf, minuteOf, weekdayOf } from '../../../platform/calendar.ts';
import type { SubscriptionTable } from './tables.ts';

type Hours = Pick<SubscriptionTable, 'schedule' | 'quiet'>;

/** Uses the account's zone. */
export function maySendAt({ schedule, quiet }: Hours, level: AlarmLevel, at: Date, zone: string): boolean {
  const minute = minuteOf(at, zone);
  const today = weekdayOf(dayOf(at, zone));
  if (schedule.length > 0) {
    const yesterday = today === 1 ? 7 : today - 1;
    const isOpen = schedule.some(({ days, period }) => {
      const side = sideOf(period, minute);
      return (side === 'same' && days.includes(today)) || (side === 'next' && days.includes(yesterday));
    });
    if (!isOpen) return false;
  }
  return level === 'FATAL' || quiet === null || sideOf(quiet, minute) === null;
}

/** Returns whether a minute is in a period, and whether that began the day before. */
function sideOf(period: string, minute: number): 'same' | 'next' | null {
  const [from, to] = period.split('-').map((time) => {
    const [hours, minutes] = time.split(':').map(Number);
    return hours! * 60 + minutes!;
  }) as [number, number];
  if (from < to) return minute >= from && minute < to ? 'same' : null;
  if (minute >= from) return 'same';
  return minute < to ? 'next' : null;
}
