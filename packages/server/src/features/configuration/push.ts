import { asNumber, asRecord, commandTimeouts, nextConfigurationUuid, recoveryUuid } from '@yunxun/contract/device';
import type { Clock } from '../../platform/clock.ts';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import { enqueue } from '../../platform/jobs/index.ts';
import { type DeviceCommands, DeviceError, DeviceOffline, DeviceTimeout } from '../../uplink/index.ts';
import { findDevice, type ManagedDevice } from '../fleet/managed-devices.ts';
import type { JobRunner, Jobs, Outcome } from '../jobs/service.ts';
import type { UcentralDocument } from './compile/index.ts';
import type { Planner, Staging, Wish } from './planner.ts';
import { applied, type ConfigState, failed, notSent, rejected, sending } from './transitions.ts';
import {
  claimVersions,
  type DeviceKey,
  findVersion,
  insertVersion,
  lockState,
  readDocument,
  updateVersion,
} from './version-store.ts';

/** What an item of a configuration job remembers. */
export interface PushDetail {
  /** The document it is about. */
  sha: string;
  staging: Staging;
}

/** An item whose document is compiled when it runs: there may be thousands of them. */
export interface LaterDetail extends Wish {
  staging: 'later';
}

export const configurationJob = 'configuration';
const lookTask = 'configuration-look';

/** Times that a document goes out whose answer was lost and that the device does not run afterwards. */
const attemptsMost = 3;
/** Times that a device may answer that it has gone further than the number it was sent. */
const staleMost = 3;
/** Milliseconds in which a device may still be applying: 60 s to render and apply, 30 s for its radios, and some. */
const applyingMs = 100_000;
/** Milliseconds that a gateway needs beyond its confirm window: to apply, and to return. */
const confirmMarginMs = 60_000;
/** Milliseconds after which another item may take over a push whose holder said nothing more, once its answer is due. */
const holdMs = 10 * 60_000;
const lookAgainMs = 30_000;
const pingMs = 15_000;

/** Outcomes that need no look at the device. */
const decided: Partial<Record<Staging, Outcome>> = {
  unchanged: { status: 'skipped', reason: 'job.unchanged' },
  rejected_before: { status: 'skipped', reason: 'job.rejected_before' },
  wrong: { status: 'failed', reason: 'job.config_wrong' },
  unknown: { status: 'skipped', reason: 'job.never_connected' },
};

type Step =
  | { do: 'end'; outcome: Outcome }
  | { do: 'ask'; until: Date }
  | { do: 'send'; uuid: number; document: UcentralDocument; firmware: string | null };

export interface PushDeps {
  database: Database;
  clock: Clock;
  keys: AccountKeys;
  planner: Planner;
  jobs: Pick<Jobs, 'register' | 'wake'>;
  commands: Pick<DeviceCommands, 'configure' | 'call'>;
}

/**
 * Brings wanted documents to devices, one item of a job per device. An item ends on the device's own word; until that
 * is there it waits, also over a restart of the server. One push per device is under way: its holder is written down,
 * and others wait for it.
 */
