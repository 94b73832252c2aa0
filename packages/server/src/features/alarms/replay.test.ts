import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../../tools/property-runs.ts';
import { type Evaluation, evaluate } from './evaluate.ts';
import type { Facts, Incident } from './facts.ts';
import type { Past } from './past.ts';
import { isOffline, keyOf, type ProblemPeriod } from './problem-periods.ts';
import { outcomeOf, replay, shownOf } from './replay.ts';
import { type Rules, rulesFrom } from './rules.ts';
import { standardRules } from './standard-rules.ts';
import { track } from './tracking.ts';

const minute = 60_000;
const span = 2 * 24 * 60;
const gwid = 'n1';
const rules: Rules = rulesFrom(standardRules());
const gatewayKey = keyOf({ kind: 'gateway_offline', serial: 'gw', part: '', gwid });
const place = { accountId: 'a', serial: 'hot', gwid, groupId: null };
const offline = new Set(['gateway_offline', 'ap_offline'] as const);

const base: Pick<Facts, 'ancestorsOf' | 'windowEnd'> = {
  ancestorsOf: (period) => (isOffline(period) && period.serial !== 'gw' ? [gatewayKey] : []),
  windowEnd: () => null,
};

function pastOf(more: Partial<Past>): Past {
  const now = new Date(span * minute);
  return { ...base, now, zone: 'UTC', since: new Map(), periods: [], levels: [], downtimes: [], ...more };
}

function live(known: (now: number) => Pick<Facts, 'periods' | 'held'>, own: Rules = rules): Evaluation {
  const all = new Map<string, Incident>();
  const events: Evaluation['events'] = [];
  let ids = 0;
  let recent: Incident[] = [];
  for (let at = 0; at <= span; at += 1) {
    const now = at * minute;
    const facts = known(now);
    if (facts.periods.length === 0 && facts.held.size === 0 && recent.length === 0) continue;
    const evaluation = evaluate({
      ...base,
      ...facts,
      now,
      rules: own,
      uncovered: [],
      incidents: recent,
      openSince: now - 30 * minute,
      isCovered: () => true,
      activeFrom: (_kind, from) => from,
      newId() {
        ids += 1;
        return String(ids);
      },
    });
    events.push(...evaluation.events);
    for (const one of evaluation.incidents) all.set(one.id, one);
    recent = evaluation.incidents.filter(({ recovered }) => recovered === null || recovered > now - 60 * minute);
  }
  return { incidents: [...all.values()], events, nextDue: null };
}

const notified = (evaluation: Evaluation, kinds: Parameters<typeof shownOf>[1]) =>
  shownOf(evaluation, kinds, 0)
    .map(({ incident, at, isStart }) => `${at / minute} ${keyOf(incident)} ${isStart}`)
    .toSorted();

/** Of one device in two days, minutes. */
const outages = (serial: string) =>
  fc
    .array(fc.tuple(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 90 })), { maxLength: 12 })
    .map((pairs) => {
      let at = 0;
      return pairs.map(([gap, length]): ProblemPeriod => {
        const began = at + gap;
        at = began + length;
        return {
          kind: serial === 'gw' ? 'gateway_offline' : 'ap_offline',
          serial,
          part: '',
          gwid,
          groupId: null,
          began: began * minute,
          ended: at * minute,
          quietUntil: null,
          excused: false,
          value: null,
          clients: 1,
        };
      });
    });

it('makes of the outages of two days what the live engine decided', () => {
  const history = fc.tuple(...['gw', 'a', 'b', 'c'].map(outages)).map((each) => each.flat());
  fc.assert(
    fc.property(history, (every) => {
      const periods = every.filter(({ ended }) => ended! < span * minute);
      const decided = live((now) => ({
        held: new Set(),
        periods: periods
          .filter(({ began, ended }) => began <= now && ended! > now - 180 * minute)
          .map((period) => (period.ended! > now ? { ...period, ended: null } : period)),
      }));
      const replayed = replay(pastOf({ periods }), rules);
      expect(notified(replayed, offline)).toEqual(notified(decided, offline));
      expect(outcomeOf(shownOf(replayed, offline, 0))).toEqual(outcomeOf(shownOf(decided, offline, 0)));
    }),
    runs(8, 25),
  );
});

it('makes of the levels of two days what the live engine decided, silences included', () => {
  // high, low and missing, in steps of five minutes
  const stretches = fc.array(
    fc.tuple(fc.constantFrom('problem' as const, 'fine' as const, 'silent' as const), fc.integer({ min: 3, max: 30 })),
    { maxLength: 16 },
  );
  const kinds = new Set(['memory_high'] as const);
  const own = rulesFrom(
    standardRules().map((rule) => ({ ...rule, ...(rule.kind === 'memory_high' && { tolerance: 1800 }) })),
  );
  const subject = keyOf({ kind: 'memory_high', serial: 'hot', part: '', gwid });
  fc.assert(
    fc.property(stretches, (list) => {
      const seen = list.flatMap(([what, steps]) => Array.from({ length: steps }, () => what));
      // a level counts for ten minutes: silence shows after two steps
      const levelAt = (step: number) =>
        (seen[step] ?? 'silent') === 'silent' ? (seen[step - 1] ?? 'silent') : seen[step]!;
      let since: number | null = null;
      const decided = live((now) => {
        const none = { periods: [], held: new Set<string>() };
        if (now % (5 * minute) !== 0) return since === null ? none : { periods: [], held: new Set([subject]) };
        const step = now / (5 * minute);
        const isAlarm = since !== null && since + 1800_000 < now;
        const next = track(since, levelAt(step), now, isAlarm);
        since = next.since;
        if (!next.period) return since === null ? none : { periods: [], held: new Set([subject]) };
        const quiet = { part: '', quietUntil: null, excused: false, value: 99, clients: null };
        return { ...none, periods: [{ kind: 'memory_high', ...place, ...quiet, ...next.period }] };
      }, own);
      const levels = seen.flatMap((what, step) => (what === 'silent' ? [] : [{ at: step * 5 * minute, what }]));
      const turns = levels.map(({ at, what }, index) => ({
        serial: 'hot',
        at,
        before: levels[index - 1]?.at ?? null,
        value: 99,
        limit: 95,
        isHigh: what === 'problem',
      }));
      const past = pastOf({ levels: [{ kind: 'memory_high', threshold: 95, devices: [{ place, turns }] }] });
      expect(notified(replay(past, own), kinds)).toEqual(notified(decided, kinds));
    }),
    runs(8, 25),
  );
});
