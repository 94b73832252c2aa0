import fc from 'fast-check';
import { expect, test } from 'vitest';
import { unknownSpeeds } from '../extract/speeds.ts';
import type { CommittedReport, CountedReport, Flow } from './counted-report.ts';
import { countersJson, countersOf } from './counters-json.ts';
import { countReport } from './flow.ts';

/** Property test: one report of many is altered. */

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

const sumOf = (flow: Flow) => [...[flow.wanDown, flow.wanUp, flow.down[2], flow.up[2], flow.down[5], flow.up[5]]];
const plus = (a: readonly number[], b: readonly number[]) => a.map((one, at) => one + b[at]!);

function totalOf(reports: readonly CountedReport[]): number[] {
  let known: CommittedReport | null = null;
  let total = [0, 0, 0, 0, 0, 0];
  for (const one of reports) {
    const outcome = countReport(known, one);
    total = plus(total, sumOf(outcome.flow));
    if (outcome.revision) total = plus(total, sumOf(outcome.revision.flow));
    const { at, uptimeS, localtimeS } = outcome.known;
    const { wired: _, ...kept } = countersOf(JSON.parse(countersJson(outcome.known, null)), { at, uptimeS });
    known = { at, uptimeS, localtimeS, ...kept };
  }
  return total;
}

test('one altered report changes no total: it is what the true reports add, with a restart or without', () => {
  fc.assert(
    fc.property(
      fc.array(minute, { minLength: 8, maxLength: 12 }),
      fc.integer({ min: 3600, max: 5 * mega }),
      fc.record({ up0v0: begun, '020000000002': begun, '020000000005': begun }),
      alteration,
      fc.nat(),
      fc.constantFrom(-3, -2, 3, null),
      (life, booted, base, change, which, restartsAfter) => {
        const altered = 2 + (which % (life.length - 6));
        const restart = restartsAfter && Math.max(1, altered + restartsAfter);
        const counters = Object.fromEntries(
          names.map((name) => [name, { rx: base[name], tx: base[name] }]),
        ) as Truth['counters'];
        let boot = -booted;
        const truths = life.map((flow, minutes): Truth => {
          const isNew = minutes === restart && Math.abs(restart - altered) > 1;
          if (isNew) boot = minutes * 60 - 40;
          for (const name of names) {
            counters[name].rx = (isNew ? 0 : counters[name].rx) + flow[name].rx;
            counters[name].tx = (isNew ? 0 : counters[name].tx) + flow[name].tx;
          }
          return {
            ...{ at: minutes * 60_000, uptimeS: minutes * 60 - boot, localtimeS: clockBegin + minutes * 60 },
            counters: structuredClone(counters),
          };
        });
        const sent = truths.flatMap((truth, at): CountedReport[] => {
          if (at !== altered) return [reportOf(truth, null)];
          const one = reportOf(truth, change);
          if (change.arrives === 'once') return [one];
          return change.arrives === 'twice' ? [one, { ...one, at: one.at + 1000 }] : [];
        });
        if (change.arrives === 'late') {
          const late = { ...reportOf(truths[altered]!, change), at: truths[altered + 1]!.at + 1000 };
          sent.splice(altered + 1, 0, late);
        }
        const grown = (name: Name, way: 'rx' | 'tx') => life.slice(1).reduce((sum, flow) => sum + flow[name][way], 0);
        expect(totalOf(sent)).toEqual([
          ...[grown('up0v0', 'rx'), grown('up0v0', 'tx')],
          ...[grown('020000000002', 'tx'), grown('020000000002', 'rx')],
          ...[grown('020000000005', 'tx'), grown('020000000005', 'rx')],
        ]);
      },
    ),
    { numRuns: 1500 },
  );
});
