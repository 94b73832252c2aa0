export type Seen = 'problem' | 'fine' | 'silent';

/** Epoch milliseconds; null: none. */
export type Since = number | null;

/**
 * Dates a problem whose source does not.
 * @param isAlarm silence keeps an alarm; other problems begin anew
 * @returns begin, and period so far; null without one
 */
export function track(
  since: Since,
  seen: Seen,
  at: number,
  isAlarm: boolean,
): { since: Since; period: { began: number; ended: number | null } | null } {
  if (seen === 'silent') return { since: isAlarm ? since : null, period: null };
  if (seen === 'problem') return { since: since ?? at, period: { began: since ?? at, ended: null } };
  return { since: null, period: since === null ? null : { began: since, ended: at } };
}
