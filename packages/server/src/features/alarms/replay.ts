import type { AlarmKind } from '@yunxun/contract';
import { consoleGraceMs } from '../fleet/outages/cause.ts';
import { dueTimes } from './due.ts';
import { type Evaluation, evaluate } from './evaluate.ts';
import type { Facts } from './facts.ts';
import { type Past, type PastLevels, spellAt } from './past.ts';
import { rulesActiveFrom } from './rule-hours.ts';
import { isOffline, type Spell } from './spells.ts';
import { covers, type Rules } from './standard-rules.ts';
import { track } from './tracking.ts';

/** Milliseconds that a report counts as present. */
const silentMs = 10 * 60_000;

export interface Outcome {
  alarms: number;
  notices: number;
}

/**
 * Evaluates like the live engine.
 * @param isGrouped false: no causes
 */
export function replay(past: Past, rules: Rules, isGrouped = true): Evaluation {
  const base: Omit<Facts, 'spells'> = {
    ...{
      now: past.now.getTime(),
      rules,
      uncovered: [],
      openSince: 0,
      held: new Set(),
      incidents: [],
      windowEnd: past.windowEnd,
    },
    ...{ activeFrom: rulesActiveFrom(rules, past.zone), isCovered: () => true },
    ancestorsOf: isGrouped ? past.ancestorsOf : () => [],
    newId: counter(),
  };
  const dueOf = dueTimes({ ...base, spells: new Map() });
  const isCurrent = ({ kind, threshold }: PastLevels) => rules.get(kind)!.threshold === threshold;
  const spells = [
    ...past.spells.map((spell) => asHeard(spell, past, rules)),
    ...past.levels.filter(isCurrent).flatMap((levels) => levelSpells(levels, past.now.getTime(), dueOf)),
  ].filter((spell) => covers(rules.get(spell.kind)!, spell));
  return evaluate({ ...base, spells });
}

function counter(): () => string {
  let last = 0;
  return () => {
    last += 1;
    return String(last);
  };
}

/** Applies console downtime, as `absences` does. */
function asHeard(spell: Spell, { downtimes }: Past, rules: Rules): Spell {
  if (!isOffline(spell) || spell.excused) return spell;
  const due = spell.began + rules.get(spell.kind)!.tolerance * 1000;
  const gap = downtimes.find(
    ({ from, to }) => spell.began < +to && (spell.ended ?? Number.POSITIVE_INFINITY) > +from && due > +from,
  );
  if (!gap) return spell;
  const quietUntil = Math.max(spell.quietUntil ?? 0, +gap.to + consoleGraceMs);
  return spell.ended !== null && spell.ended <= quietUntil ? { ...spell, excused: true } : { ...spell, quietUntil };
}

/** Follows levels like the live evaluation, at each turn and each silence. */
function levelSpells({ kind, devices }: PastLevels, now: number, dueOf: (spell: Spell) => number): Spell[] {
  return devices.flatMap(({ place, turns }) => {
    const found: Spell[] = [];
    const spellOf = (began: number, ended: number | null, value: number | null): Spell => ({
      ...spellAt(kind, place),
      ...{ began, ended, value },
    });
    let since: number | null = null;
    let value: number | null = null;
    const silence = (from: number) => {
      const at = from + silentMs;
      const isAlarm = since !== null && dueOf(spellOf(since, null, null)) < at;
      since = track(since, 'silent', at, isAlarm).since;
    };
    for (const turn of turns) {
      if (turn.before !== null && turn.at - turn.before > silentMs) silence(turn.before);
      const next = track(since, turn.isHigh ? 'problem' : 'fine', turn.at, false);
      if (since === null && turn.isHigh) value = turn.value;
      if (next.spell && next.spell.ended !== null) found.push(spellOf(next.spell.began, next.spell.ended, value));
      since = next.since;
    }
    const last = turns.at(-1);
    if (last && now - last.at > silentMs) silence(last.at);
    return since === null ? found : [...found, spellOf(since, null, value)];
  });
}

/** Returns uncaused alarms since a time, and their events. */
export function shownOf({ incidents, happenings }: Evaluation, kinds: ReadonlySet<AlarmKind>, since: number) {
  const shown = new Map(incidents.flatMap((one) => (kinds.has(one.kind) && one.cause === null ? [[one.id, one]] : [])));
  const notified = happenings.flatMap(({ incident, type, at }) => {
    const own = shown.get(incident);
    if (!own || at < since) return [];
    if (type === 'opened' || type === 'reopened') return [{ incident: own, at, isStart: true }];
    return type === 'recovered' ? [{ incident: own, at, isStart: false }] : [];
  });
  return notified;
}

export type Notified = ReturnType<typeof shownOf>[number];

export function outcomeOf(notified: readonly Notified[]): Outcome {
  return { alarms: notified.filter(({ isStart }) => isStart).length, notices: notified.length };
}
