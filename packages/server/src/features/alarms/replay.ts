import type { AlarmKind } from '@yunxun/contract';
import { deviceOutages } from '../fleet/index.ts';
import { dueTimes } from './due.ts';
import { type Evaluation, evaluate } from './evaluate.ts';
import type { Facts } from './facts.ts';
import { type Past, type PastLevels, periodAt } from './past.ts';
import { isOffline, type Key, keyOf, type ProblemPeriod } from './problem-periods.ts';
import { rulesActiveFrom } from './rule-hours.ts';
import { covers, type Rules } from './rules.ts';
import type { Rule } from './standard-rules.ts';
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
  const base: Omit<Facts, 'periods'> = {
    now: past.now.getTime(),
    rules,
    uncovered: [],
    openSince: 0,
    held: new Set(),
    incidents: [],
    windowEnd: past.windowEnd,
    activeFrom: rulesActiveFrom(rules, past.zone),
    isCovered: () => true,
    ancestorsOf: isGrouped ? past.ancestorsOf : () => [],
    newId: counter(),
  };
  const dueOf = dueTimes({ ...base, periods: new Map() });
  const current = (levels: PastLevels): PastLevels => {
    const { kind, threshold, devices } = levels;
    return { ...levels, devices: devices.filter(({ place }) => rules.at(kind, place).threshold === threshold) };
  };
  const periods = [
    ...past.periods.map((period) => excuseDowntime(period, past, rules)),
    ...past.levels.flatMap((levels) => levelPeriods(current(levels), past.now.getTime(), dueOf)),
  ].filter((period) => covers(rules, period.kind, period));
  return evaluate({ ...base, periods });
}

/** Returns subjects of the rule's kind whose most specific rule it is. */
export function ownKeys({ periods, levels }: Past, rules: Rules, rule: Rule): Set<Key> {
  const { kind } = rule;
  const subjects = [
    ...periods.filter((period) => period.kind === kind),
    ...levels.flatMap((one) => (one.kind === kind ? one.devices.map(({ place }) => periodAt(kind, place)) : [])),
  ];
  return new Set(subjects.filter((one) => rules.at(kind, one) === rule).map(keyOf));
}

function counter(): () => string {
  let last = 0;
  return () => {
    last += 1;
    return String(last);
  };
}

/** Applies console downtime, as `absences` does. */
function excuseDowntime(period: ProblemPeriod, { downtimes }: Past, rules: Rules): ProblemPeriod {
  if (!isOffline(period) || period.excused) return period;
  const due = period.began + rules.at(period.kind, period).tolerance * 1000;
  const gap = downtimes.find(
    ({ from, to }) => period.began < +to && (period.ended ?? Number.POSITIVE_INFINITY) > +from && due > +from,
  );
  if (!gap) return period;
  const quietUntil = Math.max(period.quietUntil ?? 0, +gap.to + deviceOutages.consoleGraceMs);
  return period.ended !== null && period.ended <= quietUntil ? { ...period, excused: true } : { ...period, quietUntil };
}

/** Follows levels like the live evaluation, at each turn and each silence. */
function levelPeriods(
  { kind, devices }: PastLevels,
  now: number,
  dueOf: (period: ProblemPeriod) => number,
): ProblemPeriod[] {
  return devices.flatMap(({ place, turns }) => {
    const found: ProblemPeriod[] = [];
    const periodOf = (began: number, ended: number | null, value: number | null): ProblemPeriod => ({
      ...periodAt(kind, place),
      began,
      ended,
      value,
    });
    let since: number | null = null;
    let value: number | null = null;
    const silence = (from: number) => {
      const at = from + silentMs;
      const isAlarm = since !== null && dueOf(periodOf(since, null, null)) < at;
      since = track(since, 'silent', at, isAlarm).since;
    };
    for (const turn of turns) {
      if (turn.before !== null && turn.at - turn.before > silentMs) silence(turn.before);
      const next = track(since, turn.isHigh ? 'problem' : 'fine', turn.at, false);
      if (since === null && turn.isHigh) value = turn.value;
      if (next.period && next.period.ended !== null) found.push(periodOf(next.period.began, next.period.ended, value));
      since = next.since;
    }
    const last = turns.at(-1);
    if (last && now - last.at > silentMs) silence(last.at);
    return since === null ? found : [...found, periodOf(since, null, value)];
  });
}

/** Returns uncaused alarms since a time, and their events. */
export function shownOf({ incidents, events }: Evaluation, kinds: ReadonlySet<AlarmKind>, since: number) {
  const shown = new Map(incidents.flatMap((one) => (kinds.has(one.kind) && one.cause === null ? [[one.id, one]] : [])));
  const notified = events.flatMap(({ incident, type, at }) => {
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
