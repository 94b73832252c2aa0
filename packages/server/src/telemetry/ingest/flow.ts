import type { Absolute, AbsoluteCounters } from '../extract/counters.ts';

/** Absolute counters of the last committed report of a device: what the next one's flow is counted from. */
export interface Known {
  /** Arrival, milliseconds. */
  at: number;
  uptimeS: number | null;
  localtimeS: number | null;
  /** Uplinks by interface; null while no report has said anything of them. */
  wan: ReadonlyMap<string, Base> | null;
  /** Wireless networks by BSSID; likewise. */
  bss: ReadonlyMap<string, Base> | null;
}

/** Absolute bytes that are counted on from; null: the device has not said yet, and its next word is where counting begins. */
export interface Base {
  rx: number | null;
  tx: number | null;
}

/** What of a report this machine looks at. */
export interface Counted {
  /** Arrival, milliseconds. */
  at: number;
  uptimeS: number | null;
  localtimeS: number | null;
  counters: AbsoluteCounters | null;
  /** It came later than the last one and says something else, whatever its clocks say. */
  anew?: boolean;
  /**
   * Its uplinks are sockets that were there before they became one, and may be something else again (our own agent): what
   * a new one says is where counting begins, and one that is left out beside others is no uplink any more.
   */
  sockets?: boolean;
}

/**
 * What a report is to the one committed before: the first of its device, the same again, an older one that comes late,
 * the next, or the first after a restart.
 */
export type Verdict = 'first' | 'repeat' | 'stale' | 'next' | 'restarted';

/** Bytes since the report before: down goes to terminals, up comes from them. */
export interface Flow {
  wanDown: number;
  wanUp: number;
  down: Record<2 | 5 | 6, number>;
  up: Record<2 | 5 | 6, number>;
}

const wrapAt = 2 ** 32;
/** Reports of one boot agree on when it was, give or take so many seconds. */
const bootSlack = 5;
/** A report may be under way for so many seconds. */
const delay = 30;
/** 100 Gbit/s in bytes a second: nothing that we know of is faster. */
const fastest = 12.5e9;

/** Compares a report with the last committed one. */
export function judge(last: Pick<Known, 'at' | 'uptimeS' | 'localtimeS'> | null, next: Counted): Verdict {
  if (!last) return 'first';
  const { uptimeS, localtimeS } = next;
  if (uptimeS === null || last.uptimeS === null) return 'next';
  const passed = (next.at - last.at) / 1000;
  if (localtimeS !== null && last.localtimeS !== null) {
    if (uptimeS === last.uptimeS && localtimeS === last.localtimeS) return next.anew ? 'next' : 'repeat';
    const moved = localtimeS - uptimeS - (last.localtimeS - last.uptimeS);
    if (uptimeS < last.uptimeS && localtimeS < last.localtimeS && Math.abs(moved) <= bootSlack) return 'stale';
    // from before a restart: older by its clock, up for longer than the time since, and not as the last one was
    const before = localtimeS < last.localtimeS && uptimeS > passed + delay;
    if (before && uptimeS > last.uptimeS && Math.abs(uptimeS - last.uptimeS - passed) > delay) return 'stale';
  }
  if (uptimeS < last.uptimeS) return 'restarted';
  // its uptime has not gone on, and is no longer than the time since: it restarted unseen, and has come past its former uptime
  return uptimeS <= passed && last.uptimeS + passed - uptimeS > delay ? 'restarted' : 'next';
}

/** Whether a report says nothing new of the counters. */
export function sameCounters(last: Known, now: AbsoluteCounters | null): boolean {
  const same = (before: ReadonlyMap<string, Base> | null, after: ReadonlyMap<string, Absolute> | undefined) =>
    !after ||
    [...after].every(([name, { rx, tx }]) => {
      const base = before?.get(name);
      return base !== undefined && base.rx === rx && base.tx === tx;
    });
  return same(last.wan, now?.wan) && same(last.bss, now?.bss);
}

/** Whether a device has told of bytes through its uplinks. */
export function measures({ wan }: Pick<Known, 'wan'>): boolean {
  for (const { rx, tx } of wan?.values() ?? []) if (rx !== null || tx !== null) return true;
  return false;
}

/** How many bytes may have flown in one counter, or in all of a kind, since the last report. */
export function mostSince(last: Pick<Known, 'at'> | null, at: number): number {
  return last ? Math.max(1, (at - last.at) / 1000) * fastest : 0;
}

/** What one counter says: the bytes since, and whether they cannot be. */
export interface Step {
  flow: number;
  clamped: boolean;
}

/**
 * Bytes since the last absolute. A counter that went down has wrapped at 2^32 when it was about to, else it began anew.
 * `last` is null when it was not there before: it began since. More than `most` cannot be: nothing is counted then.
 */
