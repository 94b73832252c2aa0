import type { Clock } from '../../platform/clock.ts';
import type { Source } from './source.ts';

export interface QueueRule {
  free: number;
  windowMs: number;
  everyMs: number;
}

/** `unused` gives the turn to the next. */
export type Leave = (as: 'spent' | 'free' | 'unused') => void;

type Asker = Pick<Source, 'key' | 'address'>;

interface Waiter {
  source: Asker;
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
  addresses: Map<string, number>;
  sources: Map<string, number>;
  next: number;
  waiting: Waiter[];
}

/** `last`: turn that it had in the window, or 0. `at`: place of the request. */
type Order = (last: number, at: number) => readonly number[];

/** By turns, so that none of the three kinds waits for the others. */
const orders: readonly Order[] = [
  (last, at) => (last === 0 ? [0, -at] : [1, last]),
  (last, at) => (last === 0 ? [1, at] : [0, last]),
  (last, at) => (last === 0 ? [0, at] : [1, last]),
];

const maxServed = 10_000;
const sweepMs = 60_000;

/**
 * Beyond its free number, gives turns at intervals: to an address, and to a source behind it, by turns the newest
 * without one in the window, the least recently served, and the one that waits longest. Thousands at one address delay
 * no other, and a stream of new devices cannot keep those back that wait.
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
        rule,
        since: now,
        spent: 0,
        running: 0,
        nextTurn: 0,
        timer: null,
        addresses: new Map(),
        sources: new Map(),
        next: 0,
        waiting: [],
      };
      queues.set(key, queue);
    }
    renew(queue, now);
    return queue;
  }

  function renew(queue: Queue, now: number): void {
    if (now - queue.since < queue.rule.windowMs) return;
    Object.assign(queue, { since: now, spent: 0 });
    queue.addresses.clear();
    queue.sources.clear();
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
    const { waiting, addresses, sources } = queue;
    const orderOf = orders[queue.next]!;
    queue.next = (queue.next + 1) % orders.length;
    const standing = ({ source, at }: Waiter): readonly number[] => [
      ...orderOf(addresses.get(source.address) ?? 0, at),
      ...orderOf(sources.get(source.key) ?? 0, at),
    ];
    const next = waiting.reduce((best, one) => (isBefore(standing(one), standing(best)) ? one : best));
    waiting.splice(waiting.indexOf(next), 1);
    return next;
  }

  function note(served: Map<string, number>, name: string): void {
    served.delete(name);
    served.set(name, turns);
    if (served.size > maxServed) served.delete(served.keys().next().value!);
  }

  function start(key: string, queue: Queue, { address, key: source }: Asker): Leave {
    turns += 1;
    queue.running += 1;
    note(queue.addresses, address);
    note(queue.sources, source);
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
    enter(key: string, rule: QueueRule, source: Asker, gone: AbortSignal): Promise<Leave | null> {
      const queue = queueOf(key, rule);
      if (queue.waiting.length === 0 && hasFree(queue)) return Promise.resolve(start(key, queue, source));
      return new Promise((resolve) => {
        turns += 1;
        const drop = () => {
          queue.waiting.splice(queue.waiting.indexOf(waiter), 1);
          resolve(null);
        };
        const waiter: Waiter = {
          source,
          at: turns,
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
