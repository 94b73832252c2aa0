import type { Absolute } from '../extract/counters.ts';
import { unknownSpeeds } from '../extract/speeds.ts';
import { bootOf, findRepeat, isSameBoot, restartOf } from './boot.ts';
import type { CommittedReport, CountedReport, Flow, Pair, Pairs, Position, Revision } from './counted-report.ts';
import { type Counter, countOn, settled, unknownCounter, zeroCounter } from './counter.ts';
import { offsetAfter } from './event-time.ts';

export type Verdict = 'first' | 'repeat' | 'stale' | 'next' | 'restarted';

export function measures({ wan }: Pick<CommittedReport, 'wan'>): boolean {
  for (const { rx, tx } of wan?.values() ?? []) if (rx.value !== null || tx.value !== null) return true;
  return false;
}

/** Takes milliseconds and bytes per second; at least 1 s. */
export function maxBetween(from: number, to: number, speed: number): number {
  return Math.max(1, (to - from) / 1000) * speed;
}

/** Remembered counters that reports omit. */
const maxAway = 64;
const none: Pairs = new Map();
const bands = [2, 5, 6] as const;

export const noFlow = (): Flow => ({ wanDown: 0, wanUp: 0, down: { 2: 0, 5: 0, 6: 0 }, up: { 2: 0, 5: 0, 6: 0 } });

function addFlow(to: Flow, { wanDown, wanUp, down, up }: Flow, factor: 1 | -1): Flow {
  to.wanDown += factor * wanDown;
  to.wanUp += factor * wanUp;
  for (const band of bands) {
    to.down[band] += factor * down[band];
    to.up[band] += factor * up[band];
  }
  return to;
}

const copyOf = (flow: Flow): Flow => addFlow(noFlow(), flow, 1);

const isNothing = ({ wanDown, wanUp, down, up }: Flow): boolean =>
  wanDown === 0 && wanUp === 0 && bands.every((band) => down[band] === 0 && up[band] === 0);

export interface Outcome {
  verdict: Verdict;
  flow: Flow;
  /** One per corrected sample. */
  revisions: readonly Revision[];
  gapS: number | null;
  known: CommittedReport;
  clamped: number;
}

/** Ignores repeated and stale reports. */
export function countReport(last: CommittedReport | null, next: CountedReport): Outcome {
  const news = last && findRepeat(last, next);
  if (last && news) return { verdict: news, flow: noFlow(), revisions: [], gapS: null, known: last, clamped: 0 };
  const decided = last?.otherwise && isOther(last, next) ? last.otherwise : null;
  const position: Position = decided?.position ??
    last ?? { at: next.at, interval: 0, bootAt: null, wan: null, bss: null };
  const restart = last ? restartOf({ ...last, ...position }, next) : 'none';
  const going = tally(position, next, position.at, last?.otherwise === null);
  const sinceBoot = restart === 'none' ? null : tallyAnew(position, next);
  // values beyond the capacity since the claimed boot disprove it
  const anew = sinceBoot?.clamped === 0 ? sinceBoot : null;
  const isAnew = restart === 'certain' && anew !== null;
  const reported = isAnew ? anew : going;
  const boot = bootOf(next);
  const isRepeated = last !== null && isSameBoot(boot, bootOf(last));
  const isBelieved = position.bootAt === null || isAnew || isRepeated || isSameBoot(boot, position.bootAt);
  const bootAt = isBelieved ? (boot ?? position.bootAt) : position.bootAt;
  const known: CommittedReport = {
    at: next.at,
    interval: next.at - position.at,
    bootAt,
    wan: reported.wan,
    bss: reported.bss,
    otherwise: null,
    uptimeS: next.uptimeS ?? (isAnew ? null : (last?.uptimeS ?? null)),
    localtimeS: next.localtimeS ?? (isAnew ? null : (last?.localtimeS ?? null)),
    offset: offsetAfter(last, next),
  };
  if (isAnew && position.bootAt !== null) {
    const revision = { at: next.at, flow: addFlow(noFlow(), reported.flow, -1), restarted: false };
    known.otherwise = { boot: position.bootAt, position: untouched(position), revision };
  }
  if (restart === 'doubtful' && anew !== null && boot !== null) {
    const counted = [...reported.revisions.values()].reduce(
      (sum, flow) => addFlow(sum, flow, 1),
      copyOf(reported.flow),
    );
    const revision = { at: next.at, flow: addFlow(copyOf(anew.flow), counted, -1), restarted: true };
    known.otherwise = {
      boot,
      position: untouched({ ...known, bootAt: boot, wan: anew.wan, bss: anew.bss }),
      revision,
    };
  }
  return {
    verdict: !last ? 'first' : isAnew ? 'restarted' : 'next',
    flow: reported.flow,
    revisions: revisionsOf(decided?.revision ?? null, reported.revisions),
    gapS: last ? Math.max(0, Math.round((next.at - last.at) / 1000)) : null,
    known,
    clamped: reported.clamped,
  };
}

