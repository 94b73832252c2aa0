import type { Absolute, AbsoluteCounters } from '../extract/counters.ts';
import type { CommittedReport, CountedReport, Pairs } from './counted-report.ts';

/** Seconds between a device's boot times. */
const bootSlack = 5;
/** Seconds of transit. */
const delay = 30;
/** Seconds; later reports have a wrong clock. */
const maxLateness = 900;
/** Milliseconds for reports without clocks. */
const repeatWithin = 10_000;
/** Seconds; an association older than the uptime by this disproves a restart. */
const associationSlack = 60;

/** Returns server milliseconds; null without an uptime. */
export function bootOf({ at, uptimeS }: Pick<CountedReport, 'at' | 'uptimeS'>): number | null {
  return uptimeS === null ? null : at - uptimeS * 1000;
}

export function isSameBoot(a: number | null, b: number | null): boolean {
  return a !== null && b !== null && Math.abs(a - b) <= delay * 1000;
}

/** Returns `stale` for a report from before the last one or a restart. */
export function findRepeat(last: CommittedReport, next: CountedReport): 'repeat' | 'stale' | null {
  const { uptimeS, localtimeS } = next;
  if (isRepeat(last, next)) return 'repeat';
  if (uptimeS === null || last.uptimeS === null || localtimeS === null || last.localtimeS === null) return null;
  const passed = (next.at - last.at) / 1000;
  if (localtimeS >= last.localtimeS || passed + last.localtimeS - localtimeS > maxLateness) return null;
  if (uptimeS < last.uptimeS) {
    const moved = localtimeS - uptimeS - (last.localtimeS - last.uptimeS);
    return Math.abs(moved) <= bootSlack ? 'stale' : null;
  }
  // uptime exceeds the elapsed time and does not continue
  const isOtherBoot = uptimeS > passed + delay && Math.abs(uptimeS - last.uptimeS - passed) > delay;
  return isOtherBoot && !isSameBoot(bootOf(next), last.otherwise?.boot ?? null) ? 'stale' : null;
}

export function sameCounters(last: CommittedReport, now: AbsoluteCounters | null): boolean {
  const same = (before: Pairs | null, after: ReadonlyMap<string, Absolute> | undefined) =>
    !after ||
    [...after].every(([name, { rx, tx }]) => {
      const pair = before?.get(name);
      return pair !== undefined && (rx ?? pair.rx.value) === pair.rx.value && (tx ?? pair.tx.value) === pair.tx.value;
    });
  return same(last.wan, now?.wan) && same(last.bss, now?.bss);
}

function namesBytes(counters: AbsoluteCounters | null): boolean {
  const pairs = [...(counters?.wan.values() ?? []), ...(counters?.bss.values() ?? [])];
  return pairs.some(({ rx, tx }) => rx !== null || tx !== null);
}

function isRepeat(last: CommittedReport, { uptimeS, localtimeS, at, counters, anew = false }: CountedReport): boolean {
  if (anew) return false;
  if (uptimeS !== null && localtimeS !== null) return uptimeS === last.uptimeS && localtimeS === last.localtimeS;
  if (!sameCounters(last, counters)) return false;
  if (uptimeS === null && localtimeS !== null) return localtimeS === last.localtimeS;
  const isSoon = at - last.at < repeatWithin;
  if (uptimeS === null) return isSoon && namesBytes(counters);
  // uptimes recur after a restart, byte counts hardly
  return uptimeS === last.uptimeS && (isSoon || namesBytes(counters));
}

/**
 * Judges by the uptime, ignoring one that implies an earlier boot. `doubtful`: most counters did not fall, so the next
 * report decides.
 */
export function restartOf(known: CommittedReport, next: CountedReport): 'none' | 'doubtful' | 'certain' {
  const boot = bootOf(next);
  if (next.uptimeS === null || boot === null || known.bootAt === null) return 'none';
  if (boot < known.at - delay * 1000 || boot - known.bootAt <= delay * 1000) return 'none';
  if (next.oldestS != null && next.oldestS > next.uptimeS + associationSlack) return 'none';
  return fellBack(known, next.counters) ? 'certain' : 'doubtful';
}

/** Weighs counters by bytes. */
function fellBack(known: CommittedReport, now: AbsoluteCounters | null): boolean {
  if (now === null) return known.wan === null && known.bss === null;
  let fallen = 0;
  let kept = 0;
  const weigh = (before: number | null | undefined, value: number | null) => {
    if (value === null || !before) return;
    if (value < before) fallen += before;
    else kept += before;
  };
  const each = (before: Pairs | null, after: AbsoluteCounters['wan']) => {
    for (const [name, { rx, tx }] of after) {
      weigh(before?.get(name)?.rx.value, rx);
      weigh(before?.get(name)?.tx.value, tx);
    }
  };
  each(known.wan, now.wan);
  each(known.bss, now.bss);
  return fallen >= kept;
}
