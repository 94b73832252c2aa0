import { momentAt, wallClock } from '@yunxun/contract/local-time';
import type { PlanSchedule } from '../render/plan.ts';

/** Returns the planned time in the schedule's zone (`2026-11-21 03:30`) if it is due in this minute, else null. */
export function dueMinute({ days, at, timeZone }: PlanSchedule, now: Date): string | null {
  const zone = timeZone ?? undefined;
  const today = new Date(wallClock(now.getTime(), zone));
  if (!days.includes(today.getUTCDay())) return null;
  const day = today.toISOString().slice(0, 10);
  const [hours, minutes] = at.split(':').map(Number) as [number, number];
  const since = now.getTime() - momentAt(day, hours * 60 + minutes, zone).getTime();
  return since >= 0 && since < 60_000 ? `${day} ${at}` : null;
}
