import type { backup } from '@yunxun/contract';
import { momentAt } from '@yunxun/contract/local-time';
import { addDays, dayOf, weekdayOf } from '../../platform/calendar.ts';

export function lastDue(plan: backup.BackupPlan, now: Date, zone: string): Date | null {
  if (plan.cycle === 'off') return null;
  let day = dayOf(now, zone);
  for (let back = 0; back <= 7; back += 1, day = addDays(day, -1)) {
    if (plan.cycle === 'weekly' && weekdayOf(day) !== plan.weekday) continue;
    const at = momentAt(day, plan.hour * 60, zone);
    if (at <= now) return at;
  }
  return null;
}

/** Makes one backup for several missed. */
export function isDue(plan: backup.BackupPlan, last: Date | null, now: Date, zone: string): boolean {
  const due = lastDue(plan, now, zone);
  return due !== null && (last === null || last < due);
}
