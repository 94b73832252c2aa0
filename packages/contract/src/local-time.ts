const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns the zone's local time as if it were UTC, in milliseconds; both in ms since 1970. */
export function wallClock(at: number, zone: string): number {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
    formats.set(zone, format);
  }
  return Date.parse(`${format.format(at).replace(' ', 'T')}Z`);
}

/**
 * Returns when a clock in the zone shows `day` (`2026-11-21`) and `minute` of the day; 1440 and more are on later days.
 * A repeated time is taken the first time, a skipped one as much later as the clock jumps.
 */
export function momentAt(day: string, minute: number, zone: string): Date {
  const wall = Date.parse(`${day}T00:00:00Z`) + minute * 60_000;
  // the UTC offsets a day before and after cover a clock change between them
  const candidates = [-1, 1].map((side) => {
    const near = wall + side * 86_400_000;
    return wall - (wallClock(near, zone) - near);
  });
  const on = candidates.filter((time) => wallClock(time, zone) === wall);
  return new Date(on.length > 0 ? Math.min(...on) : Math.max(...candidates));
}