export function createPush({ database, clock, keys, planner, jobs, commands }: PushDeps) {
  const run: JobRunner = async (item, job) => {
    const key = { accountId: item.account_id, serial: item.serial ?? '' };
    const given = asRecord<PushDetail>(item.detail) as PushDetail | LaterDetail;
    const detail = given.staging === 'later' ? await stageNow(key, given, job.id) : given;
    const end = detail && decided[detail.staging];
    if (!detail) return { status: 'cancelled', reason: 'job.unbound' };
    if (end) return end;
    const me = { holder: `${item.job_id}.${item.seq}`, jobId: job.id };
    for (let stale = 0; stale < staleMost; ) {
      const step = await database.withSystem((tx) => decide(tx, key, detail.sha, me));
      if (step.do === 'end') return step.outcome;
      const outcome = step.do === 'ask' ? await ask(key, step.until) : await send(key, step);
      if (outcome === 'stale') stale += 1;
      else if (outcome) return outcome;
    }
    return giveUp(key, 'job.stale');
  };
  jobs.register(configurationJob, run);

  const stopping = new AbortController();

  const whileRunning = <T>(work: Promise<T>): Promise<T> => untilStopped(work, stopping.signal);

  /**
   * Stages what the device should run as things are now; null when it is bound no longer. What an earlier run of the same
   * item has brought there is found unchanged, and is this item's doing all the same.
   */
  function stageNow(key: DeviceKey, wish: LaterDetail, jobId: string): Promise<PushDetail | null> {
    return database.withSystem(async (tx) => {
      const device = await findDevice(tx, key.accountId, key.serial, clock.now());
      if (!device) return null;
      const { cause, author } = wish;
      const detail = await planner.stage(tx, device, await planner.compileFor(tx, device), { cause, author });
      if (detail.staging === 'staged') await claimVersions(tx, key.accountId, [key.serial], jobId);
      if (detail.staging !== 'unchanged') return detail;
      const { state } = await lockState(tx, key);
      const version = await findVersion(tx, key, state.desired_uuid ?? 0);
      return version?.job_id === jobId ? { ...detail, staging: 'staged' } : detail;
    });
  }

  async function decide(tx: Tx, key: DeviceKey, sha: string, me: { holder: string; jobId: string }): Promise<Step> {
    const device = await findDevice(tx, key.accountId, key.serial, clock.now());
    if (!device) return ends({ status: 'cancelled', reason: 'job.unbound' });
    const { state, known } = await lockState(tx, key);
    const now = clock.now();
    const mine = state.holder === null || state.holder === me.holder || (state.held_until ?? now) <= now;
    if (state.sent_uuid !== null && mine) {
      await planner.save(tx, device, state, {
        ...state,
        holder: me.holder,
        held_until: new Date(now.getTime() + holdMs),
      });
      const sent = await readDocument(tx, keys, device, state.sent_uuid);
      return { do: 'ask', until: new Date((state.sent_at ?? now).getTime() + Math.max(applyingMs, confirmMs(sent))) };
    }
    if (!known || state.desired_sha !== sha || state.desired_uuid === null)
      return ends({ status: 'skipped', reason: 'job.superseded' });
    if (!mine) return ends({ status: 'waiting_offline', reason: 'job.busy' });
    if (state.state !== 'pending') return ends(await endOf(tx, key, state, me.jobId));
    if (state.reported_uuid === recoveryUuid) return ends({ status: 'waiting_offline', reason: 'job.recovery' });
    if (state.attempts >= attemptsMost) {
      await conclude(tx, device, state, failed(state, 'job.not_applied'), { outcome: 'failed' });
      return ends({ status: 'failed', reason: 'job.not_applied' });
    }
    return prepare(tx, device, state, me);
  }

  /** Gives the document a number above everything the device ever had, and writes down that it goes out. */
  async function prepare(
    tx: Tx,
    device: ManagedDevice,
    state: ConfigState,
    me: { holder: string; jobId: string },
  ): Promise<Step> {
    const desired = state.desired_uuid ?? 0;
    const [version, document] = [await findVersion(tx, device, desired), await readDocument(tx, keys, device, desired)];
    if (!version || !document || state.desired_sha === null)
      return ends({ status: 'skipped', reason: 'job.superseded' });
    const now = clock.now();
    let uuid = desired;
    if (version.sent_at !== null || desired <= (state.reported_uuid ?? 0)) {
      const next = nextConfigurationUuid(now.getTime() / 1000, state.last_uuid, state.reported_uuid ?? 0);
      if (next === null) {
        await conclude(tx, device, state, failed(state, 'job.no_number'), { outcome: 'failed' });
        return ends({ status: 'failed', reason: 'job.no_number' });
      }
      uuid = next;
      const { sha256: sha, cause, author } = version;
      if (version.sent_at === null) await updateVersion(tx, device, desired, { uuid });
      else await insertVersion(tx, keys, device, { uuid, sha, document, cause, author, at: now });
    }
    await updateVersion(tx, device, uuid, { outcome: 'sent', sent_at: now, job_id: me.jobId });
    const until = new Date(now.getTime() + holdMs + confirmMs(document));
    await planner.save(
      tx,
      device,
      state,
      sending(state, { uuid, sha: state.desired_sha, at: now, holder: me.holder, until }),
    );
    return { do: 'send', uuid, document, firmware: device.firmware };
  }

  async function send(
    key: DeviceKey,
    { uuid, document, firmware }: Extract<Step, { do: 'send' }>,
  ): Promise<Outcome | 'stale' | null> {
    try {
      const waitMs = Math.max(commandTimeouts.configure, confirmMs(document));
      const answer = await whileRunning(commands.configure(key, { ...document }, uuid, waitMs));
      switch (answer.outcome) {
        case 'applied':
          await settle(key, (state) => applied(state, uuid, state.sent_sha ?? '', answer.rejected), {
            outcome: 'applied',
            rejected: [...answer.rejected],
          });
          return { status: 'applied', reason: answer.rejected.length > 0 ? answer.rejected.join('; ') : null };
        case 'rejected': {
          const reasons = answer.rejected.length > 0 ? answer.rejected : [answer.text || 'job.refused'];
          let tried = false;
          const refused = (state: ConfigState): ConfigState => {
            tried = state.trial_until !== null;
            // an event may have said it before the answer
            return state.sent_uuid === uuid ? rejected(state, reasons, firmware) : state;
          };
          await settle(key, refused, { outcome: 'rejected', rejected: [...reasons] });
          return { status: tried ? 'reverted' : 'rejected', reason: reasons.join('; ') };
        }
        case 'stale':
          // it holds a higher number already: the next turn goes above it
          await settle(key, (state) => ({ ...notSent(state), reported_uuid: answer.active }), {
            outcome: 'superseded',
          });
          return 'stale';
      }
    } catch (error) {
      return unanswered(key, error);
    }
  }

  /** There is no answer. What the device may have had is settled by its own number later; the rest never left. */
  async function unanswered(key: DeviceKey, error: unknown): Promise<Outcome | null> {
    if (error instanceof DeviceOffline || error instanceof DeviceTimeout) {
      if (error.sent)
        return error instanceof DeviceTimeout ? null : { status: 'waiting_offline', reason: 'job.answer_lost' };
      await settle(key, notSent, { outcome: 'waiting', sent_at: null });
      if (error instanceof DeviceOffline) return { status: 'waiting_offline', reason: 'job.offline' };
      return giveUp(key, 'job.busy');
    }
    if (!(error instanceof DeviceError)) throw error;
    if (error.code === 'RECOVERY_BOOT') {
      await settle(key, notSent, { outcome: 'waiting', sent_at: null });
      return { status: 'waiting_offline', reason: 'job.recovery' };
    }
    return giveUp(key, error.code === 'DEVICE_BUSY' ? 'job.busy' : error.message || 'job.refused');
  }

  /** Asks the device which configuration it runs. */
  async function ask(key: DeviceKey, until: Date): Promise<Outcome | null> {
    let active: number | null;
    try {
      active = asNumber((await whileRunning(commands.call(key, 'ping', {}, { timeoutMs: pingMs }))).uuid) || null;
    } catch (error) {
      if (error instanceof DeviceOffline) return { status: 'waiting_offline', reason: 'job.answer_lost' };
      if (!(error instanceof DeviceTimeout || error instanceof DeviceError)) throw error;
      return lookLater(key, new Date(clock.now().getTime() + lookAgainMs));
    }
    const runsIt = await settleBy(key, active);
    if (runsIt) return null;
    if (clock.now() < until) return lookLater(key, until);
    await settle(key, (state) => ({ ...notSent(state), attempts: state.attempts }), { outcome: 'failed' });
    return null;
  }

  async function settleBy(key: DeviceKey, active: number | null): Promise<boolean> {
    let runsIt = false;
    await settle(
      key,
      (state) => {
        runsIt = active !== null && active === state.sent_uuid;
        return runsIt && active !== null
          ? applied(state, active, state.sent_sha ?? '', [])
          : { ...state, reported_uuid: active ?? state.reported_uuid };
      },
      (state) => (active !== null && active === state.sent_uuid ? { outcome: 'applied' } : null),
    );
    return runsIt;
  }

  async function lookLater(key: DeviceKey, runAt: Date): Promise<Outcome> {
    await database.withSystem((tx) =>
      enqueue(tx, lookTask, { ...key }, { key: `${lookTask}:${key.accountId}.${key.serial}`, runAt }),
    );
    return { status: 'waiting_offline', reason: 'job.answer_lost' };
  }

  async function giveUp(key: DeviceKey, reason: string): Promise<Outcome> {
    await settle(key, (state) => failed(state, reason), { outcome: 'failed' });
    return { status: 'failed', reason };
  }

  type VersionChange = Parameters<typeof updateVersion>[3];

  /** Changes the state of a push, and what is known of its version. When the push is over, others have their turn. */
  async function settle(
    key: DeviceKey,
    change: (state: ConfigState) => ConfigState,
    version: VersionChange | ((state: ConfigState) => VersionChange | null),
  ): Promise<void> {
    const over = await database.withSystem(async (tx) => {
      const device = await findDevice(tx, key.accountId, key.serial, clock.now());
      if (!device) return false;
      const { state, known } = await lockState(tx, key);
      if (!known) return false;
      const next = change(state);
      await conclude(tx, device, state, next, typeof version === 'function' ? version(state) : version);
      // one that never left is still to come: waking others for it would go round in circles
      const moved = next.active_uuid !== state.active_uuid || next.rejected_uuid !== state.rejected_uuid;
      return state.sent_uuid !== null && next.sent_uuid === null && (moved || next.state === 'failed');
    });
    if (over) await jobs.wake(key.accountId, key.serial);
  }

  async function conclude(
    tx: Tx,
    device: ManagedDevice,
    state: ConfigState,
    next: ConfigState,
    version: VersionChange | null,
  ): Promise<void> {
    await planner.save(tx, device, state, next);
    const uuid = state.sent_uuid ?? state.desired_uuid;
    if (version && uuid !== null) await updateVersion(tx, device, uuid, version);
  }

  return {
    /** Lets go of the pushes that wait for their devices; before the workers stop. */
    stop: () => stopping.abort(),
    tasks: {
      /** A device has had its time: its items look again. */
      [lookTask]: async ({ accountId, serial }: DeviceKey) => {
        await jobs.wake(accountId, serial);
      },
    },
  };
}

