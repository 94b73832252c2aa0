import { asRecord } from '@yunxun/contract/device';
import type { Clock } from '../../../platform/clock.ts';
import type { Database, Tx } from '../../../platform/database/index.ts';
import { enqueue } from '../../../platform/jobs/index.ts';
import type { Job, JobRunner, Jobs, Outcome } from '../../jobs/index.ts';
import { type FirmwareFacts, firmwareOf } from '../firmware-facts.ts';
import { closedUntil } from '../maintenance/windows.ts';
import type { DeviceRef, PresenceTracker } from '../presence.ts';
import type { CommandOutcome } from './commands.ts';

/** Jobs whose command restarts a device; its state after the return is the result. */

export interface CommandJobDeps {
  database: Database;
  clock: Clock;
  jobs: Pick<Jobs, 'wake' | 'remember'>;
  presence: Pick<PresenceTracker, 'restarting'>;
}

const lookAgainMs = 30_000;

export interface CommandJob {
  recheckTask: string;
  about: 'job.upgrading' | 'job.restarting';
  limitMs: number;
  /** Returns the command, or an outcome instead. */
  prepare(ref: DeviceRef, device: FirmwareFacts, job: Job): Promise<Outcome | (() => Promise<CommandOutcome>)>;
  offline(job: Job): Outcome;
  /** Returns null while open. `goal`: target version, if any. */
  verdict(device: FirmwareFacts, since: Since, goal: string): Outcome | null;
  /** Reason if not done at the limit. */
  undone: string;
  goal?(job: Job): string;
  /** Records a failure that no boot has recorded. */
  noteFailure?(tx: Tx, device: FirmwareFacts, job: Job, reason: string): Promise<void>;
}

interface Progress {
  /** Stored before sending: from then on the device may have the command. */
  commanded_at: string;
  answered?: true;
}

type LookedAt = DeviceRef & Progress & { goal: string };

interface DeviceReport {
  at: Date;
  answered: boolean;
}

export interface Since {
  booted: boolean;
  /** Booted, or reconnected late enough after accepting: some devices report no boot reason. */
  restarted: boolean;
}

/** Stores the send time first, so that a crash or lost reply never repeats the command. */
export function createCommandJobs(deps: CommandJobDeps, kind: CommandJob) {
  const { database, clock } = deps;
  const { about, limitMs, recheckTask } = kind;
  const find = async (tx: Tx, { accountId, serial }: DeviceRef): Promise<FirmwareFacts | undefined> =>
    (await firmwareOf(tx, accountId, [serial]))[0];
  const goalOf = (job: Job) => kind.goal?.(job) ?? '';

  const run: JobRunner = async (item, job) => {
    const ref = { accountId: item.account_id, serial: item.serial ?? '' };
    const device = await database.withSystem((tx) => find(tx, ref));
    if (!device) return { status: 'cancelled', reason: 'job.unbound' };
    const { commanded_at, answered } = asRecord<Progress>(item.detail);
    if (typeof commanded_at === 'string')
      return followUp(ref, device, { commanded_at, ...(answered === true && { answered }) }, job);
    const tell = await kind.prepare(ref, device, job);
    if (typeof tell !== 'function') return tell;
    const progress: Progress = { commanded_at: clock.now().toISOString() };
    await database.withSystem((tx) => deps.jobs.remember(tx, item, progress));
    const command = await tell();
    switch (command.outcome) {
      case 'offline':
        return { ...kind.offline(job), detail: null };
      case 'refused':
        return failed(device, job, command.text || 'job.refused');
      case 'silent':
        return command.sent ? wait(ref, progress, job) : failed(device, job, 'job.silent');
      case 'gone':
        return wait(ref, progress, job);
      case 'done': {
        const taken: Progress = { ...progress, answered: true };
        await database.withSystem(async (tx) => {
          await deps.jobs.remember(tx, item, taken);
          await deps.presence.restarting(tx, ref, clock.now());
        });
        return wait(ref, taken, job);
      }
    }
  };

  async function wait(ref: DeviceRef, progress: Progress, job: Job): Promise<Outcome> {
    await database.withSystem((tx) => lookLater(tx, { ...ref, ...progress, goal: goalOf(job) }));
    return { status: 'waiting_offline', reason: about };
  }

  async function failed(device: FirmwareFacts, job: Job, reason: string): Promise<Outcome> {
    await database.withSystem(async (tx) => kind.noteFailure?.(tx, device, job, reason));
    return { status: 'failed', reason };
  }

  function verdictOf(device: FirmwareFacts, report: DeviceReport, goal: string): Outcome | null {
    const here = device.online && device.onlineSince !== null && device.onlineSince >= report.at;
    return here ? kind.verdict(device, sinceThen(device, report), goal) : null;
  }

  const isOver = ({ at }: DeviceReport) => !(clock.now().getTime() - at.getTime() < limitMs);

  async function followUp(ref: DeviceRef, device: FirmwareFacts, progress: Progress, job: Job): Promise<Outcome> {
    const report = reportedOf(progress);
    const verdict = verdictOf(device, report, goalOf(job));
    if (verdict?.status === 'failed') return failed(device, job, verdict.reason ?? kind.undone);
    if (verdict) return verdict;
    if (!isOver(report)) return wait(ref, progress, job);
    if (!device.online) return failed(device, job, 'job.not_returned');
    const hasTaken = report.answered || sinceThen(device, report).restarted;
    return failed(device, job, hasTaken ? kind.undone : 'job.silent');
  }

  /** Schedules one poll per device, by its key. */
  function lookLater(tx: Tx, target: LookedAt): Promise<void> {
    const runAt = new Date(clock.now().getTime() + lookAgainMs);
    return enqueue(tx, recheckTask, target, { key: `${recheckTask}:${target.accountId}.${target.serial}`, runAt });
  }

  /** Wakes the items once the device is done or late. */
  async function look(target: LookedAt): Promise<void> {
    const waits = await database.withSystem(async (tx) => {
      const device = await find(tx, target);
      const report = reportedOf(target);
      return device !== undefined && !isOver(report) && verdictOf(device, report, target.goal) === null;
    });
    if (waits) await database.withSystem((tx) => lookLater(tx, target));
    else await deps.jobs.wake(target.accountId, target.serial);
  }

  return { run, tasks: { [recheckTask]: look } };
}

/** Waits for the maintenance window; null if not needed. */
export async function heldByWindow(
  { database, clock }: Pick<CommandJobDeps, 'database' | 'clock'>,
  { accountId }: DeviceRef,
  { gwid }: FirmwareFacts,
  job: Job,
): Promise<Outcome | null> {
  if (!job.plan?.windows || !gwid) return null;
  const closed = await database.withSystem((tx) => closedUntil(tx, accountId, [gwid], clock.now()));
  const notBefore = closed.get(gwid);
  return notBefore ? { status: 'queued', reason: 'job.window', notBefore } : null;
}

function reportedOf({ commanded_at: at, answered }: Progress): DeviceReport {
  return { at: new Date(at), answered: answered === true };
}

/** Treats a reconnect without an answer as possibly still executing. */
function sinceThen({ bootedAt, restartingSince }: FirmwareFacts, { at, answered }: DeviceReport): Since {
  const booted = bootedAt !== null && bootedAt >= at;
  return { booted, restarted: booted || (answered && restartingSince === null) };
}
