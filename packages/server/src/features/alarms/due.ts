import type { Facts } from './facts.ts';
import type { Key, Spell } from './spells.ts';

/** Milliseconds a device may be missed before its cause: cuts show at once or after minutes of silence. */
export const noticeMs = 5 * 60_000;
/** Against rules whose hours lie inside windows only. */
const maxTurns = 100;

export function isRelated(spell: Spell, cause: Spell, now: number): boolean {
  return spell.began >= cause.began - noticeMs && spell.began <= (cause.ended ?? now);
}

/**
 * Returns epoch milliseconds: after tolerance and console work or downtime, outside maintenance, in the rule's hours,
 * and not before the alarm of a missing ancestor, whose return restarts the tolerance.
 */
export function dueTimes({
  now,
  rules,
  ancestorsOf,
  windowEnd,
  activeFrom,
  spells,
}: Pick<Facts, 'now' | 'rules' | 'ancestorsOf' | 'windowEnd' | 'activeFrom'> & {
  spells: ReadonlyMap<Key, readonly Spell[]>;
}): (spell: Spell) => number {
  const known = new Map<Spell, number>();

  function dueOf(spell: Spell): number {
    const before = known.get(spell);
    if (before !== undefined) return before;
    const tolerance = rules.get(spell.kind)!.tolerance * 1000;
    let due = allowed(spell, lasted(spell));
    // two devices behind each other do not wait
    known.set(spell, due);
    for (const key of ancestorsOf(spell)) {
      for (const cause of spells.get(key) ?? []) {
        if (!isRelated(spell, cause, now) || cause.began > due || sleeps(cause) || isHidden(cause)) continue;
        if (spell.kind === 'uplink_lost') {
          due = Math.max(due, cause.ended === null ? Number.POSITIVE_INFINITY : cause.ended + tolerance);
          continue;
        }
        const afterCause = Math.max(due, cause.excused ? Number.POSITIVE_INFINITY : dueOf(cause));
        const isBack = cause.ended !== null && cause.ended < afterCause;
        due = isBack ? Math.max(due, cause.ended! + tolerance) : afterCause;
      }
    }
    due = allowed(spell, due);
    known.set(spell, due);
    return due;
  }

  function lasted({ kind, began, quietUntil }: Spell): number {
    return Math.max(began + rules.get(kind)!.tolerance * 1000, quietUntil ?? 0);
  }

  /** Has a cause: dependents wait for that only. */
  function isHidden(spell: Spell): boolean {
    if (spell.kind !== 'uplink_lost') return false;
    const known = ancestorsOf(spell).flatMap((key) => spells.get(key) ?? []);
    return known.some((cause) => isRelated(spell, cause, now) && cause.began <= lasted(spell) && !sleeps(cause));
  }

  function sleeps(cause: Spell): boolean {
    const at = lasted(cause);
    return activeFrom(cause.kind, at) > at;
  }

  function allowed({ kind, gwid }: Spell, from: number): number {
    let at = from;
    for (let turns = 0; turns < maxTurns && Number.isFinite(at); turns += 1) {
      const next = activeFrom(kind, windowEnd(gwid, at) ?? at);
      if (next === at) return at;
      at = next;
    }
    return Number.POSITIVE_INFINITY;
  }

  return dueOf;
}
