import type { Facts } from './facts.ts';
import type { Key, ProblemPeriod } from './problem-periods.ts';

/** Milliseconds a device may be missed before its cause: cuts show at once or after minutes of silence. */
export const noticeMs = 5 * 60_000;
/** Against rules whose hours lie inside windows only. */
const maxTurns = 100;

export function isRelated(period: ProblemPeriod, cause: ProblemPeriod, now: number): boolean {
  return period.began >= cause.began - noticeMs && period.began <= (cause.ended ?? now);
}

/**
 * Returns the time at which a problem becomes an alarm, in epoch milliseconds: after tolerance and console work or
 * downtime, outside maintenance, in the rule's hours, and not before the alarm of an offline ancestor. The ancestor's
 * return restarts the tolerance.
 */
export function dueTimes({
  now,
  rules,
  ancestorsOf,
  windowEnd,
  activeFrom,
  periods,
}: Pick<Facts, 'now' | 'rules' | 'ancestorsOf' | 'windowEnd' | 'activeFrom'> & {
  periods: ReadonlyMap<Key, readonly ProblemPeriod[]>;
}): (period: ProblemPeriod) => number {
  const known = new Map<ProblemPeriod, number>();

  function dueOf(period: ProblemPeriod): number {
    const before = known.get(period);
    if (before !== undefined) return before;
    const tolerance = rules.at(period.kind, period).tolerance * 1000;
    let due = allowed(period, lasted(period));
    // two devices behind each other do not wait
    known.set(period, due);
    for (const key of ancestorsOf(period)) {
      for (const cause of periods.get(key) ?? []) {
        if (!isRelated(period, cause, now) || cause.began > due || sleeps(cause) || isHidden(cause)) continue;
        if (period.kind === 'uplink_lost') {
          due = Math.max(due, cause.ended === null ? Number.POSITIVE_INFINITY : cause.ended + tolerance);
          continue;
        }
        const afterCause = Math.max(due, cause.excused ? Number.POSITIVE_INFINITY : dueOf(cause));
        const isBack = cause.ended !== null && cause.ended < afterCause;
        due = isBack ? Math.max(due, cause.ended! + tolerance) : afterCause;
      }
    }
    due = allowed(period, due);
    known.set(period, due);
    return due;
  }

  function lasted(period: ProblemPeriod): number {
    return Math.max(period.began + rules.at(period.kind, period).tolerance * 1000, period.quietUntil ?? 0);
  }

  /** Has a cause: dependents wait for that only. */
  function isHidden(period: ProblemPeriod): boolean {
    if (period.kind !== 'uplink_lost') return false;
    const known = ancestorsOf(period).flatMap((key) => periods.get(key) ?? []);
    return known.some((cause) => isRelated(period, cause, now) && cause.began <= lasted(period) && !sleeps(cause));
  }

  function sleeps(cause: ProblemPeriod): boolean {
    const at = lasted(cause);
    return activeFrom(cause, at) > at;
  }

  function allowed(period: ProblemPeriod, from: number): number {
    let at = from;
    for (let turns = 0; turns < maxTurns && Number.isFinite(at); turns += 1) {
      const next = activeFrom(period, windowEnd(period.gwid, at) ?? at);
      if (next === at) return at;
      at = next;
    }
    return Number.POSITIVE_INFINITY;
  }

  return dueOf;
}
