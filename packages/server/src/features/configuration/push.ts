import { setMaxListeners } from 'node:events';
import { asNumber, commandTimeouts } from '@yunxun/contract/device';
import { BusAway } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import { againOnDeadlock } from '../../platform/database/deadlock.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import { enqueue } from '../../platform/jobs/index.ts';
import { type DeviceCommands, DeviceError, DeviceOffline, DeviceTimeout } from '../../uplink/index.ts';
import { fleetDevices } from '../fleet/index.ts';
import type { BatchRunner, JobItem, Jobs, Outcome } from '../jobs/index.ts';
import { cyclesPower } from './compile/index.ts';
import { createHealth } from './health.ts';
import type { Planner } from './planner.ts';
import { configurationJob } from './push-items.ts';
import { createSettling } from './push-settling.ts';
import { confirmMs, decideSteps, type PlannedItem, type Step, unreported } from './push-steps.ts';
import { type Begun, stageStep, undoStep } from './push-turn.ts';
import { applied, type ConfigState, failed, notSent, rejected, returned } from './transitions.ts';
import type { DeviceKey } from './version-store.ts';

const recheckTask = 'configuration-look';
/** Pushes again, without the power cycle. */
export const cycledTask = 'configuration-port-cycled';

/** Answers with higher uuids than sent. */
const maxStale = 3;
const recheckMs = 30_000;
/** Per job; each waits up to two minutes. */
const pushesAtOnce = 512;
/** Devices per transaction, which locks them. */
const pushBatchSize = 50;
const pingMs = 15_000;
const lostTrial = 'job.returned';

export interface PushDeps {
  database: Database;
  clock: Clock;
  keys: AccountKeys;
  planner: Planner;
  jobs: Pick<Jobs, 'register' | 'wake' | 'wakeAll'>;
  commands: Pick<DeviceCommands, 'configure' | 'call'>;
  askForReport(device: DeviceKey): void;
}

/**
 * Runs one item per device until the device's answer; survives restarts. A device has one active push; other items
 * wait.
 */
