import type { JobItemStatus } from '@yunxun/contract';
import type { Acting } from '../../platform/acting.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { afterCommit, type Database, newId, type Tx } from '../../platform/database/index.ts';
import { enqueue } from '../../platform/jobs/index.ts';
import { isFinal, openItemStatuses, statusFrom } from './status.ts';
import {
  findItem,
  insertJob,
  itemsOf,
  type Job,
  type JobItem,
  jobsAround,
  knownJobs,
  lockJob,
  setItem,
  setJob,
  sumsOf,
  waitingSince,
  wavesOf,
} from './store.ts';
import { turnOf } from './waves.ts';

export { inWaves } from './waves.ts';

/** One thing a job does. */
export interface NewItem {
  serial?: string;
  gwid?: string | null;
  name: string;
  /** What the runner needs; never a secret. */
  detail?: unknown;
  /** It begins when every item of lower waves has ended well (`inWaves`); without one all begin at once. */
  wave?: number;
}

export interface NewJob {
  /** Names the runner. */
  type: string;
  params?: unknown;
  items: readonly NewItem[];
}

/** How an item ended, or that it waits for its device. `reason` is a key of the web's catalogue (`job.…`) or the device's own words. */
export interface Outcome {
  status: Exclude<JobItemStatus, 'queued' | 'running'>;
  reason?: string | null;
  detail?: unknown;
}

/**
 * Does one item. Called again for an item that was `running` when a process died, and after a rejection (`mostTries`
 * times), so it must find out what happened before it acts.
 */
export type JobRunner = (item: JobItem, job: Job) => Promise<Outcome>;

export type Jobs = ReturnType<typeof createJobs>;

/** Items of one job that run at the same time. */
const itemsAtOnce = 16;
/** Runs of a job in which its runner may fail (within about two minutes); then the item has failed. */
const mostTries = 5;
const toRun: readonly JobItemStatus[] = ['queued', 'running'];
/** What is left of a job when a wave before it did not end well. */
const waveStopped = { status: 'cancelled', reason: 'job.wave_stopped' } as const;
/** Days an item waits for its device. */
const waitDays = 30;

