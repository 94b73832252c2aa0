import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { makeWorkerUtils, run, runMigrations, type TaskList } from 'graphile-worker';
import { sql } from 'kysely';
import type pg from 'pg';
import type { Database, Tx } from '../database/index.ts';
import type { Log } from '../log.ts';
import { watchEventLoop } from './event-loop.ts';

/** By task name. Rejections are retried with back-off; `attempt` counts from 1. */
export type Tasks = Readonly<Record<string, (payload: never, attempt: number) => Promise<void>>>;

/** Crontab fields in UTC. Waits while the event loop is late. */
export interface Schedule {
  task: string;
  cron: string;
  /** One run at a time across processes. Of any task at most one run waits. */
  exclusive?: true;
}

export interface EnqueueOptions {
  key?: string;
  runAt?: Date;
  /** One task of a queue at a time, across processes. */
  queue?: string;
}

export async function prepareQueue(database: Database): Promise<void> {
  await database.withSystem(async (tx) => {
    await sql`select pg_advisory_xact_lock(${0x79756e79})`.execute(tx);
    await runMigrations({ pgPool: database.systemPool });
    await sql`create schema if not exists job_queue`.execute(tx);
    await sql`create table if not exists job_queue.worker (worker_id text primary key, process_lock bigint not null)`.execute(
      tx,
    );
    await sql`
      create or replace function job_queue.add(task text, payload json, job_key text, run_at timestamptz, queue text) returns void
      language plpgsql security definer set search_path = pg_catalog as $$ begin
        -- nothing is added when a worker takes the work of that key at this very moment: it may not see what this is about
        while (graphile_worker.add_job(task, payload, queue_name => queue, run_at => run_at, job_key => job_key)).id is null
        loop end loop;
      end $$`.execute(tx);
    await sql`revoke all on function job_queue.add(text, json, text, timestamptz, text) from public`.execute(tx);
    await sql`grant usage on schema job_queue to yunxun_app`.execute(tx);
    await sql`grant execute on function job_queue.add(text, json, text, timestamptz, text) to yunxun_app`.execute(tx);
  });
}

export async function enqueue(tx: Tx, task: string, payload: unknown, options: EnqueueOptions = {}): Promise<void> {
  await sql`select job_queue.add(${task}, ${JSON.stringify(payload)}::json, ${options.key ?? null}, ${options.runAt ?? null}, ${options.queue ?? null})`.execute(
    tx,
  );
}

export interface Workers {
  stop(): Promise<void>;
}

const sweepSeconds = 30;
/** Milliseconds: maximum wait for the event loop, check interval. */
const [maxIdleWait, idleCheck] = [10_000, 500];
const againAfter = 1000;

/**
 * Runs tasks until stopped, those of dead processes included. Graphile Worker stops for good when it loses the
 * database; the workers then restart until that succeeds.
 */
