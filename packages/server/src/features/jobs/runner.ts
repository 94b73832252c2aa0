import type { JobItemStatus } from '@yunxun/contract';
import { createBatcher } from '../../platform/batcher.ts';
import { BusAway } from '../../platform/bus/index.ts';
import type { Tx } from '../../platform/database/index.ts';
import type { Job, JobItem } from './store.ts';

/** `queued`: waits for a time. `reason`: catalogue key (`job.…`) or device text. */
export type Outcome =
  | { status: Exclude<JobItemStatus, 'queued' | 'running'>; reason?: string | null; detail?: unknown }
  | { status: 'queued'; reason: string; notBefore: Date };

/** Repeats after a crash or rejection (`maxTries` times), so it first finds out what an earlier run did. */
export type JobRunner = (item: JobItem, job: Job) => Promise<Outcome>;

/** Shares work. @returns a continuation per item, in order */
export type BatchRunner = (items: readonly JobItem[], job: Job) => Promise<readonly (() => Promise<Outcome>)[]>;

/** Returns reasons (catalogue keys) of unhealthy devices by item number. */
export type HealthCheck = (items: readonly JobItem[], job: Job) => Promise<ReadonlyMap<number, string>>;

/** Returns numbers of items with online devices. */
export type IsConnected = (items: readonly JobItem[], job: Job) => Promise<ReadonlySet<number>>;

/** Runs in the cancelling transaction. */
export type Cancelled = (tx: Tx, items: readonly JobItem[]) => Promise<void>;

export interface Runner {
  begin: BatchRunner;
  health: HealthCheck;
  onlineItems: IsConnected;
  cancelled: Cancelled;
  /** Maximum concurrent items per job. */
  atOnce: number;
  batchSize: number;
}

const itemsAtOnce = 16;

export function runnerOf(run: JobRunner | { begin: BatchRunner }, more: Partial<Omit<Runner, 'begin'>> = {}): Runner {
  const begin: BatchRunner =
    typeof run === 'function' ? async (items, job) => items.map((item) => () => run(item, job)) : run.begin;
  const usual = { atOnce: itemsAtOnce, batchSize: itemsAtOnce, health: async () => new Map<number, string>() };
  const onlineItems: IsConnected = async (items) => new Set(items.map(({ seq }) => seq));
  return { ...usual, onlineItems, cancelled: async () => undefined, ...more, begin };
}

export interface Ended {
  item: JobItem;
  outcome: Outcome;
}

export interface RunDeps {
  begin(items: readonly JobItem[]): Promise<JobItem[]>;
  finish(ended: readonly Ended[]): Promise<void>;
  isLast(): boolean;
}

/** Batch size, and delay in milliseconds. */
const outcomes = { max: 200, waitMs: 200 };

/**
 * Leaves a failed item `running` for the next run, unless it was the last.
 * @throws the first failure, after all items
 */
export async function runItems(items: readonly JobItem[], job: Job, runner: Runner, deps: RunDeps): Promise<void> {
  const { atOnce, batchSize, begin } = runner;
  const queue = [...items];
  const failures: unknown[] = [];
  const working = new Set<Promise<void>>();
  const finish = createBatcher<Ended, undefined>(
    async (ended) => {
      await deps.finish(ended);
      return ended.map(() => undefined);
    },
    { ...outcomes, coming: () => working.size },
  );
  let free: () => void = () => undefined;

  async function fail(item: JobItem, error: unknown): Promise<void> {
    failures.push(error);
    if (!(error instanceof BusAway) && deps.isLast())
      await finish({ item, outcome: { status: 'failed', reason: 'job.internal' } });
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

  // several free slots share transactions; not all, because an item may hang
  const least = Math.min(batchSize, Math.ceil(atOnce / 8));
  while (queue.length > 0) {
    while (atOnce - working.size < Math.min(least, queue.length))
      await new Promise<void>((resolve) => {
        free = resolve;
      });
    const some = queue.splice(0, Math.min(batchSize, atOnce - working.size));
    try {
      const begun = await deps.begin(some);
      if (begun.length === 0) continue;
      const works = await begin(begun, job).catch((error: unknown) => {
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