function revisionsOf(decided: Revision | null, flows: ReadonlyMap<number, Flow>): Revision[] {
  const revisions = [...flows].flatMap(([at, flow]) => (isNothing(flow) ? [] : [{ at, flow, restarted: null }]));
  if (!decided) return revisions;
  const same = revisions.find(({ at }) => at === decided.at);
  const flow = same ? addFlow(copyOf(decided.flow), same.flow, 1) : decided.flow;
  return [{ ...decided, flow }, ...revisions.filter((one) => one !== same)];
}

function isOther({ bootAt, otherwise }: CommittedReport, next: CountedReport): boolean {
  const boot = bootOf(next);
  return isSameBoot(boot, otherwise?.boot ?? null) && !isSameBoot(boot, bootAt);
}

function tallyAnew({ at, interval, wan }: Position, next: CountedReport): Tally {
  // uptime is in whole seconds
  const since = Math.max(at, next.at - ((next.uptimeS ?? 0) + 1) * 1000);
  return tally({ wan: none, bss: none, interval, before: wan }, next, since);
}

/** Confirms all steps. */
function untouched({ at, interval, bootAt, wan, bss }: Position): Position {
  const without = (pairs: Pairs | null) =>
    pairs &&
    new Map(
      [...pairs].map(([name, { rx, tx, band }]): [string, Pair] => [name, { rx: settled(rx), tx: settled(tx), band }]),
    );
  return { at, interval, bootAt, wan: without(wan), bss: without(bss) };
}

interface Tally {
  flow: Flow;
  /** By arrival of the corrected report. */
  revisions: Map<number, Flow>;
  wan: Pairs | null;
  bss: Pairs | null;
  clamped: number;
}

/** Counts from `since`, milliseconds. */
function tally(
  from: Pick<Position, 'wan' | 'bss' | 'interval'> & { before?: Pairs | null },
  next: CountedReport,
  since: number,
  /** Revokes counters that only the last report had. */
  mayForget = false,
): Tally {
  const { counters, speeds = unknownSpeeds, sockets = false } = next;
  const sum: Tally = { flow: noFlow(), revisions: new Map(), wan: from.wan, bss: from.bss, clamped: 0 };
  if (!counters) return sum;
  const max = (band: Pair['band']) => maxBetween(since, next.at, band === 0 ? speeds.wan : speeds.air[band]);
  const lapse = from.interval > 0 && next.at > since ? (next.at - since) / from.interval : 1;
  const forgets = mayForget ? lastStepOf(from) : null;
  const names = 'before' in from ? from.before : from.wan;
  const uplinks = [...counters.wan].map(([name, absolute]) => ({ name, absolute: { ...absolute, band: 0 as const } }));
  const networks = [...counters.bss].map(([name, absolute]) => ({ name, absolute }));
  // a new uplink has no baseline
  const isOld = (name: string) => from.wan === null || (sockets && names?.has(name) !== true);
  sum.wan = each(sum, from.wan, uplinks, { at: next.at, max, lapse, isOld, drops: sockets, forgets });
  sum.bss = each(sum, from.bss, networks, {
    at: next.at,
    max,
    lapse,
    isOld: () => from.bss === null,
    drops: false,
    forgets,
  });
  return sum;
}

