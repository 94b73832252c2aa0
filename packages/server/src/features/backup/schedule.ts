import type { backup } from '@yunxun/contract';
import { addDays, dayOf, startOfDay } from '../../platform/calendar.ts';

const hourMs = 3_600_000;
/** ISO 8601; 1970-01-01 was a Thursday. */
const weekdayOf = (day: string) => ((((Date.parse(`${day}T00:00:00Z`) / 86_400_000 + 3) % 7) + 7) % 7) + 1;

/** Returns null if none; an hour off on clock changes. */
export function lastDue(plan: backup.BackupPlan, now: Date, zone: string): Date | null {
  if (plan.cycle === 'off') return null;
  let day = dayOf(now, zone);
  for (let back = 0; back <= 7; back += 1, day = addDays(day, -1)) {
    if (plan.cycle === 'weekly' && weekdayOf(day) !== plan.weekday) continue;
    const at = new Date(startOfDay(day, zone).getTime() + plan.hour * hourMs);
    if (at <= now) return at;
  }
  return null;
}

/** Makes one backup for several missed. */
export function isDue(plan: backup.BackupPlan, last: Date | null, now: Date, zone: string): boolean {
  const due = lastDue(plan, now, zone);
  return due !== null && (last === null || last < due);
}
