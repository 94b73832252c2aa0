import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluate } from './evaluate.ts';
import type { Facts, Incident } from './facts.ts';
import { isOffline, keyOf, networkPeriods, type ProblemPeriod } from './problem-periods.ts';
import { rulesFrom } from './rules.ts';
import { standardRules } from './standard-rules.ts';

const minute = 60_000;
const gwid = 'n1';
const rules = rulesFrom(standardRules());
const gatewayKey = keyOf({ kind: 'gateway_offline', serial: 'gw', part: '', gwid });

function away(serial: string, began: number, ended: number | null, more: Partial<ProblemPeriod> = {}): ProblemPeriod {
  return {
    kind: serial === 'gw' ? 'gateway_offline' : 'ap_offline',
    serial,
    part: '',
    gwid,
    groupId: null,
    began: began * minute,
    ended: ended === null ? null : ended * minute,
    quietUntil: null,
    excused: false,
    value: null,
    clients: 2,
    ...more,
  };
}

function factsOf(now: number, periods: readonly ProblemPeriod[], more: Partial<Facts> = {}): Facts {
  let ids = 0;
  return {
    now: now * minute,
    rules,
    periods,
    uncovered: [],
    openSince: 0,
    held: new Set<string>(),
    incidents: [],
    isCovered: () => true,
    ancestorsOf: (period) => (isOffline(period) && period.serial !== 'gw' ? [gatewayKey] : []),
    windowEnd: () => null,
    activeFrom: (_kind, at) => at,
    newId() {
      ids += 1;
      return `${now}-${ids}`;
    },
    ...more,
  };
}

/** Returns begun periods, without later ends. */
function knownAt(now: number, periods: readonly ProblemPeriod[]): ProblemPeriod[] {
  return periods
    .filter(({ began }) => began <= now * minute)
    .map((period) => (period.ended !== null && period.ended > now * minute ? { ...period, ended: null } : period));
}

function minutely(until: number, periods: readonly ProblemPeriod[], more: Partial<Facts> = {}): Incident[] {
  let incidents: Incident[] = [];
  for (let now = 0; now <= until; now += 1)
    ({ incidents } = evaluate(factsOf(now, knownAt(now, periods), { ...more, incidents })));
  return incidents;
}

const top = (incidents: readonly Incident[]) => incidents.filter(({ cause }) => cause === null);
const brief = (incidents: readonly Incident[]) =>
  incidents
    .map(({ kind, serial, began, last, recovered, count, cause }) => ({
      kind,
      serial,
      began,
      last,
      recovered,
      count,
      caused: cause !== null,
    }))
    .toSorted((a, b) => `${a.serial} ${a.began}`.localeCompare(`${b.serial} ${b.began}`));

/** Apart, of one device, in minutes. */
const stretches = (serial: string) =>
  fc
    .array(fc.tuple(fc.integer({ min: 1, max: 25 }), fc.integer({ min: 1, max: 25 })), { maxLength: 5 })
    .map((pairs) => {
      let at = 0;
      return pairs.map(([gap, length]) => {
        const began = at + gap;
        at = began + length;
        return away(serial, began, at);
      });
    });
const history = fc.tuple(...['gw', 'a', 'b', 'c'].map(stretches)).map((each) => each.flat());

