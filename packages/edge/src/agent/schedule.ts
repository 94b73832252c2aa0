import { momentAt, wallClock } from '@yunxun/contract/local-time';
import type { PlanSchedule } from '../render/plan.ts';

/** Returns the local planned time (`2026-11-21 03:30`) if due in this minute, else null. */
export function dueMinute({ days, at, timeZone }: PlanSchedule, now: Date): string | null {
  const zone = timeZone ?? undefined;
  const [hours, minutes] = at.split(':').map(Number) as [number, number];
  // a time before midnight that the clock skips is after midnight
  for (const back of [0, 1]) {
    const date = new Date(wallClock(now.getTime(), zone) - back * 86_400_000);
    const day = date.toISOString().slice(0, 10);
    const since = now.getTime() - momentAt(day, hours * 60 + minutes, zone).getTime();
    if (days.includes(date.getUTCDay()) && since >= 0 && since < 60_000) return `${day} ${at}`;
  }
  return null;
}