export function createPush(deps: PushDeps) {
  const { database, clock, planner, jobs, commands } = deps;
  const settle = createSettling(deps);
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);

  const begin: BatchRunner = async (items, job) => {
    const begun = await againOnDeadlock(() => database.withSystem((tx) => stageStep(tx, deps, items, job)));
    for (const [at, { step }] of begun.entries())
      if (step.do === 'end' && step.outcome.reason === unreported)
        deps.askForReport({ accountId: job.account_id, serial: items[at]!.serial ?? '' });
    return items.map((item, at) => () => settle.during(() => goOn(item, begun[at]!)));
  };
  jobs.register(
    configurationJob,
    { begin },
    {
      health: createHealth({ database, clock }),
      onlineItems: fleetDevices.onlineItems(database),
      cancelled: (tx, items) => undoStep(tx, deps, items),
      atOnce: pushesAtOnce,
      batchSize: pushBatchSize,
    },
  );

  const whileRunning = <T>(work: Promise<T>): Promise<T> => untilStopped(work, stopping.signal);

  async function goOn(item: JobItem, { sha, since, step: first }: Begun): Promise<Outcome> {
    const key = { accountId: item.account_id, serial: item.serial ?? '' };
    let step = first;
    for (let stale = 0; stale < maxStale; ) {
      if (step.do === 'end') return step.outcome;
      const outcome = step.do === 'ask' ? await ask(key, step) : await send(key, step);
      if (outcome === 'stale') stale += 1;
      else if (outcome) return outcome;
      step = await decideAgain(key, { item, sha, staging: 'staged' }, since);
    }
    return giveUp(key, 'job.stale');
  }

  function decideAgain({ accountId, serial }: DeviceKey, planned: PlannedItem, since: Date): Promise<Step> {
    const decided = async (tx: Tx) => {
      const session = await planner.openSession(tx, accountId, [serial]);
      const [step] = await decideSteps(tx, deps, accountId, session, [planned], since);
      await session.close();
      return step!;
    };
    return againOnDeadlock(() => database.withSystem(decided));
  }

  async function send(
    key: DeviceKey,
    { uuid, sha, document, firmware }: Extract<Step, { do: 'send' }>,
  ): Promise<Outcome | 'stale' | null> {
    try {
      const waitMs = Math.max(commandTimeouts.configure, confirmMs(document));
      const answer = await whileRunning(commands.configure(key, { ...document }, uuid, waitMs));
      switch (answer.outcome) {
        case 'applied': {
          let first = false;
          const taken = (state: ConfigState): ConfigState => {
            first = state.active_uuid === null;
            // a report may settle the push before the answer
            return applied(state, uuid, sha, answer.rejected);
          };
          await settle(key, taken, { outcome: 'applied', rejected: [...answer.rejected] });
          if (cyclesPower(document)) await database.withSystem((tx) => enqueue(tx, cycledTask, { ...key }));
          // only its next report names clients
          if (first) deps.askForReport(key);
          if (answer.withheld) return { status: 'failed', reason: 'job.lan_withheld' };
          return { status: 'applied', reason: answer.rejected.length > 0 ? answer.rejected.join('; ') : null };
        }
        case 'rejected': {
          // another save may find the place free: the document itself was not refused
          if (answer.port53) return giveUp(key, `job.port53_${answer.port53}`);
          const reasons = answer.rejected.length > 0 ? answer.rejected : [answer.text || 'job.refused'];
          let tried = false;
          const refused = (state: ConfigState): ConfigState => {
            tried = state.trial_until !== null;
            return state.sent_uuid === uuid ? rejected(state, reasons, firmware) : state;
          };
          await settle(key, refused, { outcome: 'rejected', rejected: [...reasons] });
          return { status: tried ? 'reverted' : 'rejected', reason: reasons.join('; ') };
        }
        case 'stale':
          // the next attempt exceeds its uuid
          await settle(key, (state) => ({ ...notSent(state), reported_uuid: answer.active }), {
            outcome: 'superseded',
          });
          return 'stale';
      }
    } catch (error) {
      return unanswered(key, error);
    }
  }

  /** Leaves a possibly received document to the next reported uuid; others count as unsent. */
  async function unanswered(key: DeviceKey, error: unknown): Promise<Outcome | null> {
    if (error instanceof BusAway) {
      // unsent: the next run sends at once
      await settle(key, notSent, { outcome: 'waiting', sent_at: null });
      throw error;
    }
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

  async function ask(
    key: DeviceKey,
    { until, confirms, firmware }: Extract<Step, { do: 'ask' }>,
  ): Promise<Outcome | null> {
    let active: number | null;
    let returnedUuid: number | null;
    try {
      const answer = await whileRunning(commands.call(key, 'ping', {}, { timeoutMs: pingMs }));
      active = asNumber(answer.uuid) || null;
      returnedUuid = asNumber(answer.returned);
    } catch (error) {
      if (error instanceof DeviceOffline) return { status: 'waiting_offline', reason: 'job.answer_lost' };
      if (!(error instanceof DeviceTimeout || error instanceof DeviceError)) throw error;
      return recheckLater(key, new Date(clock.now().getTime() + recheckMs));
    }
    const runsIt = await settleBy(key, active);
    if (runsIt) return null;
    if (clock.now() < until) return recheckLater(key, until);
    // an agent that does not name what it took back may have tried the document
    const isReverted = ({ sent_uuid: sent, trial_until: trial }: ConfigState) =>
      sent !== null &&
      active !== null &&
      (trial !== null || (confirms && (returnedUuid === null || returnedUuid === sent)));
    const lost = (state: ConfigState): ConfigState =>
      isReverted(state)
        ? // its own event may be lost or follow
          returned(state, { uuid: state.sent_uuid ?? 0, reason: lostTrial, at: clock.now() }, firmware)
        : { ...notSent(state), attempts: state.attempts };
    // a new holder does not resend; attempts bound the waking
    await settle(
      key,
      lost,
      (state) => (isReverted(state) ? { outcome: 'rejected', rejected: [lostTrial] } : { outcome: 'failed' }),
      true,
    );
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

  async function recheckLater(key: DeviceKey, runAt: Date): Promise<Outcome> {
    await database.withSystem((tx) =>
      enqueue(tx, recheckTask, { ...key }, { key: `${recheckTask}:${key.accountId}.${key.serial}`, runAt }),
    );
    return { status: 'waiting_offline', reason: 'job.answer_lost' };
  }

  async function giveUp(key: DeviceKey, reason: string): Promise<Outcome> {
    await settle(key, (state) => failed(state, reason), { outcome: 'failed' });
    return { status: 'failed', reason };
  }

  return {
    stop: () => stopping.abort(),
    tasks: {
      [recheckTask]: async ({ accountId, serial }: DeviceKey) => {
        await jobs.wake(accountId, serial);
      },
    },
  };
}

/** Ends at shutdown: the next process resumes the item. */
function untilStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(new Error('the program stops'));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
