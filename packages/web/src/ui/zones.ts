import { minuteTime } from './format.ts';

function offsetOf(zone: string, at: Date): number {
  const shown = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' }).formatToParts(at);
  const text = shown.find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
  const [, sign, hours = '0', minutes = '0'] = /GMT([+-])(\d{2}):(\d{2})/.exec(text) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

export function offsetText(minutes: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const size = Math.abs(minutes);
  return `UTC${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

/** Names the offset of the person's zone: `2026-11-20 08:05 (UTC+08:00)`. */
export function zonedTime(at: Date): string {
  const shown = minuteTime(at);
  const offset = Date.parse(`${shown.replace(' ', 'T')}Z`) - at.getTime();
  return `${shown} (${offsetText(Math.ceil(offset / 60_000))})`;
}

let made: { day: string; options: readonly { value: string; label: string }[] } | null = null;

/** Lists IANA zones, west to east, with the chosen one. */
export function zoneOptions(chosen: string | null, at: Date): readonly { value: string; label: string }[] {
  const day = at.toISOString().slice(0, 10);
  if (made?.day !== day) {
    const zones = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])].map(
      (zone) => [zone, offsetOf(zone, at)] as const,
    );
    zones.sort(([a, x], [b, y]) => x - y || a.localeCompare(b, 'en'));
    made = {
      day,
      options: zones.map(([zone, minutes]) => ({ value: zone, label: `${zone} (${offsetText(minutes)})` })),
    };
  }
  const known = chosen === null || made.options.some(({ value }) => value === chosen);
  return known ? made.options : [{ value: chosen, label: chosen }, ...made.options];
}
