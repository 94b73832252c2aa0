import type { Acting } from '../../platform/acting.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { afterCommit, type Database, newId, type Tx } from '../../platform/database/index.ts';
import { invalid } from '../../platform/failure.ts';
import { enqueue } from '../../platform/jobs/index.ts';
import { type BatchRunner, type Ended, type JobRunner, type Runner, runItems, runnerOf } from './runner.ts';
import { isFinal, openItemStatuses, statusFrom } from './status.ts';
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
  type Sums,
  setItems,
  setJob,
  waitingSince,
  wavesOf,
} from './store.ts';
import {
  gateOf,
  isAbout,
  itemsFrom,
  type Stop,
  stopOf,
  successors,
  turnOf,
  type WaveCount,
  type WavePlan,
  wellBefore,
} from './waves.ts';

export { dealt, inWaves, type Sizes, sizesOf } from './deal.ts';
export type { BatchRunner, HealthCheck, JobRunner, Outcome, WhoIsThere } from './runner.ts';
export type { Job, JobItem } from './store.ts';
export type { Stop, WavePlan } from './waves.ts';

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
  /** How its waves follow each other; without one, as `turnOf` says. */
  plan?: WavePlan;
  /** It begins then; without it, at once. */
  startAt?: Date | undefined;
}

/** What came of cancelling a job. */
export interface Cancelling {
  cancelled: number;
  /** Items that their devices may be about. */
  goingOn: readonly JobItem[];
}

export type Jobs = ReturnType<typeof createJobs>;

/** Runs of a job in which its runner may fail (within about two minutes); then the item has failed. */
const mostTries = 5;
const toRun = ['queued', 'running'] as const;
/** What is left of a job when a wave before it did not end well. */
const waveStopped = 'job.wave_stopped';
/** Milliseconds after which what waits for its time, or for anybody to be there, is looked at again at the latest. */
const mostUntilLook = 15 * 60_000;
/** Days an item waits for its device. */
const waitDays = 30;

