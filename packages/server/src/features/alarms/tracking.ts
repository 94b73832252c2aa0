export type Seen = 'problem' | 'fine' | 'silent';

/** Epoch milliseconds; null: none. */
export type Since = number | null;

/**
 * Dates a problem whose source does not.
 * @param isAlarm silence keeps an alarm; other problems begin anew
 * @returns begin, and spell so far; null without one
 */
export function track(
  since: Since,
  seen: Seen,
  at: number,
  isAlarm: boolean,
): { since: Since; spell: { began: number; ended: number | null } | null } {
  if (seen === 'silent') return { since: isAlarm ? since : null, spell: null };
  if (seen === 'problem') return { since: since ?? at, spell: { began: since ?? at, ended: null } };
  return { since: null, spell: since === null ? null : { began: since, ended: at } };
}
