import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Absolute } from '../extract/counters.ts';
import { unknownSpeeds } from '../extract/speeds.ts';
import type { CommittedReport, CountedReport } from './counted-report.ts';
import { countReport, type Outcome } from './flow.ts';

const bssid = '020000000001';
const report = (at: number, uptimeS: number | null, wan: Absolute, bss: Absolute | null = null): CountedReport => ({
  at: at * 1000,
  uptimeS,
  localtimeS: uptimeS === null ? null : 1_700_000_000 + at,
  counters: { wan: new Map([['up0v0', wan]]), bss: new Map(bss ? [[bssid, { ...bss, band: 5 as const }]] : []) },
});
const bytes = (rx: number | null, tx: number | null = rx): Absolute => ({ rx, tx });

function play(reports: readonly CountedReport[]) {
  let known: CommittedReport | null = null;
  return reports.map((one) => {
    const outcome = countReport(known, one);
    known = outcome.known;
    return outcome;
  });
}

const changeOf = ({ flow, revisions }: Outcome, of: 'wanDown' | 'wanUp'): number =>
  revisions.reduce((sum, one) => sum + one.flow[of], flow[of]);

function totalOf(outcomes: readonly Outcome[]): number[] {
  let total = 0;
  return outcomes.map((outcome) => {
    total += changeOf(outcome, 'wanDown');
    return total;
  });
}

