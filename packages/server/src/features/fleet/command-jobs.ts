import { asRecord } from '@yunxun/contract/device';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import { enqueue } from '../../platform/jobs/index.ts';
import { remember } from '../jobs/remember.ts';
import type { Job, JobRunner, Jobs, Outcome } from '../jobs/service.ts';
import type { CommandOutcome } from './commands.ts';
import { type FirmwareFacts, firmwareOf } from './firmware-facts.ts';
import { closedUntil } from './maintenance.ts';
import type { DeviceRef, PresenceKeeper } from './presence.ts';

/** Jobs that tell devices something after which they restart: an item ends by what its device is when it is back. */

export interface CommandJobDeps {
  database: Database;
  clock: Clock;
  jobs: Pick<Jobs, 'wake'>;
  presence: Pick<PresenceKeeper, 'restarting'>;
}

/** Milliseconds between two looks at a device that carries a command out. */
const lookAgainMs = 30_000;

/** What one type of such jobs does. */
export interface CommandJob {
  /** The queue's name for looking at its devices. */
  lookTask: string;
  /** What an item says while its device is about it. */
  about: 'job.upgrading' | 'job.restarting';
  /** Milliseconds that a device has, from the command. */
  limitMs: number;
  /** What is told; or how the item ends or waits without that. */
  prepare(ref: DeviceRef, device: FirmwareFacts, job: Job): Promise<Outcome | (() => Promise<CommandOutcome>)>;
  /** Nobody was there to be told. */
  offline(job: Job): Outcome;
  /** How it ended for a device that is here; null while it may still come to it. `goal`: the version, where there is one. */
  verdict(device: FirmwareFacts, since: Since, goal: string): Outcome | null;
  /** Why it has failed when the device took it, is here at the end of its time and has not done it. */
  undone: string;
  /** What a job wants its devices to be. */
  goal?(job: Job): string;
  /** It has failed, and the device did not restart: nothing else tells of it. */
  notTaken?(tx: Tx, device: FirmwareFacts, job: Job, reason: string): Promise<void>;
}

/** What an item remembers between its runs. */
interface Progress {
  /** Just before the command went out: from then on the device may have it. */
  commanded_at: string;
  /** It said that it will. */
  answered?: true;
}

/** Whom is looked at, and for what. */
type LookedAt = DeviceRef & Progress & { goal: string };

interface Told {
  at: Date;
  answered: boolean;
}

/** What a device has done since it was told. */
export interface Since {
  /** It has started, by its own word. */
  booted: boolean;
  /** The same; or it said that it will, and came back late enough: some devices have no word for it. */
  restarted: boolean;
}

/**
 * Runs jobs of such a type. A device is told once: that it is about to be is written down first, so whoever takes the item
 * up after a crash judges by the device, and so does a command without an answer.
 */
export function createCommandJobs(deps: CommandJobDeps, kind: CommandJob) {
  const { database, clock } = deps;
  const { about, limitMs, lookTask } = kind;
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
    await database.withSystem((tx) => remember(tx, item, progress));
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
          await remember(tx, item, taken);
          await deps.presence.restarting(tx, ref, clock.now());
        });
        return wait(ref, taken, job);
      }
    }
  };

  /** The device may be about it: it is looked at until it has done it, or has had its time. */
  async function wait(ref: DeviceRef, progress: Progress, job: Job): Promise<Outcome> {
    await database.withSystem((tx) => lookLater(tx, { ...ref, ...progress, goal: goalOf(job) }));
    return { status: 'waiting_offline', reason: about };
  }

  async function failed(device: FirmwareFacts, job: Job, reason: string): Promise<Outcome> {
    await database.withSystem(async (tx) => kind.notTaken?.(tx, device, job, reason));
    return { status: 'failed', reason };
  }

  /** How it went for a device that was told; null while it may still come to it. */
  function verdictOf(device: FirmwareFacts, told: Told, goal: string): Outcome | null {
    const here = device.online && device.onlineSince !== null && device.onlineSince >= told.at;
    return here ? kind.verdict(device, sinceThen(device, told), goal) : null;
  }

  const isOver = ({ at }: Told) => !(clock.now().getTime() - at.getTime() < limitMs);

  async function followUp(ref: DeviceRef, device: FirmwareFacts, progress: Progress, job: Job): Promise<Outcome> {
    const told = toldOf(progress);
    const verdict = verdictOf(device, told, goalOf(job));
    if (verdict) return verdict;
    if (!isOver(told)) return wait(ref, progress, job);
    if (!device.online) return { status: 'failed', reason: 'job.not_returned' };
    if (sinceThen(device, told).restarted) return { status: 'failed', reason: kind.undone };
    return failed(device, job, told.answered ? kind.undone : 'job.silent');
  }

  /** One that is looked at already is looked at then. */
  function lookLater(tx: Tx, target: LookedAt): Promise<void> {
    const runAt = new Date(clock.now().getTime() + lookAgainMs);
    return enqueue(tx, lookTask, target, { key: `${lookTask}:${target.accountId}.${target.serial}`, runAt });
  }

  /** Wakes the items of a device that has done what it was told, or has had its time for it. */
  async function look(target: LookedAt): Promise<void> {
    const waits = await database.withSystem(async (tx) => {
      const device = await find(tx, target);
      const told = toldOf(target);
      return device !== undefined && !isOver(told) && verdictOf(device, told, target.goal) === null;
    });
    if (waits) await database.withSystem((tx) => lookLater(tx, target));
    else await deps.jobs.wake(target.accountId, target.serial);
  }

  return { run, tasks: { [lookTask]: look } };
}

/** How long an item of a planned job waits because its device's maintenance window is closed; null when it need not. */
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

function toldOf({ commanded_at: at, answered }: Progress): Told {
  return { at: new Date(at), answered: answered === true };
}

/** One that did not answer and has a new connection may only have lost its old one, and be about it still. */
function sinceThen({ bootedAt, restartingSince }: FirmwareFacts, { at, answered }: Told): Since {
  const booted = bootedAt !== null && bootedAt >= at;
  return { booted, restarted: booted || (answered && restartingSince === null) };
}
