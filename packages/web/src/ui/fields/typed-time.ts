/** Full-width signs of Chinese input. */
const plain = (text: string) => text.normalize('NFKC').trim();

const two = (value: number) => String(value).padStart(2, '0');

/** Returns `04:30` for `4:30`, `430`, `4.30` or `4`; null if it is no time of day. */
export function timeOf(text: string): string | null {
  const found = /^(\d{1,2})(?:[:.](\d{1,2}))?$|^(\d{1,2})(\d{2})$/.exec(plain(text));
  if (!found) return null;
  const [, hour, minute, joined, rest] = found;
  const [hours, minutes] = [Number(hour ?? joined), Number(minute ?? rest ?? 0)];
  return hours > 23 || minutes > 59 ? null : `${two(hours)}:${two(minutes)}`;
}

/** More digits cannot mean another time. */
export const isWholeTime = (text: string): boolean => /^(\d{1,2}[:.]\d{2}|\d{4})$/.test(plain(text));

const dayMinutes = 1440;

export function stepTime(text: string, by: number): string {
  const [hours, minutes] = (timeOf(text) ?? '00:00').split(':').map(Number) as [number, number];
  const at = (hours * 60 + minutes + by + dayMinutes) % dayMinutes;
  return `${two(Math.floor(at / 60))}:${two(at % 60)}`;
}

/** Returns `2026-11-29`; null if there is no such day. */
export function dayOf(text: string): string | null {
  const found = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$|^(\d{4})(\d{2})(\d{2})$/.exec(plain(text));
  if (!found) return null;
  const [year, month, day] = (found[1] ? found.slice(1, 4) : found.slice(4, 7)).map(Number) as [number, number, number];
  const at = new Date(Date.UTC(year, month - 1, day));
  const exists = at.getUTCMonth() === month - 1 && at.getUTCDate() === day;
  return exists ? at.toISOString().slice(0, 10) : null;
}

export function stepDay(day: string, by: number): string {
  return new Date(Date.parse(`${day}T00:00Z`) + by * 86_400_000).toISOString().slice(0, 10);
}

/** To the last day of a shorter month. */
export function stepMonth(day: string, by: number): string {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number];
  const last = new Date(Date.UTC(year, month + by, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + by, Math.min(date, last))).toISOString().slice(0, 10);
}

/** Six, from Monday on. */
export function weeksOf(day: string): string[][] {
  const first = `${day.slice(0, 8)}01`;
  const monday = stepDay(first, -((new Date(`${first}T00:00Z`).getUTCDay() + 6) % 7));
  return Array.from({ length: 6 }, (_, week) =>
    Array.from({ length: 7 }, (_none, at) => stepDay(monday, week * 7 + at)),
  );
}
