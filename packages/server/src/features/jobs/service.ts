import type { Acting } from '../../platform/acting.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { afterCommit, type Database, newId, type Tx } from '../../platform/database/index.ts';
import { invalid } from '../../platform/failure.ts';
import { enqueue } from '../../platform/jobs/index.ts';
import { expireWaiting } from './expiry.ts';
import { remember } from './remember.ts';
import { type BatchRunner, type Ended, type JobRunner, type Runner, runItems, runnerOf } from './runner.ts';
import { isFinal, openItemStatuses, type Sums, statusFrom } from './status.ts';
import {
  beginItems,
  type ItemChange,
  insertJob,
  itemsAt,
  itemsOf,
  type Job,
  type JobItem,
  jobsAround,
  knownJobs,
  lockJob,
  moveItems,
  setItems,
  setJob,
  wavesOf,
} from './store.ts';
import {
  decideWaveStart,
  isInProgress,
  itemsFrom,
  nextWaveTurn,
  promoteCanaries,
  type Stop,
  stopOf,
  succeededBefore,
  type WaveCount,
  type WavePlan,
} from './waves.ts';

export type { BatchRunner, HealthCheck, IsConnected, JobRunner, Outcome } from './runner.ts';
export type { Job, JobItem } from './store.ts';
export type { Stop, WavePlan } from './waves.ts';

export interface NewItem {
  serial?: string;
  gwid?: string | null;
  name: string;
  /** Never a secret. */
  detail?: unknown;
  /** After lower waves (`waveSizes`); missing: at once. */
  wave?: number;
}

export interface NewJob {
  type: string;
  params?: unknown;
  items: readonly NewItem[];
  plan?: WavePlan;
  /** Missing: at once. */
  startAt?: Date | undefined;
}

export interface Cancelling {
  cancelled: number;
  /** Devices may execute these. */
  goingOn: readonly JobItem[];
}

export interface JobDeps {
  database: Database;
  bus: Bus;
  clock: Clock;
}

export type Jobs = ReturnType<typeof createJobService>;

/** About two minutes. */
const maxTries = 5;
/** Milliseconds, for the bus. */
const busRetryMs = 2000;
const toRun = ['queued', 'running'] as const;
/** Reason of items after a failed wave. */
const waveStopped = 'job.wave_stopped';
/** Milliseconds between checks of waiting items. */
const recheckIntervalMs = 15 * 60_000;