/** Milliseconds until a gateway that tries a document has either answered or returned; 0 for what has no such window. */
function confirmMs(document: UcentralDocument | null): number {
  const seconds = document?.['third-party']?.yunxun.confirm_s;
  return seconds === undefined ? 0 : seconds * 1000 + confirmMarginMs;
}

function ends(outcome: Outcome): Step {
  return { do: 'end', outcome };
}

/** How the item ends whose document is settled already: by its own push, or by somebody else's. */
async function endOf(tx: Tx, key: DeviceKey, state: ConfigState, jobId: string): Promise<Outcome> {
  const version = await findVersion(tx, key, state.desired_uuid ?? 0);
  const own = version?.job_id === jobId && version.sent_at !== null;
  const reason = state.reasons.length > 0 ? state.reasons.join('; ') : null;
  if (!own) return { status: 'skipped', reason: state.state === 'failed' ? 'job.rejected_before' : 'job.unchanged' };
  if (state.state !== 'failed') return { status: 'applied', reason };
  if (version.outcome !== 'rejected') return { status: 'failed', reason };
  return { status: state.trial_until === null ? 'rejected' : 'reverted', reason };
}

/** Waits for a device, but not for longer than the program lives: the item is taken up again by the next one. */
function untilStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(new Error('the program stops'));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