interface Named {
  name: string;
  absolute: Absolute & { band: Pair['band'] };
}

function each(
  sum: Tally,
  before: Pairs | null,
  now: readonly Named[],
  rule: {
    at: number;
    max: (band: Pair['band']) => number;
    lapse: number;
    isOld: (name: string) => boolean;
    drops: boolean;
    /** Arrival of the last report with counters, milliseconds; null: forgets none. */
    forgets: number | null;
  },
): Pairs {
  const after = new Map<string, Pair>();
  const bases = new Map<Named, Pair>();
  for (const one of now) {
    const { rx, tx, band } = one.absolute;
    const fresh = rule.isOld(one.name) ? unknownCounter : zeroCounter;
    const known = before?.get(one.name);
    // counters of new firmware cover more than this interval
    const first = rx === null && tx === null ? unknownCounter : fresh;
    bases.set(one, known ?? { rx: first, tx: first, band });
  }
  for (const direction of ['rx', 'tx'] as const) {
    for (const band of [0, ...bands] as const) {
      const max = rule.max(band);
      const group = [...bases].filter(([{ absolute }]) => absolute.band === band);
      const count = (limit: number) =>
        group.map(([one, base]) => ({
          one,
          base,
          ...countOn(base[direction], one.absolute[direction], { at: rule.at, max: limit, lapse: rule.lapse }),
        }));
      let steps = count(max);
      sum.clamped += steps.filter(({ clamped }) => clamped).length;
      // bounds the sum too: devices can invent counters
      if (steps.reduce((all, { flow }) => all + flow, 0) > max) {
        sum.clamped += 1;
        steps = count(-1);
      }
      for (const { one, base, flow, revision, counter } of steps) {
        add(sum.flow, direction, band, flow);
        revise(sum, base[direction], direction, band, revision);
        after.set(one.name, { ...(after.get(one.name) ?? base), [direction]: counter, band });
      }
    }
  }
  if (rule.drops && now.length > 0) return after;
  for (const [name, pair] of before ?? []) {
    if (after.has(name)) continue;
    if (isNewborn(pair, rule.forgets)) {
      revise(sum, pair.rx, 'rx', pair.band, -pair.rx.counted);
      revise(sum, pair.tx, 'tx', pair.band, -pair.tx.counted);
      continue;
    }
    // continues when reported again
    if (after.size >= now.length + maxAway) continue;
    after.set(name, pair);
  }
  return after;
}

function lastStepOf({ wan, bss }: Pick<Position, 'wan' | 'bss'>): number | null {
  let last: number | null = null;
  for (const { rx, tx } of [...(wan?.values() ?? []), ...(bss?.values() ?? [])]) {
    last = Math.max(last ?? 0, rx.countedAt, tx.countedAt);
  }
  return last;
}

function isNewborn({ rx, tx }: Pair, at: number | null): boolean {
  const began = ({ value, other, counted, countedAt }: Counter) =>
    (counted === 0 || countedAt === at) && (value === counted || other === 0);
  return rx.counted + tx.counted > 0 && began(rx) && began(tx);
}

function revise(
  { revisions }: Tally,
  { countedAt }: Counter,
  direction: 'rx' | 'tx',
  band: Pair['band'],
  bytes: number,
): void {
  if (bytes === 0) return;
  const flow = revisions.get(countedAt) ?? noFlow();
  add(flow, direction, band, bytes);
  revisions.set(countedAt, flow);
}

/** Swaps directions: a WAN receives downloads, a radio sends them. */
function add(flow: Flow, direction: 'rx' | 'tx', band: Pair['band'], bytes: number): void {
  if (band !== 0) flow[direction === 'tx' ? 'down' : 'up'][band] += bytes;
  else if (direction === 'rx') flow.wanDown += bytes;
  else flow.wanUp += bytes;
}
