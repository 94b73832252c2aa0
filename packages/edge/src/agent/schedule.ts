import type { PlanSchedule } from '../render/plan.ts';

/** Returns the minute in the schedule's zone (`2026-11-21 03:30`) if due, else null. */
export function dueMinute({ days, at, timeZone }: PlanSchedule, now: Date): string | null {
  const parts = new Intl.DateTimeFormat('en-CA', {
    ...(timeZone === null ? {} : { timeZone }),
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', weekday: 'short' },
    ...{ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  }).formatToParts(now);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((one) => one.type === type)?.value ?? '';
  const day = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'].indexOf(part('weekday').slice(0, 3));
  const minute = `${part('hour')}:${part('minute')}`;
  return minute === at && days.includes(day) ? `${part('year')}-${part('month')}-${part('day')} ${minute}` : null;
}
