import { momentAt, wallClock } from '../local-time.ts';

/** Open on `days` (1: Monday) from `from` to `to`, `HH:MM`; a `to` that is not later means the next day. */
export interface OpeningHours {
  days: readonly number[];
  from: string;
  to: string;
}

export const timeOfDay = /^([01]\d|2[0-3]):[0-5]\d$/;

const dayMs = 86_400_000;

const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

const dayBefore = (day: string, back: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) - back * dayMs).toISOString().slice(0, 10);

const weekdayOf = (day: string) => ((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7) + 1;

interface Span {
  from: number;
  to: number;
}

/** Returns spans from yesterday to a week ahead, oldest first and joined where they touch. */
function spansAround(hours: readonly OpeningHours[], zone: string, at: number): Span[] {
  const today = new Date(wallClock(at, zone)).toISOString().slice(0, 10);
  const spans: Span[] = [];
  for (let back = 1; back >= -8; back -= 1) {
    const day = dayBefore(today, back);
    for (const { days, from, to } of hours) {
      if (!days.includes(weekdayOf(day))) continue;
      const [begin, end] = [minutesOf(from), minutesOf(to)];
      const ends = end > begin ? momentAt(day, end, zone) : momentAt(dayBefore(day, -1), end, zone);
      const span = { from: momentAt(day, begin, zone).getTime(), to: ends.getTime() };
      // the clock may skip all of it
      if (span.from < span.to) spans.push(span);
    }
  }
  const joined: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last && span.from <= last.to) last.to = Math.max(last.to, span.to);
    else joined.push({ ...span });
  }
  return joined;
}

/** `until`: end of the present state, Unix milliseconds; null if it lasts for a week or longer. Empty hours: open. */
export function openingAt(
  hours: readonly OpeningHours[],
  zone: string,
  at: number,
): { open: boolean; until: number | null } {
  if (hours.length === 0) return { open: true, until: null };
  const spans = spansAround(hours, zone, at);
  const now = spans.find(({ from, to }) => from <= at && at < to);
  if (now) return { open: true, until: now.to - at >= 7 * dayMs ? null : now.to };
  return { open: false, until: spans.find(({ from }) => from > at)?.from ?? null };
}