/** Stores long work as rows, in the caller's transaction; a crash only interrupts it. */
export function createJobService(deps: JobDeps) {
  const { database, bus, clock } = deps;
  const runners = new Map<string, Runner>();
  let stopping = false;

  /** Serialises runs, which would start the same items. */
  function start(tx: Tx, accountId: string, jobId: string, runAt?: Date): Promise<void> {
    // a delayed run must not replace an immediate one
    const when = runAt ? { key: `job-at:${jobId}`, runAt } : { key: `job:${jobId}` };
    return enqueue(tx, 'job', { accountId, jobId }, { ...when, queue: `job:${jobId}` });
  }

  function announce(tx: Tx, accountId: string, jobId: string): void {
    afterCommit(tx, () => bus.publish(`live.${accountId}`, { type: 'job', job_id: jobId }));
  }

  async function settle(tx: Tx, job: Pick<Job, 'account_id' | 'id' | 'status'>): Promise<WaveCount[]> {
    const counts = await wavesOf(tx, job.account_id, job.id);
    const sums: Sums = {};
    for (const { status, count } of counts) sums[status] = (sums[status] ?? 0) + count;
    const status = statusFrom(sums);
    const open = openItemStatuses.some((state) => (sums[state] ?? 0) > 0);
    if (status !== job.status || !open) await setJob(tx, job, { status, finished_at: open ? null : clock.now() });
    announce(tx, job.account_id, job.id);
    return counts;
  }

  /** Never changes final outcomes. */
  async function finishItems(
    key: { accountId: string; jobId: string },
    ended: readonly Ended[],
    from = openItemStatuses,
  ): Promise<void> {
    const { accountId, jobId } = key;
    const outcomes = new Map(ended.map(({ item, outcome }) => [item.seq, outcome]));
    await database.withSystem(async (tx) => {
      const job = await lockJob(tx, accountId, jobId);
      if (!job) return;
      const current = await itemsAt(tx, job, [...outcomes.keys()], from);
      const changes = current.map((item) => afterwards(item, outcomes.get(item.seq)!, clock.now()));
      if (changes.length === 0) return;
      await setItems(tx, job, changes);
      const counts = await settle(tx, job);
      const again = changes.some(({ status, not_before }) => status === 'queued' && !not_before);
      const times = changes.flatMap(({ not_before }) => not_before ?? []);
      const over = changes.some(({ status }) => isFinal(status) || (job.plan !== null && status !== 'queued'));
      const turn = over ? nextWaveTurn(counts, job.plan) : null;
      const wave = Math.max(...current.map((item) => item.wave));
      if (again || (turn !== null && turn.wave > wave)) await start(tx, accountId, jobId);
      if (times.length > 0) await start(tx, accountId, jobId, earliest(times));
    });
  }

  function beginning({ account_id, id }: Job) {
    return (items: readonly JobItem[]): Promise<JobItem[]> =>
      database.withSystem(async (tx) => {
        const now = await lockJob(tx, account_id, id);
        if (!now) return [];
        const seqs = items.map(({ seq }) => seq);
        const begun = await beginItems(tx, now, seqs, toRun, clock.now());
        if (begun.length > 0 && now.status !== 'running') await settle(tx, now);
        return begun;
      });
  }

  async function cancelItems(tx: Tx, job: Job, items: readonly JobItem[], reason: string | null): Promise<void> {
    const finished_at = clock.now();
    await setItems(
      tx,
      job,
      items.map(({ seq, ...item }) => ({ seq, status: 'cancelled', reason: reason ?? item.reason, finished_at })),
    );
    const waited = items.filter(({ started_at }) => started_at !== null);
    if (waited.length > 0) await runners.get(job.type)?.cancelled(tx, waited);
  }

  /** Cancels queued items; a stopping plan also those that wait for devices. Executing commands continue. */
  async function cancelRemaining(tx: Tx, job: Job, stopped: Stop | null): Promise<null> {
    const { account_id, id } = job;
    const left = await itemsOf(tx, account_id, id, stopped ? ['queued', 'waiting_offline'] : ['queued']);
    const items = left.filter((item) => !isInProgress(item));
    await cancelItems(tx, job, items, waveStopped);
    if (stopped) await setJob(tx, { account_id, id }, { stopped });
    await settle(tx, job);
    return null;
  }

  /** Replaces canaries that proved nothing; without online candidates the job retries later. */
  async function promote(
    job: Job,
    items: readonly JobItem[],
    wave: number,
    { plan, vacancy }: { plan: WavePlan; vacancy: 'left_out' | 'away' },
  ): Promise<void> {
    const { account_id: accountId, id } = job;
    const online = (await runners.get(job.type)?.onlineItems(itemsFrom(items, wave), job)) ?? new Set<number>();
    const next = promoteCanaries(items, wave, plan, { vacancy, online });
    const place = Math.min(...items.map((item) => item.wave));
    await database.withSystem(async (tx) => {
      const current = await lockJob(tx, accountId, id);
      if (!current) return;
      const seqs = next.map(({ seq }) => seq);
      if (seqs.length > 0) await moveItems(tx, current, seqs, place);
      await start(tx, accountId, id, seqs.length > 0 ? undefined : new Date(clock.now().getTime() + recheckIntervalMs));
    });
  }

  /** Returns whether a planned wave may start; schedules a later run, or stops after too many failures. */
  async function canStartWave(job: Job, wave: number, plan: WavePlan): Promise<boolean> {
    const { account_id: accountId, id } = job;
    const items = await database.withSystem((tx) => itemsOf(tx, accountId, id));
    const waveStart = decideWaveStart(items, wave, plan);
    if (waveStart.open) return true;
    if (waveStart.vacancy) {
      await promote(job, items, wave, { plan, vacancy: waveStart.vacancy });
      return false;
    }
    if (waveStart.until === null) return false;
    if (clock.now() < waveStart.until) {
      await database.withSystem((tx) => start(tx, accountId, id, waveStart.until ?? undefined));
      return false;
    }
    const healthy = succeededBefore(items, wave);
    const unhealthy = (await runners.get(job.type)?.health(healthy, job)) ?? new Map<number, string>();
    const stopped = stopOf(items, wave, unhealthy, plan);
    if (!stopped) return true;
    await database.withSystem(async (tx) => {
      const current = await lockJob(tx, accountId, id);
      if (current) await cancelRemaining(tx, current, stopped);
    });
    return false;
  }

  async function runJob({ accountId, jobId }: { accountId: string; jobId: string }, attempt = 1): Promise<void> {
    // not an attempt: no command can be sent
    const away = await bus.check().then(
      () => false,
      () => true,
    );
    if (away) {
      const again = new Date(Date.now() + busRetryMs);
      return database.withSystem((tx) => start(tx, accountId, jobId, again));
    }
    const found = await database.withSystem(async (tx) => {
      const job = await lockJob(tx, accountId, jobId);
      if (!job) return null;
      const turn = nextWaveTurn(await wavesOf(tx, accountId, jobId), job.plan);
      if (turn?.stopped) return cancelRemaining(tx, job, null);
      const own = (await itemsOf(tx, accountId, jobId, toRun)).filter(({ wave }) => wave === turn?.wave);
      const now = clock.now();
      const items = own.filter(({ not_before }) => not_before === null || not_before <= now);
      const times = own.flatMap(({ not_before }) => not_before ?? []);
      // a delayed item's run may be lost
      if (items.length === 0 && times.length > 0) await start(tx, accountId, jobId, earliest(times));
      return { job, turn, items };
    });
    if (!found || found.items.length === 0) return;
    const { job, turn, items } = found;
    if (job.plan && turn && !(await canStartWave(job, turn.wave, job.plan))) return;
    const runner =
      runners.get(job.type) ??
      runnerOf(() => Promise.reject(new Error(`no runner is registered for jobs of type ${job.type}`)));
    await runItems(items, job, runner, {
      begin: beginning(job),
      finish: (ended) => finishItems({ accountId, jobId }, ended),
      // the next process resumes the items
      isLast: () => attempt >= maxTries && !stopping,
    });
  }

  /** Wakes items; `but`: a job that knows of the return. */
  async function wakeAll(
    accountId: string,
    devices: readonly { serial: string; but?: string | undefined }[],
  ): Promise<void> {
    const knowing = new Map(devices.map(({ serial, but }) => [serial, but]));
    // at every connect, rarely needed: no transaction
    const around = await jobsAround(database.system, accountId, [...knowing.keys()]);
    const others = around.filter(({ job_id, serial }) => serial !== null && knowing.get(serial) !== job_id);
    for (const jobId of new Set(others.map(({ job_id }) => job_id))) {
      const serials = others.flatMap(({ job_id, serial }) => (job_id === jobId ? (serial ?? []) : []));
      await database.withSystem(async (tx) => {
        const job = await lockJob(tx, accountId, jobId);
        if (!job) return;
        const items = await itemsOf(tx, accountId, jobId, ['waiting_offline', 'running'], serials);
        const changes = items.map(
          ({ seq, status }): ItemChange =>
            status === 'running' ? { seq, status, woken: true } : { seq, status: 'queued' },
        );
        await setItems(tx, job, changes);
        if (changes.every(({ status }) => status === 'running')) return;
        await settle(tx, job);
        await start(tx, accountId, jobId);
      });
    }
  }

  return {
    register(type: string, run: JobRunner | { begin: BatchRunner }, more: Partial<Omit<Runner, 'begin'>> = {}): void {
      runners.set(type, runnerOf(run, more));
    },

    /** Starts after the caller's commit. @returns the id @throws Invalid for a past start */
    async create(tx: Tx, acting: Acting, given: NewJob): Promise<string> {
      const id = newId();
      const now = clock.now();
      // whole minutes
      if (given.startAt && given.startAt.getTime() < now.getTime() - 60_000) invalid('start_at', 'validation.future');
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
          plan: given.plan ?? null,
          stopped: null,
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
      if (!empty) await start(tx, acting.accountId, id, given.startAt);
      announce(tx, acting.accountId, id);
      return id;
    },

    /** Cancels items that no device executes; `only`: of these devices. */
    async cancel(tx: Tx, accountId: string, jobId: string, only?: ReadonlySet<string>): Promise<Cancelling> {
      const job = await lockJob(tx, accountId, jobId);
      const open = await itemsOf(tx, accountId, jobId, openItemStatuses);
      const chosen = only ? open.filter(({ serial }) => serial !== null && only.has(serial)) : open;
      const goingOn = chosen.filter(isInProgress);
      const items = chosen.filter((item) => !isInProgress(item));
      if (!job || items.length === 0) return { cancelled: 0, goingOn };
      await cancelItems(tx, job, items, null);
      await settle(tx, job);
      return { cancelled: items.length, goingOn };
    },

    /** Wakes items of a returned device. Marks running ones, which may have found it offline just before. */
    async wake(accountId: string, serial: string, but?: string): Promise<void> {
      await wakeAll(accountId, [{ serial, but }]);
    },

    wakeAll,

    remember,

    tasks: {
      job: runJob,
      'job-expire': () => expireWaiting(deps, finishItems),
    },
    schedules: [{ task: 'job-expire', cron: '17 * * * *' }],
    /** Treats later interruptions as no failures; call before the workers stop. */
    stop(): void {
      stopping = true;
    },
    objects: { job: knownJobs },
  };
}

function afterwards(item: JobItem, outcome: Ended['outcome'], now: Date): ItemChange {
  const { seq } = item;
  const reason = outcome.reason ?? null;
  if (outcome.status === 'queued') {
    const not_before = earliest([outcome.notBefore, new Date(now.getTime() + recheckIntervalMs)]);
    return { seq, status: 'queued', reason, not_before, started_at: null, woken: false };
  }
  const final = isFinal(outcome.status);
  const again = !final && item.status === 'running' && item.woken;
  return {
    seq,
    reason,
    woken: false,
    status: again ? 'queued' : outcome.status,
    finished_at: final ? now : null,
    ...(outcome.detail === undefined ? {} : { detail: outcome.detail }),
  };
}

function earliest(times: readonly Date[]): Date {
  return new Date(Math.min(...times.map(Number)));
}
