import type { JobItemStatus } from '@yunxun/contract';
import type { Tx } from '../../platform/database/index.ts';
import { gathered } from '../../platform/gathered.ts';
import type { Job, JobItem } from './store.ts';

/**
 * How an item ended, or that it waits: for its device, or (`queued`) until its time comes. `reason` is a key of the web's
 * catalogue (`job.…`) or the device's own words.
 */
export type Outcome =
  | { status: Exclude<JobItemStatus, 'queued' | 'running'>; reason?: string | null; detail?: unknown }
  | { status: 'queued'; reason: string; notBefore: Date };

/**
 * Does one item. Called again for an item that was `running` when a process died, and after a rejection (`mostTries`
 * times), so it must find out what happened before it acts.
 */
export type JobRunner = (item: JobItem, job: Job) => Promise<Outcome>;

/** The same for several items of a job: what they have in common is done once. @returns how each goes on, in their order */
export type BatchRunner = (items: readonly JobItem[], job: Job) => Promise<readonly (() => Promise<Outcome>)[]>;

/**
 * How the devices of items are that ended well, between two waves of a planned job: a reason (a key of the web's
 * catalogue) for each that is unwell, by the item's number.
 */
export type HealthCheck = (items: readonly JobItem[], job: Job) => Promise<ReadonlyMap<number, string>>;

/** Which items' devices are there, by the items' numbers. */
export type WhoIsThere = (items: readonly JobItem[], job: Job) => Promise<ReadonlySet<number>>;

/** Items that waited for their devices are cancelled, in the same transaction. */
export type Cancelled = (tx: Tx, items: readonly JobItem[]) => Promise<void>;

/** What does the items of a type of job. */
export interface Runner {
  begin: BatchRunner;
  health: HealthCheck;
  there: WhoIsThere;
  cancelled: Cancelled;
  /** Items of one job that are under way at the same time. */
  atOnce: number;
  /** Items that are begun together, at the most. */
  together: number;
}

const itemsAtOnce = 16;

/** A runner, with what is usual where it says nothing. */
export function runnerOf(run: JobRunner | { begin: BatchRunner }, more: Partial<Omit<Runner, 'begin'>> = {}): Runner {
  const begin: BatchRunner =
    typeof run === 'function' ? async (items, job) => items.map((item) => () => run(item, job)) : run.begin;
  const usual = { atOnce: itemsAtOnce, together: itemsAtOnce, health: async () => new Map<number, string>() };
  const there: WhoIsThere = async (items) => new Set(items.map(({ seq }) => seq));
  return { ...usual, there, cancelled: async () => undefined, ...more, begin };
}

/** An item that was begun, and what came of it. */
export interface Ended {
  item: JobItem;
  outcome: Outcome;
}

export interface RunDeps {
  /** Marks items as running. @returns those that may be done */
  begin(items: readonly JobItem[]): Promise<JobItem[]>;
  /** Writes down what came of items. */
  finish(ended: readonly Ended[]): Promise<void>;
  /** Whether a failure is the item's end. */
  isLast(): boolean;
}

/** Outcomes are written together: so many at the most, waiting so many milliseconds for each other. */
const outcomes = { most: 200, waitMs: 200 };

/**
 * Does items of a job, several at a time. One that fails stays `running` for the next run, or has failed for good.
 * @throws the first failure, when all are done
 */
export async function runItems(items: readonly JobItem[], job: Job, runner: Runner, deps: RunDeps): Promise<void> {
  const { atOnce, together, begin } = runner;
  const queue = [...items];
  const failures: unknown[] = [];
  const working = new Set<Promise<void>>();
  const finish = gathered<Ended, undefined>(
    async (ended) => {
      await deps.finish(ended);
      return ended.map(() => undefined);
    },
    { ...outcomes, coming: () => working.size },
  );
  let free: () => void = () => undefined;

  async function fail(item: JobItem, error: unknown): Promise<void> {
    failures.push(error);
    if (deps.isLast()) await finish({ item, outcome: { status: 'failed', reason: 'job.internal' } });
  }

  async function one(item: JobItem, work: () => Promise<Outcome>): Promise<void> {
    let outcome: Outcome;
    try {
      outcome = await work();
    } catch (error) {
      return fail(item, error);
    }
    await finish({ item, outcome });
  }

  function follow(work: Promise<void>): void {
    const done = work
      .catch((error: unknown) => void failures.push(error))
      .finally(() => {
        working.delete(done);
        free();
      });
    working.add(done);
  }

  // one that hangs does not keep others from their turn, nor does each place that becomes free begin one by itself
  const least = Math.min(together, Math.ceil(atOnce / 8));
  while (queue.length > 0) {
    while (atOnce - working.size < Math.min(least, queue.length))
      await new Promise<void>((resolve) => {
        free = resolve;
      });
    const some = queue.splice(0, Math.min(together, atOnce - working.size));
    try {
      const begun = await deps.begin(some);
      if (begun.length === 0) continue;
      const works = await begin(begun, job).catch((error: unknown) => {
        // each of them has failed
        return begun.map(() => () => Promise.reject(error));
      });
      for (const [at, item] of begun.entries()) follow(one(item, works[at]!));
    } catch (error) {
      failures.push(error);
    }
  }
  await Promise.all(working);
  if (failures.length > 0) throw failures[0];
}
