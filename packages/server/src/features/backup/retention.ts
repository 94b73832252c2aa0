import { backup } from '@yunxun/contract';
import { addDays, dayOf } from '../../platform/calendar.ts';

export interface Kept {
  id: string;
  at: Date;
  pinned: boolean;
}

export function weekOf(day: string): string {
  // 1970-01-01 was a Thursday
  const days = Math.floor(Date.parse(`${day}T00:00:00Z`) / 86_400_000);
  return addDays(day, -((((days + 3) % 7) + 7) % 7));
}

/**
 * Keeps the newest thirty, the newest of the last twelve weeks and months with backups (account's calendar), and
 * uncounted pinned ones.
 */
export function kept(backups: readonly Kept[], zone: string): Set<string> {
  const most = backup.backupLimits.kept;
  const newest = backups
    .filter(({ pinned }) => !pinned)
    .toSorted((a, b) => b.at.getTime() - a.at.getTime() || (a.id < b.id ? 1 : -1));
  const ids = new Set(backups.filter(({ pinned }) => pinned).map(({ id }) => id));
  for (const { id } of newest.slice(0, most.newest)) ids.add(id);
  const days = newest.map((one) => ({ id: one.id, day: dayOf(one.at, zone) }));
  for (const id of firstOfEach(days, ({ day }) => weekOf(day), most.weeks)) ids.add(id);
  for (const id of firstOfEach(days, ({ day }) => day.slice(0, 7), most.months)) ids.add(id);
  return ids;
}

function firstOfEach(
  list: readonly { id: string; day: string }[],
  groupOf: (one: { day: string }) => string,
  max: number,
): string[] {
  const first = new Map<string, string>();
  for (const one of list) {
    const group = groupOf(one);
    if (!first.has(group)) first.set(group, one.id);
    if (first.size > max) {
      first.delete(group);
      break;
    }
  }
  return [...first.values()];
}
