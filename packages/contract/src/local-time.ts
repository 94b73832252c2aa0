/** Name such as `Asia/Shanghai`; undefined: the machine's own, whose name may be unknown (`Etc/Unknown`). */
type Zone = string | undefined;

const formats = new Map<Zone, Intl.DateTimeFormat>();

/** Returns the zone's local time as if it were UTC, in milliseconds; both in ms since 1970. */
export function wallClock(at: number, zone: Zone): number {
  let format = formats.get(zone);
  if (!format) {
    // some builds of Node know English only (Alpine, OpenWrt)
    format = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
      timeZone: zone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    });
    formats.set(zone, format);
  }
  const [month, day, year, hour, minute, second] = format.format(at).match(/\d+/g) as string[];
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}

/** Returns the zone's calendar day, such as `2026-11-21`. */
export function dayOf(at: Date, zone: Zone): string {
  return new Date(wallClock(at.getTime(), zone)).toISOString().slice(0, 10);
}

/**
 * Returns when a clock in the zone shows `day` (`2026-11-21`) and `minute` of the day; 1440 and more are on later days.
 * Takes a repeated time the first time, a skipped one as much later as the clock jumps.
 */
export function momentAt(day: string, minute: number, zone: Zone): Date {
  const wall = Date.parse(`${day}T00:00:00Z`) + minute * 60_000;
  // the UTC offsets a day before and after cover a clock change between them
  const candidates = [-1, 1].map((side) => {
    const near = wall + side * 86_400_000;
    return wall - (wallClock(near, zone) - near);
  });
  const on = candidates.filter((time) => wallClock(time, zone) === wall);
  return new Date(on.length > 0 ? Math.min(...on) : Math.max(...candidates));
}
