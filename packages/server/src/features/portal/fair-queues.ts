import type { Clock } from '../../platform/clock.ts';

export interface QueueRule {
  free: number;
  windowMs: number;
  everyMs: number;
}

/** `unused` gives the turn to the next. */
export type Leave = (as: 'spent' | 'free' | 'unused') => void;

interface Waiter {
  source: string;
  at: number;
  serve(leave: Leave): void;
}

interface Queue {
  rule: QueueRule;
  since: number;
  spent: number;
  running: number;
  nextTurn: number;
  timer: NodeJS.Timeout | null;
  served: Map<string, number>;
  newSourcesNext: boolean;
  waiting: Waiter[];
}

const maxServed = 10_000;
const sweepMs = 60_000;

/**
 * Beyond its free number, gives turns at intervals, alternately to sources without one in the window, newest first, and
 * to others, least recently served first. Waiting thousands delay no new source.
 */
export function createFairQueues(clock: Clock) {
  const queues = new Map<string, Queue>();
  let turns = 0;
  let sweptAt = 0;

  function queueOf(key: string, rule: QueueRule): Queue {
    const now = clock.now().getTime();
    sweep(now);
    let queue = queues.get(key);
    if (!queue) {
      queue = {
        ...{ rule, since: now, spent: 0, running: 0, nextTurn: 0, timer: null },
        ...{ served: new Map(), newSourcesNext: true, waiting: [] },
      };
      queues.set(key, queue);
    }
    renew(queue, now);
    return queue;
  }

  function renew(queue: Queue, now: number): void {
    if (now - queue.since < queue.rule.windowMs) return;
    Object.assign(queue, { since: now, spent: 0 });
    queue.served.clear();
  }

  const isIdle = ({ running, waiting }: Queue) => running === 0 && waiting.length === 0;

  function sweep(now: number): void {
    if (now - sweptAt < sweepMs) return;
    sweptAt = now;
    for (const [key, queue] of queues)
      if (isIdle(queue) && now - queue.since >= queue.rule.windowMs) queues.delete(key);
  }

  const hasFree = ({ spent, running, rule }: Queue) => spent + running < rule.free;

  function takeNext(queue: Queue): Waiter {
    const { waiting, served, newSourcesNext } = queue;
    queue.newSourcesNext = !newSourcesNext;
    const orderOf = ({ source, at }: Waiter) => {
      const last = served.get(source) ?? 0;
      return [(last === 0) === newSourcesNext ? 0 : 1, last, last === 0 ? -at : at];
    };
    const next = waiting.reduce((best, one) => (isBefore(orderOf(one), orderOf(best)) ? one : best));
    waiting.splice(waiting.indexOf(next), 1);
    return next;
  }

  function start(key: string, queue: Queue, source: string): Leave {
    turns += 1;
    queue.running += 1;
    queue.served.delete(source);
    queue.served.set(source, turns);
    if (queue.served.size > maxServed) queue.served.delete(queue.served.keys().next().value!);
    let left = false;
    return (as) => {
      if (left) return;
      left = true;
      queue.running -= 1;
      if (as === 'spent') queue.spent += 1;
      if (as === 'unused') hurry(queue);
      serveFree(key, queue);
      if (isIdle(queue) && queue.spent === 0) queues.delete(key);
    };
  }

  function hurry(queue: Queue): void {
    queue.nextTurn = 0;
    if (queue.timer) clearTimeout(queue.timer);
    queue.timer = null;
  }

  function serveFree(key: string, queue: Queue): void {
    renew(queue, clock.now().getTime());
    while (queue.waiting.length > 0 && hasFree(queue)) {
      const next = takeNext(queue);
      next.serve(start(key, queue, next.source));
    }
    if (queue.waiting.length === 0 || queue.timer) return;
    const delay = Math.max(0, queue.nextTurn - performance.now());
    queue.timer = setTimeout(() => turn(key, queue), delay).unref();
  }

  function turn(key: string, queue: Queue): void {
    queue.timer = null;
    if (queue.waiting.length === 0) return;
    queue.nextTurn = performance.now() + queue.rule.everyMs;
    const next = takeNext(queue);
    next.serve(start(key, queue, next.source));
    serveFree(key, queue);
  }

  return {
    /** Returns null if the guest is gone; else the caller must leave. */
    enter(key: string, rule: QueueRule, source: string, gone: AbortSignal): Promise<Leave | null> {
      const queue = queueOf(key, rule);
      if (queue.waiting.length === 0 && hasFree(queue)) return Promise.resolve(start(key, queue, source));
      return new Promise((resolve) => {
        turns += 1;
        const drop = () => {
          queue.waiting.splice(queue.waiting.indexOf(waiter), 1);
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
        queue.waiting.push(waiter);
        serveFree(key, queue);
      });
    },
  };
}

export type FairQueues = ReturnType<typeof createFairQueues>;

function isBefore(one: readonly number[], other: readonly number[]): boolean {
  const at = one.findIndex((value, index) => value !== other[index]);
  return at >= 0 && one[at]! < other[at]!;
}
