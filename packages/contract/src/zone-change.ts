import { dayOf } from './local-time.ts';

const dayMs = 86_400_000;

/**
 * Returns the first day (`YYYY-MM-DD`) that begins and ends in a new time zone. Of days that have begun in either zone
 * only clients are counted again.
 */
export function firstDayInZone(changedAt: Date, before: string, after: string): string {
  const begun = [dayOf(changedAt, before), dayOf(changedAt, after)].toSorted().at(-1)!;
  return new Date(Date.parse(`${begun}T00:00:00Z`) + dayMs).toISOString().slice(0, 10);
}