describe('flow', () => {
  test('of the first report is none, and of the next what came since', () => {
    const [first, next] = play([
      report(0, 100, bytes(5000, 700), bytes(1000, 9000)),
      report(60, 160, bytes(6000, 900), bytes(1100, 9500)),
    ]);
    expect(first).toMatchObject({ verdict: 'first', gapS: null, flow: { wanDown: 0, wanUp: 0 } });
    // a WAN receives downloads, a radio sends them
    expect(next).toMatchObject({ verdict: 'next', gapS: 60, flow: { wanDown: 1000, wanUp: 200 } });
    expect(next?.flow.down).toEqual({ 2: 0, 5: 500, 6: 0 });
    expect(next?.flow.up).toEqual({ 2: 0, 5: 100, 6: 0 });
  });

  test('of a report that comes twice, or late, is none', () => {
    const one = report(60, 160, bytes(6000));
    const outcomes = play([
      report(0, 100, bytes(5000)),
      one,
      { ...one, at: 61_000 },
      { ...report(30, 130, bytes(5500)), at: 62_000 },
    ]);
    expect(outcomes.map(({ verdict }) => verdict)).toEqual(['first', 'next', 'repeat', 'stale']);
    expect(outcomes.map(({ flow }) => flow.wanDown)).toEqual([0, 1000, 0, 0]);
    expect(outcomes[3]?.known.wan?.get('up0v0')).toMatchObject({ rx: { value: 6000 }, tx: { value: 6000 } });
  });

  test('after a restart is all that the counters say', () => {
    const [, seen] = play([report(0, 1000, bytes(5000)), report(60, 20, bytes(300))]);
    expect(seen).toMatchObject({ verdict: 'restarted', flow: { wanDown: 300 } });
  });

  test('after a restart that no counter shows is complete once the next report confirms it', () => {
    const outcomes = play([
      report(0, 10, bytes(5000)),
      report(3600, 3000, bytes(7000)),
      report(3660, 3060, bytes(7100)),
    ]);
    expect(outcomes.map(({ flow }) => flow.wanDown)).toEqual([0, 2000, 100]);
    expect(outcomes[2]?.revisions).toMatchObject([{ at: 3_600_000, flow: { wanDown: 5000 }, restarted: true }]);
  });

  test('of a report from before a restart, when it comes after it, is none', () => {
    const outcomes = play([
      report(0, 86_400, bytes(5000)),
      report(120, 20, bytes(300)),
      { ...report(60, 86_460, bytes(6000)), at: 121_000 },
      report(180, 80, bytes(400)),
    ]);
    expect(outcomes.map(({ verdict }) => verdict)).toEqual(['first', 'restarted', 'stale', 'next']);
    expect(outcomes.map(({ flow }) => flow.wanDown)).toEqual([0, 300, 0, 100]);
  });

  test('of many counters is no more than one may carry: a device can make up any number of them', () => {
    const crowd = (each: number): CountedReport => ({
      ...report(60, 160, bytes(7)),
      counters: {
        wan: new Map([['up0v0', bytes(7)]]),
        bss: new Map(Array.from({ length: 3 }, (_, n) => [`02000000000${n}`, { rx: 1, tx: each, band: 5 as const }])),
      },
    });
    const of = (each: number) => play([report(0, 100, bytes(0), bytes(0)), crowd(each)])[1];
    expect(of(1000)).toMatchObject({ clamped: 0, flow: { wanDown: 7, down: { 5: 3000 } } });
    expect(of(60 * 1e9)).toMatchObject({ clamped: 1, flow: { wanDown: 7, down: { 5: 0 }, up: { 5: 3 } } });
  });

  test('of a counter that is left out of some reports goes on from where it was', () => {
    const outcomes = play([
      report(0, 100, bytes(0), bytes(5000)),
      report(60, 160, bytes(0)),
      report(120, 220, bytes(0)),
      report(180, 280, bytes(0), bytes(5600)),
    ]);
    expect(outcomes.map(({ flow }) => flow.down[5])).toEqual([0, 0, 0, 600]);
  });

  test('of a socket of our own agent begins where it becomes an uplink, and ends where it is none any more', () => {
    const box = (at: number, uptimeS: number, wan: Record<string, number>): CountedReport => ({
      ...report(at, uptimeS, bytes(0)),
      counters: { wan: new Map(Object.entries(wan).map(([name, rx]) => [name, bytes(rx, 0)])), bss: new Map() },
      sockets: true,
    });
    const outcomes = play([
      box(0, 9000, { up0v0: 5000 }),
      // bytes of a client port
      box(60, 9060, { up0v0: 5100, up102v0: 900_000 }),
      box(120, 9120, { up0v0: 5100, up102v0: 900_070 }),
      box(180, 9180, { up0v0: 5100 }),
      box(240, 9240, { up0v0: 5100, up102v0: 990_000 }),
      box(300, 20, { up0v0: 30, up102v0: 4, up103v0: 8000 }),
    ]);
    expect(outcomes.map(({ flow }) => flow.wanDown)).toEqual([0, 100, 70, 0, 0, 34]);
  });

  test('of a counter that wrapped goes on once the next report confirms it', () => {
    const outcomes = play([
      report(0, 100, bytes(2 ** 32 - 100)),
      report(60, 160, bytes(2 ** 32 - 10)),
      report(120, 220, bytes(90)),
      report(180, 280, bytes(180)),
    ]);
    expect(totalOf(outcomes)).toEqual([0, 90, 90, 280]);
    expect(outcomes[3]?.revisions).toMatchObject([{ at: 120_000, flow: { wanDown: 100 } }]);
  });

  test.each([
    ['fell too far for the step before', 4e9 - 50e6, 4e9, 1e6, 400e6],
    ['fell too far for the step after', 4e9 - 400e6, 4e9, 1e6, 51e6],
    ['had no step before', 4e9, 4e9, 1e6, 400e6],
    ['is wider than 32 bits', 5e9 - 300e6, 5e9, 1e6, 300e6],
    ['was below the middle', 2e9 - 900e6, 2e9, 1e6, 900e6],
  ])('of a counter that was reset and %s is no wrap', (_why, before, last, reset, next) => {
    const outcomes = play([
      report(0, 100, bytes(before)),
      report(60, 160, bytes(last)),
      report(120, 220, bytes(reset)),
      report(180, 280, bytes(next)),
      report(240, 340, bytes(next + 7)),
    ]);
    const stepped = last - before;
    const went = stepped + next - reset;
    expect(totalOf(outcomes)).toEqual([0, stepped, stepped, went, went + 7]);
  });

  test.each([
    ['names no bytes', bytes(null)],
    ['lacks its counters', null],
  ])('of a report that says too much is taken back from its own minute when the next one %s', (_how, silent) => {
    const quiet: CountedReport = silent
      ? report(120, 220, silent)
      : { ...report(120, 220, bytes(0)), counters: { wan: new Map(), bss: new Map() } };
    const outcomes = play([
      report(0, 100, bytes(5000)),
      report(60, 160, bytes(2e9)),
      quiet,
      { ...quiet, at: 180_000, uptimeS: 280, localtimeS: 1_700_000_180 },
      report(240, 340, bytes(5200)),
      report(300, 400, bytes(5300)),
    ]);
    const excess = 2e9 - 5000;
    expect(totalOf(outcomes)).toEqual([0, excess, excess, excess, 200, 300]);
    expect(outcomes[4]?.revisions).toMatchObject([{ at: 60_000, flow: { wanDown: 200 - excess } }]);
  });

  test('of a new counter stays when the counter is silent and then away', () => {
    const outcomes = play([
      report(0, 100, bytes(5000)),
      report(60, 160, bytes(5000), bytes(70)),
      report(120, 220, bytes(5000), bytes(null)),
      report(180, 280, bytes(5000)),
      report(240, 340, bytes(5000)),
    ]);
    expect(outcomes.map(({ flow, revisions }) => [flow.down[5], revisions])).toEqual([
      [0, []],
      [70, []],
      [0, []],
      [0, []],
      [0, []],
    ]);
  });

  test('of a counter that fell without a restart is none, and it counts on from there', () => {
    const outcomes = play([
      report(0, 100, bytes(3e9)),
      report(60, 160, bytes(90)),
      report(120, 220, bytes(100)),
      report(180, 280, bytes(4e9)),
    ]);
    expect(totalOf(outcomes)).toEqual([0, 0, 10, 4e9 - 90]);
  });

  test('of a counter that is zero in one report, or in two, is what it would have been', () => {
    const outcomes = play([
      report(0, 100, bytes(5e9)),
      report(60, 160, bytes(0)),
      report(120, 220, bytes(0)),
      report(180, 280, bytes(5e9 + 700)),
    ]);
    expect(totalOf(outcomes)).toEqual([0, 0, 0, 700]);
  });

  test('of a report that says too much is taken back by the next one', () => {
    const outcomes = play([
      report(0, 100, bytes(5000)),
      report(60, 160, bytes(2e9)),
      report(120, 220, bytes(5200)),
      report(180, 280, bytes(5300)),
    ]);
    expect(totalOf(outcomes)).toEqual([0, 2e9 - 5000, 200, 300]);
  });

  test('is no more than the links can carry: 100 Mbit/s are 750 million bytes a minute', () => {
    const speeds = { ...unknownSpeeds, wan: 12.5e6 };
    const outcomes = play([
      { ...report(0, 100, bytes(0)), speeds },
      { ...report(60, 160, bytes(750e6)), speeds },
      { ...report(120, 220, bytes(2250e6)), speeds },
      { ...report(180, 280, bytes(751e6)), speeds },
    ]);
    expect(totalOf(outcomes)).toEqual([0, 750e6, 750e6, 751e6]);
  });

  test.each([0, 1, 20, 59, 5_000_000, null])('is not that of a restart for one absurd uptime of %s', (absurd) => {
    const outcomes = play([
      report(0, 9000, bytes(5e9)),
      { ...report(60, absurd, bytes(5e9 + 100)), localtimeS: 1_700_000_060 },
      report(120, 9120, bytes(5e9 + 300)),
      report(180, 9180, bytes(5e9 + 600)),
    ]);
    expect(totalOf(outcomes)).toEqual([0, 100, 300, 600]);
    expect(outcomes.map(({ verdict }) => verdict)).toEqual(['first', 'next', 'next', 'next']);
  });

  test('of unreported counters is none, and nothing is lost', () => {
    const silent: CountedReport = { ...report(90, 190, bytes(0)), counters: null };
    const outcomes = play([
      report(0, 100, bytes(5000)),
      report(60, 160, bytes(null)),
      silent,
      report(120, 220, bytes(5600)),
    ]);
    expect(outcomes.map(({ flow }) => flow.wanDown)).toEqual([0, 0, 0, 600]);
  });

  test('begins with the first word, however late that is', () => {
    const silent: CountedReport = { ...report(0, 100, bytes(0)), counters: null };
    const outcomes = play([
      silent,
      report(60, 160, bytes(null)),
      report(120, 220, bytes(7000)),
      report(180, 280, bytes(7001)),
    ]);
    expect(outcomes.map(({ flow }) => flow.wanDown)).toEqual([0, 0, 0, 1]);
  });

  test('of a counter that is new is all it says', () => {
    const [, next] = play([report(0, 100, bytes(5000)), report(60, 160, bytes(5000), bytes(40, 70))]);
    expect(next?.flow.down[5]).toBe(70);
  });

  test('faster than anything is left out, and counting goes on from there', () => {
    const outcomes = play([report(0, 100, bytes(0)), report(60, 160, bytes(1e15)), report(120, 220, bytes(1e15 + 5))]);
    expect(outcomes.map(({ flow, clamped }) => [flow.wanDown, clamped])).toEqual([
      [0, 0],
      [0, 2],
      [5, 0],
    ]);
  });
});

