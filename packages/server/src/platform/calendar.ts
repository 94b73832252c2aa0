const formats = new Map<string, Intl.DateTimeFormat>();

/** What a clock in the zone shows, as if it stood in UTC. Milliseconds. */
function wallClock(at: number, zone: string): number {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
    formats.set(zone, format);
  }
  return Date.parse(`${format.format(at).replace(' ', 'T')}Z`);
}

/** The day of the zone's calendar (IANA name) at a time: `2026-11-21`. */
export function dayOf(at: Date, zone: string): string {
  return new Date(wallClock(at.getTime(), zone)).toISOString().slice(0, 10);
}

/** The hour that a clock in the zone shows, 0 to 23. */
export function hourOf(at: Date, zone: string): number {
  return new Date(wallClock(at.getTime(), zone)).getUTCHours();
}

/** What a clock in the zone shows, as a part of a file's name: `20261121-1530`. */
export function stampOf(at: Date, zone: string): string {
  const shown = new Date(wallClock(at.getTime(), zone)).toISOString();
  return shown.slice(0, 16).replace(/[-:]/g, '').replace('T', '-');
}

/** A day of the calendar so many days later, or earlier. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/** The first moment of a day in the zone; where clocks skip midnight, the moment that they skip to. */
export function startOfDay(day: string, zone: string): Date {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  // the offsets of the day before and after hold whatever the clocks do at midnight
  const candidates = [-1, 1].map((side) => {
    const near = midnight + side * 86_400_000;
    return midnight - (wallClock(near, zone) - near);
  });
  const on = candidates.filter((time) => dayOf(new Date(time), zone) === day);
  return new Date(Math.min(...(on.length > 0 ? on : candidates)));
}
