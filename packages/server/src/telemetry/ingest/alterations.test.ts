import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../../../tools/property-runs.ts';
import { unknownSpeeds } from '../extract/speeds.ts';
import type { CommittedReport, CountedReport, Flow } from './counted-report.ts';
import { countersJson, countersOf } from './counters-json.ts';
import { countReport } from './flow.ts';

const mega = 1_000_000;
/** 1 Gbit/s in bytes per second. */
const speed = 125 * mega;
const speeds = { ...unknownSpeeds, wan: speed, air: { 2: speed, 5: speed, 6: speed } };
const names = ['up0v0', '020000000002', '020000000005'] as const;
type Name = (typeof names)[number];
const clockBegin = 1_700_000_000;

interface Truth {
  at: number;
  uptimeS: number;
  localtimeS: number;
  counters: Record<Name, { rx: number; tx: number }>;
}

const amount = fc.integer({ min: 0, max: 50 * mega });
const flows = fc.record({ rx: amount, tx: amount });
const minute = fc.record({ up0v0: flows, '020000000002': flows, '020000000005': flows });
const begun = fc.oneof(
  fc.integer({ min: 0, max: 1000 }),
  fc.integer({ min: 0, max: 2 ** 33 }),
  fc.integer({ min: 2 ** 40, max: 2 ** 41 }),
);

const value: fc.Arbitrary<(before: number) => number | null> = fc.oneof(
  fc.constantFrom(
    () => 0,
    () => null,
    () => 1,
    () => 2 ** 53 - 1,
    (before: number) => Math.floor(before / 2),
    (before: number) => Math.floor(before * 0.999),
    (before: number) => before * 2,
    (before: number) => before + 2 ** 32,
    (before: number) => Math.max(0, before - 2 ** 32),
    (before: number) => before % 2 ** 32,
  ),
  fc.integer({ min: 1, max: 2 ** 34 }).map((more) => (before: number) => before + more),
  fc.integer({ min: 0, max: 2 ** 34 }).map((other) => () => other),
);

const clock: fc.Arbitrary<(before: number) => number | null> = fc.oneof(
  fc.constantFrom(
    () => null,
    () => 0,
    () => 1,
    () => 20,
    () => 59,
    () => 4_102_444_800,
    (before: number) => before + 2 * 86_400,
    (before: number) => Math.max(0, before - 2 * 86_400),
  ),
  fc.integer({ min: 0, max: 5 * mega }).map((other) => () => other),
);

const alteration = fc.record({
  counters: fc.option(
    fc.record({ which: fc.subarray([...names], { minLength: 1 }), rx: fc.option(value), tx: fc.option(value) }),
  ),
  named: fc.constantFrom('all', 'all', 'all', 'none', 'others'),
  uptime: fc.option(clock, { freq: 2 }),
  localtime: fc.option(clock, { freq: 2 }),
  arrives: fc.constantFrom('once', 'once', 'once', 'twice', 'lost', 'late'),
});

type Alteration = typeof alteration extends fc.Arbitrary<infer T> ? T : never;

function reportOf({ at, uptimeS, localtimeS, counters }: Truth, change: Alteration | null): CountedReport {
  const of = (name: Name) => {
    const { rx, tx } = counters[name];
    const to = change?.counters?.which.includes(name) ? change.counters : null;
    return { rx: to?.rx ? to.rx(rx) : rx, tx: to?.tx ? to.tx(tx) : tx };
  };
  const called = (name: string) => (change?.named === 'others' ? `${name.slice(0, -1)}f` : name);
  return {
    at,
    uptimeS: change?.uptime ? change.uptime(uptimeS) : uptimeS,
    localtimeS: change?.localtime ? change.localtime(localtimeS) : localtimeS,
    counters:
      change?.named === 'none'
        ? null
        : {
            wan: new Map([[called('up0v0'), of('up0v0')]]),
            bss: new Map([
              [called('020000000002'), { ...of('020000000002'), band: 2 as const }],
              [called('020000000005'), { ...of('020000000005'), band: 5 as const }],
            ]),
          },
    speeds,
  };
}

const sumOf = (flow: Flow) => [flow.wanDown, flow.wanUp, flow.down[2], flow.up[2], flow.down[5], flow.up[5]];
const plus = (a: readonly number[], b: readonly number[]) => a.map((one, at) => one + b[at]!);

function totalOf(reports: readonly CountedReport[]): number[] {
  let known: CommittedReport | null = null;
  let total = [0, 0, 0, 0, 0, 0];
  for (const one of reports) {
    const outcome = countReport(known, one);
    total = plus(total, sumOf(outcome.flow));
    for (const { flow } of outcome.revisions) total = plus(total, sumOf(flow));
    const { at, uptimeS, localtimeS } = outcome.known;
    const { wired: _, ...kept } = countersOf(JSON.parse(countersJson(outcome.known, null)), { at, uptimeS });
    known = { at, uptimeS, localtimeS, ...kept };
  }
  return total;
}

const life = fc.array(minute, { minLength: 8, maxLength: 12 });
const bases = fc.record({ up0v0: begun, '020000000002': begun, '020000000005': begun });

