import type { Clock } from '../../platform/clock.ts';

export interface LaneRule {
  /** Counted in the window without a wait. */
  free: number;
  windowMs: number;
  /** Milliseconds between turns beyond them. */
  everyMs: number;
}

/** Ends a visit: it spends one of what is free, nothing, or gives its turn to the next. */
export type Leave = (as: 'spent' | 'free' | 'unused') => void;

interface Waiter {
  source: string;
  at: number;
  serve(leave: Leave): void;
}

interface Lane {
  rule: LaneRule;
  since: number;
  spent: number;
  running: number;
  nextTurn: number;
  timer: NodeJS.Timeout | null;
  /** Sources by their last turn. */
  served: Map<string, number>;
  newcomersNext: boolean;
  waiting: Waiter[];
}

const maxServed = 10_000;
const sweepMs = 60_000;

/**
 * Slows requests that share a limit, and refuses none: beyond its free number, a lane gives turns at intervals. Turns
 * alternate between sources without one in the window, newest first, and the others, least recently served first. So
 * neither one busy source nor thousands of waiting ones delay a newcomer. Counts in memory, per process.
 */
export function createLanes(clock: Clock) {
  const lanes = new Map<string, Lane>();
  let turns = 0;
  let sweptAt = 0;

  function laneOf(key: string, rule: LaneRule): Lane {
    const now = clock.now().getTime();
    sweep(now);
    let lane = lanes.get(key);
    if (!lane) {
      lane = {
        ...{ rule, since: now, spent: 0, running: 0, nextTurn: 0, timer: null },
        ...{ served: new Map(), newcomersNext: true, waiting: [] },
      };
      lanes.set(key, lane);
    }
    renew(lane, now);
    return lane;
  }

  function renew(lane: Lane, now: number): void {
    if (now - lane.since < lane.rule.windowMs) return;
    Object.assign(lane, { since: now, spent: 0 });
    lane.served.clear();
  }

  const isIdle = ({ running, waiting }: Lane) => running === 0 && waiting.length === 0;

  function sweep(now: number): void {
    if (now - sweptAt < sweepMs) return;
    sweptAt = now;
    for (const [key, lane] of lanes) if (isIdle(lane) && now - lane.since >= lane.rule.windowMs) lanes.delete(key);
  }

  const hasFree = ({ spent, running, rule }: Lane) => spent + running < rule.free;

  function takeNext(lane: Lane): Waiter {
    const { waiting, served, newcomersNext } = lane;
    lane.newcomersNext = !newcomersNext;
    const orderOf = ({ source, at }: Waiter) => {
      const last = served.get(source) ?? 0;
      return [(last === 0) === newcomersNext ? 0 : 1, last, last === 0 ? -at : at];
    };
    const next = waiting.reduce((best, one) => (isBefore(orderOf(one), orderOf(best)) ? one : best));
    waiting.splice(waiting.indexOf(next), 1);
    return next;
  }

  function start(key: string, lane: Lane, source: string): Leave {
    turns += 1;
    lane.running += 1;
    lane.served.delete(source);
    lane.served.set(source, turns);
    if (lane.served.size > maxServed) lane.served.delete(lane.served.keys().next().value!);
    let left = false;
    return (as) => {
      if (left) return;
      left = true;
      lane.running -= 1;
      if (as === 'spent') lane.spent += 1;
      if (as === 'unused') hurry(lane);
      serveFree(key, lane);
      if (isIdle(lane) && lane.spent === 0) lanes.delete(key);
    };
  }

  function hurry(lane: Lane): void {
    lane.nextTurn = 0;
    if (lane.timer) clearTimeout(lane.timer);
    lane.timer = null;
  }

  function serveFree(key: string, lane: Lane): void {
    renew(lane, clock.now().getTime());
    while (lane.waiting.length > 0 && hasFree(lane)) {
      const next = takeNext(lane);
      next.serve(start(key, lane, next.source));
    }
    if (lane.waiting.length === 0 || lane.timer) return;
    const delay = Math.max(0, lane.nextTurn - performance.now());
    lane.timer = setTimeout(() => turn(key, lane), delay).unref();
  }

  function turn(key: string, lane: Lane): void {
    lane.timer = null;
    if (lane.waiting.length === 0) return;
    lane.nextTurn = performance.now() + lane.rule.everyMs;
    const next = takeNext(lane);
    next.serve(start(key, lane, next.source));
    serveFree(key, lane);
  }

  return {
    /** Waits for a turn; null if the guest is gone before. The caller leaves, whatever happens. */
    enter(key: string, rule: LaneRule, source: string, gone: AbortSignal): Promise<Leave | null> {
      const lane = laneOf(key, rule);
      if (lane.waiting.length === 0 && hasFree(lane)) return Promise.resolve(start(key, lane, source));
      return new Promise((resolve) => {
        turns += 1;
        const drop = () => {
          lane.waiting.splice(lane.waiting.indexOf(waiter), 1);
          resolve(null);
        };
        const waiter: Waiter = {
          ...{ source, at: turns },
          serve(leave) {
            gone.removeEventListener('abort', drop);
            resolve(leave);
          },
        };
        if (gone.aborted) return resolve(null);
        gone.addEventListener('abort', drop, { once: true });
        lane.waiting.push(waiter);
        serveFree(key, lane);
      });
    },
  };
}

export type Lanes = ReturnType<typeof createLanes>;

function isBefore(one: readonly number[], other: readonly number[]): boolean {
  const at = one.findIndex((value, index) => value !== other[index]);
  return at >= 0 && one[at]! < other[at]!;
}
