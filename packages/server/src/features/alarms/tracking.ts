export type Seen = 'problem' | 'fine' | 'silent';

/** Since when a measured problem lasts, milliseconds since the epoch; null: there is none. */
export type Since = number | null;

/**
 * Follows a measured problem whose source does not say when it began.
 * @param isAlarm silence leaves an alarm as it is; other problems begin anew afterwards
 * @returns begin of the problem, and its spell so far; null without one
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