describe('the evaluation', () => {
  it('gives the same incidents in any order of the facts', () => {
    fc.assert(
      fc.property(
        history.chain((periods) =>
          fc.tuple(fc.constant(periods), fc.shuffledSubarray(periods, { minLength: periods.length })),
        ),
        ([periods, shuffled]) => {
          expect(brief(evaluate(factsOf(300, shuffled)).incidents)).toEqual(
            brief(evaluate(factsOf(300, periods)).incidents),
          );
        },
      ),
    );
  });

  it('gives the same incidents every minute as once at the end', () => {
    fc.assert(
      fc.property(history, (periods) => {
        expect(brief(minutely(300, periods))).toEqual(brief(evaluate(factsOf(300, periods)).incidents));
      }),
    );
  });

  it('frees what lasts longer than the outage that caused it, though its cause fails again', () => {
    const periods = [away('gw', 1, 6), away('gw', 7, 10), away('b', 1, 11)];
    expect(brief(minutely(300, periods))).toEqual(brief(evaluate(factsOf(300, periods)).incidents));
    expect(top(minutely(300, periods)).map(({ serial }) => serial)).toContain('b');
  });

  it('gives one incident and one recovery in whatever order a loss is noticed within the tolerance', () => {
    const notices = fc.array(fc.integer({ min: 0, max: 4 * 60 }), { minLength: 14, maxLength: 14 });
    fc.assert(
      fc.property(notices, ([gatewayLost = 0, gatewayBack = 0, ...seconds]) => {
        const aps = Array.from({ length: 6 }, (_, index) =>
          away(`ap${index}`, 10 + seconds[index * 2]! / 60, 40 + seconds[index * 2 + 1]! / 60),
        );
        const periods = [away('gw', 10 + gatewayLost / 60, 40 + gatewayBack / 60), ...aps];
        const during = minutely(30, periods);
        const after = minutely(60, periods);
        expect(top(during)).toMatchObject([{ kind: 'gateway_offline', devicesHit: 7 }]);
        expect(top(after)).toMatchObject([{ kind: 'gateway_offline', state: 'recovered', count: 1 }]);
        for (const incidents of [during, after]) expect(incidents.filter(({ cause }) => cause)).toHaveLength(6);
      }),
    );
  });

  it('never has two open incidents of one subject', () => {
    fc.assert(
      fc.property(history, fc.integer({ min: 0, max: 200 }), (periods, now) => {
        const open = minutely(now, periods).filter(({ recovered }) => recovered === null);
        expect(new Set(open.map(keyOf)).size).toBe(open.length);
      }),
    );
  });

  it('opens nothing for an outage shorter than the tolerance', () => {
    expect(minutely(60, [away('a', 10, 11), away('gw', 30, 32)])).toEqual([]);
  });

  it('folds the access points behind a gateway into one incident with one recovery', () => {
    const aps = Array.from({ length: 40 }, (_, index) => away(`ap${index}`, 10 + (index % 3), 40 + (index % 4)));
    const periods = [away('gw', 11, 39), ...aps];
    const during = minutely(30, periods);
    expect(top(during)).toMatchObject([{ kind: 'gateway_offline', devicesHit: 41, clientsHit: 80, recovered: null }]);
    const after = minutely(90, periods);
    expect(top(after)).toMatchObject([{ kind: 'gateway_offline', recovered: 39 * minute, count: 1 }]);
    expect(after.filter(({ recovered }) => recovered === null)).toEqual([]);
  });

  it('puts what hangs on a lost switch under it, and the switch under a lost gateway', () => {
    const switchKey = keyOf({ kind: 'switch_offline', serial: 'sw', part: '', gwid });
    const ancestorsOf: Facts['ancestorsOf'] = ({ serial }) => {
      if (serial === 'gw') return [];
      return serial === 'sw' ? [gatewayKey] : [gatewayKey, switchKey];
    };
    const lost = [away('sw', 10, null, { kind: 'switch_offline' }), away('a', 10, null), away('b', 11, null)];
    expect(top(minutely(30, lost, { ancestorsOf }))).toMatchObject([{ kind: 'switch_offline', devicesHit: 3 }]);
    const worse = [...lost, away('gw', 12, null)];
    const incidents = minutely(30, worse, { ancestorsOf });
    expect(top(incidents)).toMatchObject([{ kind: 'gateway_offline', devicesHit: 4 }]);
    const [gateway] = top(incidents);
    expect(incidents.filter(({ cause }) => cause === gateway!.id)).toHaveLength(3);
  });

  it('opens an incident of its own for what does not return with its gateway', () => {
    const after = minutely(60, [away('gw', 10, 30), away('a', 10, null)]);
    expect(top(after).map(({ serial, recovered }) => [serial, recovered])).toEqual([
      ['gw', 30 * minute],
      ['a', null],
    ]);
  });

  it('counts a return of the problem within ten minutes in the same incident', () => {
    const flaps = [away('a', 10, 20), away('a', 28, 40), away('a', 48, 60)];
    expect(minutely(100, flaps)).toMatchObject([{ began: 10 * minute, last: 48 * minute, count: 3 }]);
    expect(minutely(100, [away('a', 10, 20), away('a', 31, 40)])).toHaveLength(2);
  });

  it('opens nothing for what the console planned, or missed itself', () => {
    expect(minutely(60, [away('a', 10, 18, { quietUntil: 30 * minute, excused: true })])).toEqual([]);
    const longer = minutely(60, [away('a', 10, null, { quietUntil: 30 * minute })]);
    expect(longer).toMatchObject([{ began: 10 * minute, state: 'firing' }]);
    expect(minutely(29, [away('a', 10, null, { quietUntil: 30 * minute })])).toEqual([]);
  });

  it('waits for the end of a maintenance window', () => {
    const windowEnd = (_gwid: string, at: number) => (at >= 5 * minute && at < 50 * minute ? 50 * minute : null);
    expect(minutely(49, [away('a', 10, null)], { windowEnd })).toEqual([]);
    expect(minutely(51, [away('a', 10, null)], { windowEnd })).toMatchObject([{ began: 10 * minute }]);
    expect(minutely(90, [away('a', 10, 48)], { windowEnd })).toEqual([]);
  });

  it('leaves an incident alone while nothing is known of its subject', () => {
    const [incident] = minutely(20, [away('a', 10, null)]);
    const held = new Set([keyOf(incident!)]);
    expect(evaluate(factsOf(30, [], { incidents: [incident!], held })).incidents).toMatchObject([{ state: 'firing' }]);
    expect(evaluate(factsOf(30, [], { incidents: [incident!] })).incidents).toMatchObject([{ state: 'recovered' }]);
  });

  it('opens no new incident for a problem that a person closed and that lasts', () => {
    const [incident] = minutely(20, [away('a', 10, null)]);
    const closed: Incident = { ...incident!, state: 'recovered', recovered: 20 * minute, lasts: true };
    const still = evaluate(factsOf(90, [away('a', 10, null)], { incidents: [closed] }));
    expect(still.incidents).toMatchObject([{ state: 'recovered', lasts: true }]);
    const over = evaluate(factsOf(120, [away('a', 10, 100)], { incidents: still.incidents }));
    expect(over.incidents).toMatchObject([{ state: 'recovered', lasts: false }]);
  });

  it('keeps children under their cause while a console restart makes both quiet', () => {
    const lost = [away('gw', 10, null), away('a', 11, null)];
    const incidents = minutely(200, lost);
    const quiet = lost.map((period) => ({ ...period, quietUntil: 206 * minute }));
    const after = evaluate(factsOf(201, quiet, { incidents }));
    expect(after.events).toEqual([]);
    expect(after.incidents).toEqual(incidents.toSorted((a, b) => a.last - b.last));
  });

  it('reopens the incident of an outage whose rule was switched off and on again', () => {
    const lost = [away('a', 10, null)];
    const [incident] = minutely(20, lost);
    const off = evaluate(factsOf(25, [], { incidents: [incident!], isCovered: () => false }));
    expect(off.events).toMatchObject([{ type: 'uncovered' }]);
    const on = evaluate(factsOf(27, lost, { incidents: off.incidents }));
    expect(on.incidents).toMatchObject([{ id: incident!.id, state: 'firing', recovered: null, count: 1 }]);
    expect(on.events).toMatchObject([{ type: 'reopened', at: 27 * minute }]);
    expect(evaluate(factsOf(100, lost, { incidents: on.incidents })).events).toEqual([]);
  });

  it('shows what fails after a person closed the cause', () => {
    const cause = away('gw', 10, null);
    const [incident] = minutely(20, [cause]);
    const closed: Incident = { ...incident!, state: 'recovered', recovered: 20 * minute, lasts: true };
    const after = evaluate(factsOf(40, [cause, away('a', 30, null)], { incidents: [closed] }));
    expect(after.incidents).toMatchObject([{ serial: 'gw' }, { serial: 'a', cause: null }]);
  });

  it('counts devices of a kind whose rule is switched off', () => {
    const uncovered = [away('a', 10, null), away('b', 10, 12), away('c', 11, null)];
    const incidents = minutely(30, [away('gw', 10, null)], { uncovered });
    expect(incidents).toMatchObject([{ kind: 'gateway_offline', devicesHit: 3, clientsHit: 4 }]);
  });

  it('ends a silence by itself and says so', () => {
    const [incident] = minutely(20, [away('a', 10, null)]);
    const silenced: Incident = { ...incident!, state: 'silenced', silencedUntil: 30 * minute };
    const before = evaluate(factsOf(29, [away('a', 10, null)], { incidents: [silenced] }));
    expect(before).toMatchObject({ incidents: [{ state: 'silenced' }], events: [] });
    const after = evaluate(factsOf(31, [away('a', 10, null)], { incidents: [silenced] }));
    expect(after).toMatchObject({
      incidents: [{ state: 'firing', silencedUntil: null }],
      events: [{ type: 'silence_ended', at: 30 * minute }],
    });
  });
});

describe('a network without a gateway of ours', () => {
  it('is offline while all its devices are', () => {
    const periods = [away('a', 10, 40), away('b', 12, 35)];
    expect(networkPeriods(gwid, 2, periods)).toMatchObject([{ began: 12 * minute, ended: 35 * minute, clients: 4 }]);
    expect(networkPeriods(gwid, 3, periods)).toEqual([]);
    expect(networkPeriods(gwid, 2, [away('a', 10, null), away('b', 12, null)])).toMatchObject([{ ended: null }]);
  });
});