export async function startWorkers(
  database: Database,
  tasks: Tasks,
  schedules: readonly Schedule[],
  log: Log,
  { concurrency = 16, isLate }: { concurrency?: number; isLate?: () => boolean } = {},
): Promise<Workers> {
  const stopping = new AbortController();
  const watch = isLate ? null : watchEventLoop();
  const whenIdle = untilIdle(isLate ?? watch!.isLate, stopping.signal);
  const begin = () => beginWorkers(database, { tasks, schedules, whenIdle }, log, concurrency);
  let current: Running | null = await begin();
  const keepGoing = async () => {
    while (!stopping.signal.aborted) {
      await current?.ended;
      if (stopping.signal.aborted) return;
      if (current) log.error('background work ended by itself; starting it again');
      await current?.stop();
      current = await begin().catch((error: unknown) => {
        log.warn({ err: error }, 'background work does not start yet');
        return null;
      });
      if (!current) await delay(againAfter, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const going = keepGoing();
  return {
    async stop() {
      stopping.abort();
      watch?.stop();
      await current?.stop();
      await going;
      await current?.stop();
    },
  };
}

interface Running {
  ended: Promise<void>;
  stop(): Promise<void>;
}

function untilIdle(isLate: () => boolean, signal: AbortSignal): () => Promise<void> {
  return async () => {
    for (let waited = 0; isLate() && waited < maxIdleWait && !signal.aborted; waited += idleCheck)
      await delay(idleCheck, undefined, { signal }).catch(() => undefined);
  };
}

interface Work {
  tasks: Tasks;
  schedules: readonly Schedule[];
  whenIdle(): Promise<void>;
}

/**
 * Queues exclusive tasks. A job key replaces the waiting job: late runs do not pile up, nor those of the minutes that a
 * clock leaps over.
 */
export function crontabLine({ task, cron, exclusive }: Schedule): string {
  return `${cron} ${task} ?jobKey=${task}${exclusive ? `&queue=${task}` : ''}`;
}

async function beginWorkers(database: Database, work: Work, log: Log, concurrency: number): Promise<Running> {
  const alive = await holdProcessLock(database.systemPool);
  const releases: (() => unknown)[] = [alive.release];
  try {
    await releaseDead(database, log);
    const events = new EventEmitter();
    const registrations: Promise<unknown>[] = [];
    // tasks are locked under the pool's id
    events.on('pool:create', ({ workerPool }: { workerPool: { id: string } }) => {
      registrations.push(
        database.systemPool.query('insert into job_queue.worker (worker_id, process_lock) values ($1, $2)', [
          workerPool.id,
          alive.lock,
        ]),
      );
    });
    const runner = await run({
      pgPool: database.systemPool,
      // batching stops Graphile Worker when it cannot store a result; without it the failure is silent
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      taskList: taskListOf(database, work),
      crontab: [...work.schedules, tidying].map(crontabLine).join('\n'),
      concurrency,
      pollInterval: 1000,
      noHandleSignals: true,
      events: events as never,
      logger: quietLogger(log),
    });
    const runnerEnded = runner.promise.catch(() => undefined);
    releases.unshift(async () => {
      await runner.stop().catch(() => undefined);
      await runnerEnded;
    });
    await Promise.all(registrations);
    const sweep = setInterval(() => {
      releaseDead(database, log).catch((error) => log.warn({ err: error }, 'looking for dead workers'));
    }, sweepSeconds * 1000);
    releases.unshift(() => clearInterval(sweep));
    let stopped: Promise<void> | undefined;
    const stop = async () => {
      for (const release of releases.slice(0, -1)) await release();
      await database.systemPool
        .query('delete from job_queue.worker where process_lock = $1', [alive.lock])
        .catch(() => undefined);
      alive.release();
    };
    return {
      ended: Promise.race([runnerEnded, alive.lost]),
      stop: () => {
        stopped ??= stop();
        return stopped;
      },
    };
  } catch (error) {
    for (const release of releases) await release();
    throw error;
  }
}

/** Graphile Worker keeps a row per used queue name until then. */
const tidying: Schedule = { task: 'queue-tidy', cron: '41 3 * * *' };

function taskListOf(database: Database, { tasks, schedules, whenIdle }: Work): TaskList {
  const patient = new Set(schedules.map(({ task }) => task));
  const list: TaskList = {
    async [tidying.task]() {
      const utils = await makeWorkerUtils({ pgPool: database.systemPool });
      await utils.cleanup({ tasks: ['GC_JOB_QUEUES'] }).finally(() => utils.release());
    },
  };
  for (const [name, work] of Object.entries(tasks))
    list[name] = async (payload, { job }) => {
      if (patient.has(name)) await whenIdle();
      await work(payload as never, job.attempts);
    };
  return list;
}

interface ProcessLock {
  lock: number;
  lost: Promise<void>;
  release(): void;
}

/** Takes a session lock, which ends with the process. */
async function holdProcessLock(pool: pg.Pool): Promise<ProcessLock> {
  const lock = Number.parseInt(randomUUID().slice(0, 8), 16);
  const client = await pool.connect();
  const lost = new Promise<void>((resolve) => {
    client.on('error', () => resolve());
    client.on('end', () => resolve());
  });
  try {
    await client.query('select pg_advisory_lock($1, $2)', [lockSpace, lock | 0]);
  } catch (error) {
    client.release(true);
    throw error;
  }
  return { lock: lock | 0, lost, release: () => client.release(true) };
}

const lockSpace = 0x79756e;

/** Unlocks tasks of dead workers, for which Graphile Worker waits four hours. */
async function releaseDead(database: Database, log: Log): Promise<void> {
  const { rows } = await database.systemPool.query<{ worker_id: string }>(
    `delete from job_queue.worker w where not exists (
       select 1 from pg_locks l where l.locktype = 'advisory' and l.classid = $1 and l.objid = (w.process_lock & 4294967295)::oid
         and l.database = (select oid from pg_database where datname = current_database()))
     returning worker_id`,
    [lockSpace],
  );
  if (rows.length === 0) return;
  const dead = rows.map((row) => row.worker_id);
  await database.systemPool.query('select graphile_worker.force_unlock_workers($1::text[])', [dead]);
  log.info({ workers: dead.length }, 'took over the work of a process that died');
}

function quietLogger(log: Log) {
  return {
    scope: () => quietLogger(log),
    error: (message: string, meta?: object) => log.error({ ...meta }, message),
    // more tasks than connections are meant: a task seldom holds one
    warn(message: string, meta: object = {}) {
      if (!('concurrency' in meta)) log.warn({ ...meta }, message);
    },
    info: () => undefined,
    debug: () => undefined,
  } as never;
}