interface Reported {
  life: readonly Record<Name, { rx: number; tx: number }>[];
  booted: number;
  bases: Record<Name, number>;
  altered: number;
  change: Alteration;
  /** Minute; null: none. */
  restart: number | null;
  next: 'values' | 'no values' | 'no counters';
}

const alteredIn = (minutes: readonly unknown[], which: number): number => 2 + (which % (minutes.length - 6));

function reportsOf({ life: minutes, booted, bases: base, altered, change, restart, next }: Reported) {
  let boot = -booted;
  const counters = Object.fromEntries(
    names.map((name) => [name, { rx: base[name], tx: base[name] }]),
  ) as Truth['counters'];
  const truths = minutes.map((flow, minuteNo): Truth => {
    const isNew = minuteNo === restart;
    if (isNew) boot = minuteNo * 60 - 40;
    for (const name of names) {
      counters[name].rx = (isNew ? 0 : counters[name].rx) + flow[name].rx;
      counters[name].tx = (isNew ? 0 : counters[name].tx) + flow[name].tx;
    }
    return {
      at: minuteNo * 60_000,
      uptimeS: minuteNo * 60 - boot,
      localtimeS: clockBegin + minuteNo * 60,
      counters: structuredClone(counters),
    };
  });
  const sent = truths.flatMap((truth, minuteNo): { minuteNo: number; report: CountedReport }[] => {
    const report = reportOf(truth, minuteNo === altered ? change : minuteNo === altered + 1 ? silences[next] : null);
    if (minuteNo !== altered || change.arrives === 'once') return [{ minuteNo, report }];
    return change.arrives === 'twice'
      ? [report, { ...report, at: report.at + 1000 }].map((one) => ({ minuteNo, report: one }))
      : [];
  });
  if (change.arrives === 'late') {
    const report = { ...reportOf(truths[altered]!, change), at: truths[altered + 1]!.at + 1000 };
    sent.splice(altered + 1, 0, { minuteNo: altered + 1, report });
  }
  return sent;
}

const truthful: Alteration = { counters: null, named: 'all', uptime: null, localtime: null, arrives: 'once' };
const unsaid = () => null;
const silences: Record<Reported['next'], Alteration | null> = {
  values: null,
  'no values': { ...truthful, counters: { which: [...names], rx: unsaid, tx: unsaid } },
  'no counters': { ...truthful, named: 'none' },
};

/** Returns bytes after minute `from`, like `sumOf`. */
function grown(minutes: Reported['life'], from: number): number[] {
  const of = (name: Name, way: 'rx' | 'tx') => minutes.slice(from + 1).reduce((sum, flow) => sum + flow[name][way], 0);
  return [
    of('up0v0', 'rx'),
    of('up0v0', 'tx'),
    of('020000000002', 'tx'),
    of('020000000002', 'rx'),
    of('020000000005', 'tx'),
    of('020000000005', 'rx'),
  ];
}

test('one altered report changes no total: it is what the true reports add, with a restart or without', () => {
  fc.assert(
    fc.property(
      life,
      fc.integer({ min: 3600, max: 5 * mega }),
      bases,
      alteration,
      fc.nat(),
      fc.constantFrom(-3, -2, 3, null),
      fc.constantFrom('values', 'values', 'no values', 'no counters'),
      (minutes, booted, base, change, which, restartsAfter, next) => {
        const altered = alteredIn(minutes, which);
        const restart = restartsAfter && Math.max(1, altered + restartsAfter);
        const isNear = restart !== null && Math.abs(restart - altered) <= 1;
        const reported = {
          life: minutes,
          booted,
          bases: base,
          altered,
          change,
          restart: isNear ? null : restart,
          next,
        };
        expect(totalOf(reportsOf(reported).map(({ report }) => report))).toEqual(grown(minutes, 0));
      },
    ),
    runs(300, 1500),
  );
});

test('one altered report next to a restart adds no more than the links can carry, and nothing afterwards', () => {
  fc.assert(
    fc.property(
      life,
      fc.integer({ min: 3600, max: 5 * mega }),
      bases,
      alteration,
      fc.nat(),
      fc.constantFrom(-1, 0, 1),
      (minutes, booted, base, change, which, restartsAfter) => {
        const altered = alteredIn(minutes, which);
        const restart = altered + restartsAfter;
        const sent = reportsOf({ life: minutes, booted, bases: base, altered, change, restart, next: 'values' });
        const total = totalOf(sent.map(({ report }) => report));
        const decided = altered + 3;
        const early = totalOf(sent.filter(({ minuteNo }) => minuteNo <= decided).map(({ report }) => report));
        expect(total.map((one, at) => one - early[at]!)).toEqual(grown(minutes, decided));
        // the altered report and its neighbour span an interval each, or two after a loss
        const excess = total.map((one, at) => one - grown(minutes, 0)[at]!);
        expect(Math.max(...excess)).toBeLessThanOrEqual(speed * 60);
        expect(Math.min(...excess)).toBeGreaterThanOrEqual(-speed * 60);
      },
    ),
    runs(300, 1500),
  );
});