const minute = fc.record({
  rx: fc.integer({ min: 0, max: 2 ** 31 - 1 }),
  tx: fc.integer({ min: 0, max: 2 ** 31 - 1 }),
  event: fc.constantFrom('none', 'none', 'none', 'restart'),
  delivery: fc.constantFrom('arrives', 'arrives', 'arrives', 'lost', 'twice', 'late'),
  silent: fc.boolean(),
});

test('the sum of all flows is the truth that was delivered, whatever happens on the way', () => {
  fc.assert(
    fc.property(fc.array(minute, { maxLength: 60 }), fc.integer({ min: 1, max: 5e6 }), (life, booted) => {
      let uptime = booted;
      let wide = { rx: 0, tx: 0 };
      let known: CommittedReport | null = null;
      const sum = { rx: 0, tx: 0 };
      let truth = { rx: 0, tx: 0 };
      let base: { rx: number; tx: number } | null = null;
      let late: CountedReport | null = null;
      let at = 1000;
      let restarted = false;
      const take = (one: CountedReport) => {
        const outcome = countReport(known, one);
        known = outcome.known;
        sum.rx += changeOf(outcome, 'wanDown');
        sum.tx += changeOf(outcome, 'wanUp');
        return outcome.verdict;
      };
      const live = (rx: number, tx: number) => {
        at += 60;
        uptime += 60;
        wide = { rx: wide.rx + rx, tx: wide.tx + tx };
      };
      for (const { rx, tx, event, delivery, silent } of life) {
        const restarts: boolean = event === 'restart' && !restarted;
        if (restarts) {
          uptime = -30;
          wide = { rx: 0, tx: 0 };
          late = null;
        }
        live(rx, tx);
        const reported = silent && !restarts ? bytes(null) : bytes(wide.rx, wide.tx);
        const one = report(at, uptime, reported);
        if (restarts || restarted) {
          const isFirst = known === null;
          take(report(at, uptime, bytes(wide.rx, wide.tx)));
          if (!isFirst) {
            const before = restarts ? { rx: 0, tx: 0 } : base!;
            truth = { rx: truth.rx + wide.rx - before.rx, tx: truth.tx + wide.tx - before.tx };
          }
          base = { ...wide };
          restarted = restarts;
          continue;
        }
        if (delivery === 'lost') continue;
        if (delivery === 'late') {
          late ??= one;
          continue;
        }
        take(one);
        if (delivery === 'twice') expect(take({ ...one, at: one.at + 1 })).toBe('repeat');
        if (reported.rx !== null) {
          if (base) truth = { rx: truth.rx + wide.rx - base.rx, tx: truth.tx + wide.tx - base.tx };
          base = { ...wide };
        }
        if (late) {
          if (one.at - late.at < 900_000) expect(take({ ...late, at: one.at + 2 })).toBe('stale');
          late = null;
        }
      }
      live(0, 0);
      take(report(at, uptime, bytes(wide.rx, wide.tx)));
      if (base) truth = { rx: truth.rx + wide.rx - base.rx, tx: truth.tx + wide.tx - base.tx };
      expect(sum).toEqual(truth);
    }),
    { numRuns: 300 },
  );
});
