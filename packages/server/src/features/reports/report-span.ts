import type { ReportPeriod } from '@yunxun/contract';
import { addDays, dayOf, momentOf, startOfDay, weekdayOf } from '../../platform/calendar.ts';

export interface SendTime {
  period: ReportPeriod;
  weekday: number;
  hour: number;
}

/** Whole local days; `to` is the midnight after the last one. */
export interface ReportSpan {
  firstDay: string;
  lastDay: string;
  from: Date;
  to: Date;
}

function isSendDay({ period, weekday }: SendTime, day: string): boolean {
  return period === 'day' || weekdayOf(day) === weekday;
}

function momentOn({ hour }: SendTime, day: string, zone: string): Date {
  return momentOf(day, `${String(hour).padStart(2, '0')}:00`, zone);
}

export function latestSendDay(time: SendTime, now: Date, zone: string): string {
  let day = dayOf(now, zone);
  while (!isSendDay(time, day) || momentOn(time, day, zone) > now) day = addDays(day, -1);
  return day;
}

export function nextSendAt(time: SendTime, now: Date, zone: string): Date {
  let day = dayOf(now, zone);
  while (!isSendDay(time, day) || momentOn(time, day, zone) <= now) day = addDays(day, 1);
  return momentOn(time, day, zone);
}

/** Returns the days that a report of a day of sending covers. A day with a clock change has 23 or 25 hours. */
export function spanOf(period: ReportPeriod, sendDay: string, zone: string): ReportSpan {
  const firstDay = addDays(sendDay, period === 'day' ? -1 : -7);
  return {
    firstDay,
    lastDay: addDays(sendDay, -1),
    from: startOfDay(firstDay, zone),
    to: startOfDay(sendDay, zone),
  };
}
