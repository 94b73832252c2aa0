import type { AlarmRuleHours } from '@yunxun/contract';
import { t } from '../../app/i18n.ts';

export const days = [1, 2, 3, 4, 5, 6, 7] as const;

const dayMinutes = 1440;
/** Shortest hours, minutes. */
const least = 15;

/** The second time may be on the next day. */
export interface TypedHours {
  weekdays: readonly number[];
  from: string;
  to: string;
}

export const usualHours: TypedHours = { weekdays: [1, 2, 3, 4, 5], from: '08:00', to: '20:00' };

/** Minute of the day; null if it is no time. */
function minuteOf(time: string): number | null {
  const found = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(time);
  return found ? Number(found[1]) * 60 + Number(found[2]) : null;
}

function lengthOf(from: number, to: number): number {
  return (to - from + dayMinutes) % dayMinutes || dayMinutes;
}

export function hoursError({ weekdays, from, to }: TypedHours): string | null {
  const [begin, end] = [minuteOf(from), minuteOf(to)];
  if (weekdays.length === 0) return t('alarm.hours_no_day');
  if (begin === null || end === null) return t('alarm.hours_wrong');
  return lengthOf(begin, end) < least ? t('alarm.hours_short') : null;
}

export function hoursOfTyped({ weekdays, from, to }: TypedHours): AlarmRuleHours {
  const [begin, end] = [minuteOf(from) ?? 0, minuteOf(to) ?? 0];
  return { weekdays: weekdays.toSorted(), start: from, minutes: lengthOf(begin, end) };
}

export function typedOfHours({ weekdays, start, minutes }: AlarmRuleHours): TypedHours {
  const end = ((minuteOf(start) ?? 0) + minutes) % dayMinutes;
  const two = (value: number) => String(value).padStart(2, '0');
  return { weekdays, from: start, to: `${two(Math.floor(end / 60))}:${two(end % 60)}` };
}

/** Weekly hours in one line, such as `Mon Tue 08:00–20:00`. */
export function hoursText(hours: AlarmRuleHours): string {
  const { weekdays, from, to } = typedOfHours(hours);
  const shown = days.filter((day) => weekdays.includes(day)).map((day) => t(`alarm.day_${day}`));
  return `${shown.join(' ')} ${from}–${to}`;
}