/** Long work as rows: created in the caller's transaction, run in the background, resumed after a crash. */
export function createJobs(deps: { database: Database; bus: Bus; clock: Clock }) {
  const { database, bus, clock } = deps;
  const runners = new Map<string, Runner>();
  let stopping = false;

  /** One run of a job at a time: the items of a second run could be under way in the first. */
  function start(tx: Tx, accountId: string, jobId: string, runAt?: Date): Promise<void> {
    // a later run takes no place from one that is to begin at once
    const when = runAt ? { key: `job-at:${jobId}`, runAt } : { key: `job:${jobId}` };
    return enqueue(tx, 'job', { accountId, jobId }, { ...when, queue: `job:${jobId}` });
  }

  function announce(tx: Tx, accountId: string, jobId: string): void {
    afterCommit(tx, () => bus.publish(`live.${accountId}`, { type: 'job', job_id: jobId }));
  }

  /** Makes a job's state what its items say. @returns how they stand, by wave */
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

  /** Writes outcomes down, but of items that are in none of the given states any more: a definite one never changes. */
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
      const turn = over ? turnOf(counts, job.plan) : null;
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
        // more that run leave a running job what it is
        if (begun.length > 0 && now.status !== 'running') await settle(tx, now);
        return begun;
      });
  }

  /** Ends items that have nothing under way. */
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

  /**
   * Begins nothing more of a job. A plan that is stopped gives up those too that wait for their devices: they must not get
   * it when they come back. What a device is about goes on to its end.
   */
  async function stopRest(tx: Tx, job: Job, stopped: Stop | null): Promise<null> {
    const { account_id, id } = job;
    const left = await itemsOf(tx, account_id, id, stopped ? ['queued', 'waiting_offline'] : ['queued']);
    const items = left.filter((item) => !isAbout(item));
    await cancelItems(tx, job, items, waveStopped);
    if (stopped) await setJob(tx, { account_id, id }, { stopped });
    await settle(tx, job);
    return null;
  }

  /** Has others prove what the first of a plan could not. While nobody is there who could, the job comes back later. */
  async function succeed(
    job: Job,
    items: readonly JobItem[],
    wave: number,
    { plan, vacant }: { plan: WavePlan; vacant: 'left_out' | 'away' },
  ): Promise<void> {
    const { account_id: accountId, id } = job;
    const there = (await runners.get(job.type)?.there(itemsFrom(items, wave), job)) ?? new Set<number>();
    const next = successors(items, wave, plan, { vacant, there });
    const place = Math.min(...items.map((item) => item.wave));
    await database.withSystem(async (tx) => {
      const current = await lockJob(tx, accountId, id);
      if (!current) return;
      const seqs = next.map(({ seq }) => seq);
      if (seqs.length > 0) await moveItems(tx, current, seqs, place);
      await start(tx, accountId, id, seqs.length > 0 ? undefined : new Date(clock.now().getTime() + mostUntilLook));
    });
  }

  /** Whether a planned wave may begin now. When it is too early the job comes back later; when the waves before were bad, it ends. */
  async function mayBegin(job: Job, wave: number, plan: WavePlan): Promise<boolean> {
    const { account_id: accountId, id } = job;
    const items = await database.withSystem((tx) => itemsOf(tx, accountId, id));
    const gate = gateOf(items, wave, plan);
    if (gate.open) return true;
    if (gate.vacant) {
      await succeed(job, items, wave, { plan, vacant: gate.vacant });
      return false;
    }
    if (gate.until === null) return false;
    if (clock.now() < gate.until) {
      await database.withSystem((tx) => start(tx, accountId, id, gate.until ?? undefined));
      return false;
    }
    const well = wellBefore(items, wave);
    const unwell = (await runners.get(job.type)?.health(well, job)) ?? new Map<number, string>();
    const stopped = stopOf(items, wave, unwell, plan);
    if (!stopped) return true;
    await database.withSystem(async (tx) => {
      const current = await lockJob(tx, accountId, id);
      if (current) await stopRest(tx, current, stopped);
    });
    return false;
  }

  async function runJob({ accountId, jobId }: { accountId: string; jobId: string }, attempt = 1): Promise<void> {
    const found = await database.withSystem(async (tx) => {
      const job = await lockJob(tx, accountId, jobId);
      if (!job) return null;
      const turn = turnOf(await wavesOf(tx, accountId, jobId), job.plan);
      if (turn?.stopped) return stopRest(tx, job, null);
      const own = (await itemsOf(tx, accountId, jobId, toRun)).filter(({ wave }) => wave === turn?.wave);
      const now = clock.now();
      const items = own.filter(({ not_before }) => not_before === null || not_before <= now);
      const times = own.flatMap(({ not_before }) => not_before ?? []);
      // whoever waits for its time has a run of its own; asked for again, in case it was lost
      if (items.length === 0 && times.length > 0) await start(tx, accountId, jobId, earliest(times));
      return { job, turn, items };
    });
    if (!found || found.items.length === 0) return;
    const { job, turn, items } = found;
    if (job.plan && turn && !(await mayBegin(job, turn.wave, job.plan))) return;
    const runner =
      runners.get(job.type) ?? runnerOf(() => Promise.reject(new Error(`nothing runs jobs of type ${job.type}`)));
    await runItems(items, job, runner, {
      begin: beginning(job),
      finish: (ended) => finishItems({ accountId, jobId }, ended),
      // a program that stops interrupts its runners: the next one takes the items up again
      isLast: () => attempt >= mostTries && !stopping,
    });
  }

  /** Takes up again what waited for several devices of an account; `but`: a job that knows of the device's return. */
  async function wakeAll(
    accountId: string,
    devices: readonly { serial: string; but?: string | undefined }[],
  ): Promise<void> {
    const knowing = new Map(devices.map(({ serial, but }) => [serial, but]));
    // asked for every device that connects, and nearly always for nothing: not worth a transaction
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
    /** Says what does the items of a type of job, how many at a time, and how one sees that their devices are well. */
    register(type: string, run: JobRunner | { begin: BatchRunner }, more: Partial<Omit<Runner, 'begin'>> = {}): void {
      runners.set(type, runnerOf(run, more));
    },

    /** Makes a job in the caller's transaction; it starts with the commit. @returns its id @throws Invalid of a start in the past */
    async create(tx: Tx, acting: Acting, given: NewJob): Promise<string> {
      const id = newId();
      const now = clock.now();
      // a minute is what people choose
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

    /** Cancels what nobody is about; `only`: of these devices. What a device is about goes on to its end. */
    async cancel(tx: Tx, accountId: string, jobId: string, only?: ReadonlySet<string>): Promise<Cancelling> {
      const job = await lockJob(tx, accountId, jobId);
      const open = await itemsOf(tx, accountId, jobId, openItemStatuses);
      const meant = only ? open.filter(({ serial }) => serial !== null && only.has(serial)) : open;
      const goingOn = meant.filter(isAbout);
      const items = meant.filter((item) => !isAbout(item));
      if (!job || items.length === 0) return { cancelled: 0, goingOn };
      await cancelItems(tx, job, items, null);
      await settle(tx, job);
      return { cancelled: items.length, goingOn };
    },

    /**
     * Takes up again what waited for a device that is back. What is being worked on is marked: it may have found the
     * device away just before, and must not wait for a return that was. `but`: a job that knows of it.
     */
    async wake(accountId: string, serial: string, but?: string): Promise<void> {
      await wakeAll(accountId, [{ serial, but }]);
    },

    wakeAll,

    /** Background tasks: `job` runs one, `job-expire` gives up on items whose device stayed away. */
    tasks: {
      job: runJob,
      'job-expire': async () => {
        const before = new Date(clock.now().getTime() - waitDays * 86_400_000);
        const items = await database.withSystem((tx) => waitingSince(tx, before, 1000));
        for (const item of items) {
          const outcome = { status: 'failed', reason: 'job.expired' } as const;
          await finishItems(
            { accountId: item.account_id, jobId: item.job_id },
            [{ item, outcome }],
            ['waiting_offline'],
          );
        }
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

/** How an item stands that a runner has dealt with. */
function afterwards(item: JobItem, outcome: Ended['outcome'], now: Date): ItemChange {
  const { seq } = item;
  const reason = outcome.reason ?? null;
  if (outcome.status === 'queued') {
    const not_before = earliest([outcome.notBefore, new Date(now.getTime() + mostUntilLook)]);
    return { seq, status: 'queued', reason, not_before, started_at: null, woken: false };
  }
  const final = isFinal(outcome.status);
  // what it would wait for has happened already
  const again = !final && item.status === 'running' && item.woken;
  return {
    ...{ seq, reason, woken: false },
    status: again ? 'queued' : outcome.status,
    finished_at: final ? now : null,
    ...(outcome.detail === undefined ? {} : { detail: outcome.detail }),
  };
}

function earliest(times: readonly Date[]): Date {
  return new Date(Math.min(...times.map(Number)));
}