/** Long work as rows: created in the caller's transaction, run in the background, resumed after a crash. */
export function createJobs(deps: { database: Database; bus: Bus; clock: Clock }) {
  const { database, bus, clock } = deps;
  const runners = new Map<string, JobRunner>();
  let stopping = false;

  /** One run of a job at a time: the items of a second run could be under way in the first. */
  function start(tx: Tx, accountId: string, jobId: string): Promise<void> {
    return enqueue(tx, 'job', { accountId, jobId }, { key: `job:${jobId}`, queue: `job:${jobId}` });
  }

  function announce(tx: Tx, accountId: string, jobId: string): void {
    afterCommit(tx, () => bus.publish(`live.${accountId}`, { type: 'job', job_id: jobId }));
  }

  async function settle(tx: Tx, accountId: string, jobId: string): Promise<void> {
    const sums = (await sumsOf(tx, accountId, [jobId])).get(jobId)!;
    const status = statusFrom(sums);
    const open = openItemStatuses.some((state) => (sums[state] ?? 0) > 0);
    await setJob(tx, { account_id: accountId, id: jobId }, { status, finished_at: open ? null : clock.now() });
    announce(tx, accountId, jobId);
  }

  /** Writes an outcome down, unless the item is in none of the given states any more: a definite one never changes. */
  async function finishItem(item: JobItem, outcome: Outcome, from = openItemStatuses): Promise<void> {
    await database.withSystem(async (tx) => {
      await lockJob(tx, item.account_id, item.job_id);
      const current = await findItem(tx, item);
      if (!current || !from.includes(current.status)) return;
      const final = isFinal(outcome.status);
      // what it would wait for has happened already
      const again = !final && current.status === 'running' && current.woken;
      await setItem(tx, item, {
        status: again ? 'queued' : outcome.status,
        reason: outcome.reason ?? null,
        finished_at: final ? clock.now() : null,
        woken: false,
        ...(outcome.detail === undefined ? {} : { detail: outcome.detail }),
      });
      await settle(tx, item.account_id, item.job_id);
      const turn = final ? turnOf(await wavesOf(tx, item.account_id, item.job_id)) : null;
      if (again || (turn !== null && turn.wave > item.wave)) await start(tx, item.account_id, item.job_id);
    });
  }

  async function runItem(runner: JobRunner, job: Job, item: JobItem, lastTry: boolean): Promise<void> {
    const begun = await database.withSystem(async (tx) => {
      await lockJob(tx, item.account_id, item.job_id);
      const current = await findItem(tx, item);
      if (!current || !toRun.includes(current.status)) return null;
      await setItem(tx, item, { status: 'running', started_at: current.started_at ?? clock.now(), woken: false });
      await settle(tx, item.account_id, item.job_id);
      return current;
    });
    if (!begun) return;
    try {
      await finishItem(begun, await runner(begun, job));
    } catch (error) {
      // a program that stops interrupts its runners: the next one takes the item up again
      if (lastTry && !stopping) await finishItem(begun, { status: 'failed', reason: 'job.internal' });
      throw error;
    }
  }

  async function runJob({ accountId, jobId }: { accountId: string; jobId: string }, attempt = 1): Promise<void> {
    const found = await database.withSystem(async (tx) => {
      const job = await lockJob(tx, accountId, jobId);
      if (!job) return null;
      const turn = turnOf(await wavesOf(tx, accountId, jobId));
      const items = await itemsOf(tx, accountId, jobId, toRun);
      if (turn?.stopped) {
        for (const item of items) await setItem(tx, item, { ...waveStopped, finished_at: clock.now() });
        await settle(tx, accountId, jobId);
        return null;
      }
      return { job, items: items.filter(({ wave }) => wave === turn?.wave) };
    });
    if (!found) return;
    const { type } = found.job;
    const runner: JobRunner =
      runners.get(type) ?? (() => Promise.reject(new Error(`nothing runs jobs of type ${type}`)));
    const queue = [...found.items];
    const failures: unknown[] = [];
    const worker = async () => {
      for (let item = queue.shift(); item; item = queue.shift()) {
        await runItem(runner, found.job, item, attempt >= mostTries).catch((error: unknown) => failures.push(error));
      }
    };
    await Promise.all(Array.from({ length: Math.min(itemsAtOnce, queue.length) }, worker));
    // the queue tries again; finished items stay finished
    if (failures.length > 0) throw failures[0];
  }

  return {
    /** Says what does the items of a type of job. */
    register(type: string, runner: JobRunner): void {
      runners.set(type, runner);
    },

    /** Makes a job in the caller's transaction; it starts with the commit. @returns its id */
    async create(tx: Tx, acting: Acting, given: NewJob): Promise<string> {
      const id = newId();
      const now = clock.now();
      const empty = given.items.length === 0;
      await insertJob(
        tx,
        {
          account_id: acting.accountId,
          id,
          type: given.type,
          status: empty ? 'succeeded' : 'queued',
          total: given.items.length,
          params: given.params ?? {},
          created_by: acting.userId,
          operator: acting.actor?.name ?? acting.source,
          created_at: now,
          finished_at: empty ? now : null,
        },
        given.items.map((item, seq) => ({
          account_id: acting.accountId,
          job_id: id,
          seq,
          serial: item.serial ?? null,
          gwid: item.gwid ?? null,
          name: item.name,
          status: 'queued',
          reason: null,
          detail: item.detail ?? null,
          wave: item.wave ?? 0,
          started_at: null,
          finished_at: null,
        })),
      );
      if (!empty) await start(tx, acting.accountId, id);
      announce(tx, acting.accountId, id);
      return id;
    },

    /** Cancels what has not started. @returns how many items that were */
    async cancel(tx: Tx, accountId: string, jobId: string): Promise<number> {
      await lockJob(tx, accountId, jobId);
      const items = await itemsOf(tx, accountId, jobId, ['queued', 'waiting_offline']);
      for (const item of items) await setItem(tx, item, { status: 'cancelled', finished_at: clock.now() });
      if (items.length > 0) await settle(tx, accountId, jobId);
      return items.length;
    },

    /**
     * Takes up again what waited for a device that is back. What is being worked on is marked: it may have found the
     * device away just before, and must not wait for a return that was.
     */
    async wake(accountId: string, serial: string): Promise<void> {
      // asked for every device that connects, and nearly always for nothing: not worth a transaction
      if ((await jobsAround(database.system, accountId, serial)).length === 0) return;
      await database.withSystem(async (tx) => {
        for (const jobId of await jobsAround(tx, accountId, serial)) {
          await lockJob(tx, accountId, jobId);
          const items = (await itemsOf(tx, accountId, jobId, ['waiting_offline', 'running'])).filter(
            (item) => item.serial === serial,
          );
          for (const item of items)
            await setItem(tx, item, item.status === 'running' ? { woken: true } : { status: 'queued' });
          if (items.every((item) => item.status === 'running')) continue;
          await settle(tx, accountId, jobId);
          await start(tx, accountId, jobId);
        }
      });
    },

    /** Background tasks: `job` runs one, `job-expire` gives up on items whose device stayed away. */
    tasks: {
      job: runJob,
      'job-expire': async () => {
        const before = new Date(clock.now().getTime() - waitDays * 86_400_000);
        const items = await database.withSystem((tx) => waitingSince(tx, before, 1000));
        for (const item of items)
          await finishItem(item, { status: 'failed', reason: 'job.expired' }, ['waiting_offline']);
      },
    },
    schedules: [{ task: 'job-expire', cron: '17 * * * *' }],
    /** Before the workers stop: what is interrupted from now on has not failed. */
    stop(): void {
      stopping = true;
    },
    /** Says which ids of a request exist in its scope. */
    objects: { job: knownJobs },
  };
}