export function countOn(last: number | null, now: number, most: number): Step {
  let flow: number;
  if (last === null) flow = now;
  else if (now >= last) flow = now - last;
  else if (last < wrapAt && last > wrapAt / 2 && now < wrapAt / 2) flow = now + wrapAt - last;
  else flow = now;
  return flow > most ? { flow: 0, clamped: true } : { flow, clamped: false };
}

/** So many counters that are left out of a report are remembered. */
const mostAway = 64;
const unsaid: Base = { rx: null, tx: null };
const none: ReadonlyMap<string, Base> = new Map();

const nothing = (): Flow => ({ wanDown: 0, wanUp: 0, down: { 2: 0, 5: 0, 6: 0 }, up: { 2: 0, 5: 0, 6: 0 } });

/** What follows from a report, and what the one after it is counted from. */
export interface Outcome {
  verdict: Verdict;
  flow: Flow;
  /** Seconds since the report before; null for the first. */
  gapS: number | null;
  known: Known;
  /** Intervals that said more than can be. */
  clamped: number;
}

/** Counts a report on. Of a repeat and of a stale one nothing changes. */
export function countReport(last: Known | null, next: Counted): Outcome {
  const verdict = judge(last, next);
  const flow = nothing();
  if (last && (verdict === 'repeat' || verdict === 'stale'))
    return { verdict, flow, gapS: null, known: last, clamped: 0 };
  let clamped = 0;
  const most = mostSince(last, next.at);

  const count = (known: boolean, before: number | null, now: number | null): { flow: number; base: number | null } => {
    // not said: the last absolute stays
    if (now === null) return { flow: 0, base: before };
    if (known && before === null) return { flow: 0, base: now };
    const step = countOn(before, now, most);
    if (step.clamped) clamped += 1;
    return { flow: step.flow, base: now };
  };
  const each = <A extends Absolute>(
    before: ReadonlyMap<string, Base> | null,
    now: ReadonlyMap<string, A>,
    take: (rx: number, tx: number, absolute: A) => void,
    sockets = false,
  ): Map<string, Base> => {
    const bases = new Map<string, Base>();
    for (const [name, absolute] of now) {
      // where everything is new, what it says is where counting begins; else what is new began at nothing
      const older = before === null || (sockets && last?.wan?.has(name) !== true);
      const base = before?.get(name) ?? (older ? unsaid : undefined);
      if (!base && absolute.rx === null && absolute.tx === null) continue;
      const rx = count(base !== undefined, base?.rx ?? null, absolute.rx);
      const tx = count(base !== undefined, base?.tx ?? null, absolute.tx);
      take(rx.flow, tx.flow, absolute);
      bases.set(name, { rx: rx.base ?? (base ? null : 0), tx: tx.base ?? (base ? null : 0) });
    }
    if (sockets && now.size > 0) return bases;
    // one that is left out for a while counts on when it is back
    for (const [name, base] of before ?? [])
      if (!bases.has(name) && bases.size < now.size + mostAway) bases.set(name, base);
    return bases;
  };

  const { counters } = next;
  const kept = verdict === 'restarted' ? null : last;
  const before =
    verdict === 'restarted' ? { wan: none, bss: none } : { wan: last?.wan ?? null, bss: last?.bss ?? null };
  const wan = counters
    ? each(
        before.wan,
        counters.wan,
        (rx, tx) => {
          flow.wanDown += rx;
          flow.wanUp += tx;
        },
        next.sockets,
      )
    : before.wan;
  const bss = counters
    ? each(before.bss, counters.bss, (rx, tx, { band }) => {
        flow.down[band] += tx;
        flow.up[band] += rx;
      })
    : before.bss;
  // many counters together carry no more than one may: a device can make up any number of them
  const bounded = (bytes: number): number => {
    if (bytes <= most) return bytes;
    clamped += 1;
    return 0;
  };
  flow.wanDown = bounded(flow.wanDown);
  flow.wanUp = bounded(flow.wanUp);
  for (const band of [2, 5, 6] as const) {
    flow.down[band] = bounded(flow.down[band]);
    flow.up[band] = bounded(flow.up[band]);
  }
  return {
    verdict,
    flow,
    gapS: last ? Math.max(0, Math.round((next.at - last.at) / 1000)) : null,
    known: {
      at: next.at,
      // a clock that was not said stays as it was, so that what comes after it can be judged
      uptimeS: next.uptimeS ?? kept?.uptimeS ?? null,
      localtimeS: next.localtimeS ?? kept?.localtimeS ?? null,
      wan,
      bss,
    },
    clamped,
  };
}
