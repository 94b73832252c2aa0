import { alarms } from '@yunxun/contract';
import { invalid } from '../../platform/failure.ts';

const minuteMs = 60_000;

/** @throws Invalid without an end, for a past or too distant one */
export function silenceEnd(
  { minutes, until }: { minutes?: number | undefined; until?: string | undefined },
  now: Date,
): Date {
  if (minutes === undefined && until === undefined) return invalid('minutes', 'validation.required');
  const end = until === undefined ? now.getTime() + minutes! * minuteMs : Date.parse(until);
  if (end <= now.getTime()) return invalid('until', 'validation.future');
  if (end > now.getTime() + alarms.alarmLimits.silenceMinutes * minuteMs) return invalid('until', 'validation.choice');
  return new Date(end);
}
