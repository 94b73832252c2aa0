import { dayOf, momentAt, wallClock } from '@yunxun/contract/local-time';

export { dayOf };

export function hourOf(at: Date, zone: string): number {
  return new Date(wallClock(at.getTime(), zone)).getUTCHours();
}

/** Returns the local time for a file name: `20261121-1530`. */
export function stampOf(at: Date, zone: string): string {
  const shown = new Date(wallClock(at.getTime(), zone)).toISOString();
  return shown.slice(0, 16).replace(/[-:]/g, '').replace('T', '-');
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/** Returns the first instant; after the gap if midnight is skipped. */
export function startOfDay(day: string, zone: string): Date {
  return momentAt(day, 0, zone);
}

/** Returns when a clock in the zone shows `time` (`15:30`) on `day`; a skipped time as much later as the clock jumps. */
export function momentOf(day: string, time: string, zone: string): Date {
  const [hours, minutes] = time.split(':').map(Number) as [number, number];
  return momentAt(day, hours * 60 + minutes, zone);
}

/** Returns the minute of the zone's day, 0 to 1439. */
export function minuteOf(at: Date, zone: string): number {
  const shown = new Date(wallClock(at.getTime(), zone));
  return shown.getUTCHours() * 60 + shown.getUTCMinutes();
}

/** Returns the weekday of a calendar day; 1 is Monday. */
export function weekdayOf(day: string): number {
  return ((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7) + 1;
}

/** Returns the local time for people: `2026-11-21 15:30`, with seconds `2026-11-21 15:30:59`. */
export function timeText(at: Date, zone: string, to: 'minute' | 'second' = 'minute'): string {
  const shown = new Date(wallClock(at.getTime(), zone)).toISOString();
  return shown.slice(0, to === 'minute' ? 16 : 19).replace('T', ' ');
}
