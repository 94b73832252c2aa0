import { nextConfigurationUuid, recoveryUuid } from '@yunxun/contract/device';
import type { Clock } from '../../platform/clock.ts';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import type { Tx } from '../../platform/database/index.ts';
import type { ManagedDevice } from '../fleet/index.ts';
import type { JobItem, Outcome } from '../jobs/index.ts';
import { canonical, type UcentralDocument } from './compile/index.ts';
import type { ConfigSession } from './config-session.ts';
import type { StageOutcome } from './planner.ts';
import { holderOf } from './push-items.ts';
import { type ConfigState, failed, sending } from './transitions.ts';
import { readDocuments, versionName } from './version-store.ts';

export type Step =
  | { do: 'end'; outcome: Outcome }
  | { do: 'ask'; until: Date; confirms: boolean; firmware: string | null }
  | { do: 'send'; uuid: number; sha: string; document: UcentralDocument; firmware: string | null };

/** Sends without answer or effect. */
const maxAttempts = 3;
/** Milliseconds: 60 s to apply, 30 s for radios, 10 s margin. */
const applyingMs = 100_000;
/** Milliseconds beyond the confirm window, to apply and roll back. */
const confirmMarginMs = 60_000;
/** Milliseconds after the expected answer before another item takes over. */
const holdMs = 10 * 60_000;

export const unreported = 'job.unreported';

const decided: Partial<Record<StageOutcome, Outcome>> = {
  unchanged: { status: 'skipped', reason: 'job.unchanged' },
  rejected_before: { status: 'skipped', reason: 'job.rejected_before' },
  wrong: { status: 'failed', reason: 'job.config_wrong' },
  unknown: { status: 'skipped', reason: 'job.never_connected' },
  unreported: { status: 'waiting_offline', reason: unreported },
  unconfirmed: { status: 'waiting_offline', reason: 'job.unconfirmed' },
};

export function endWith(outcome: Outcome): Step {
  return { do: 'end', outcome };
}

/** Returns milliseconds; 0 without a confirm window. */
export function confirmMs(document: UcentralDocument | null): number {
  const seconds = document?.['third-party']?.yunxun.confirm_s;
  return seconds === undefined ? 0 : seconds * 1000 + confirmMarginMs;
}

export interface PlannedItem {
  item: Pick<JobItem, 'job_id' | 'seq' | 'serial'>;
  sha: string;
  staging: StageOutcome;
}

export async function decideSteps(
  tx: Tx,
  deps: { keys: AccountKeys; clock: Clock },
  accountId: string,
  session: ConfigSession,
  all: readonly PlannedItem[],
  since: Date,
): Promise<Step[]> {
  const open = all.filter(({ staging }) => !decided[staging]);
  const wanted = open.flatMap(({ item }) => documentsFor(session, item.serial ?? ''));
  const documents = await readDocuments(tx, deps.keys, accountId, wanted);
  const find = (serial: string, uuid: number) =>
    session.fresh(serial, uuid) ?? documents.get(versionName(serial, uuid)) ?? null;
  return all.map((one) => {
    const end = decided[one.staging];
    const step = end ? endWith(end) : decide(session, find, one, deps.clock.now());
    const isUnchanged = step.do === 'end' && step.outcome.reason === 'job.unchanged';
    return isUnchanged && changedSince(session, one.item, since) ? endWith({ status: 'applied', reason: null }) : step;
  });
}

/** Whether another job sent the document that is in force. */
function changedSince(session: ConfigSession, { serial }: PlannedItem['item'], since: Date): boolean {
  const { state } = session.stateOf(serial ?? '');
  const version = session.version(serial ?? '', state.active_uuid);
  return state.state === 'in_sync' && version?.sent_at != null && version.sent_at >= since;
}

function documentsFor(session: ConfigSession, serial: string): { serial: string; uuid: number }[] {
  const { state } = session.stateOf(serial);
  const needed = state.sent_uuid ?? (state.state === 'pending' ? state.desired_uuid : null);
  return needed === null || session.isFresh(serial, needed) ? [] : [{ serial, uuid: needed }];
}

type Find = (serial: string, uuid: number) => UcentralDocument | null;

function decide(session: ConfigSession, find: Find, { item, sha }: PlannedItem, now: Date): Step {
  const serial = item.serial ?? '';
  const device = session.device(serial);
  if (!device) return endWith({ status: 'cancelled', reason: 'job.unbound' });
  const { state, known } = session.stateOf(serial);
  const holder = holderOf(item);
  const mine = state.holder === null || state.holder === holder || (state.held_until ?? now) <= now;
  if (state.sent_uuid !== null && mine) {
    session.put(serial, { ...state, holder, held_until: new Date(now.getTime() + holdMs) });
    const confirm = confirmMs(find(serial, state.sent_uuid));
    const until = new Date((state.sent_at ?? now).getTime() + Math.max(applyingMs, confirm));
    return { do: 'ask', until, confirms: confirm > 0, firmware: device.firmware };
  }
  if (!known || state.desired_sha !== sha || state.desired_uuid === null)
    return endWith({ status: 'skipped', reason: 'job.superseded' });
  if (!mine) return endWith({ status: 'waiting_offline', reason: 'job.busy' });
  if (state.state !== 'pending') return endWith(endOf(session, serial, state, item.job_id));
  if (state.reported_uuid === recoveryUuid) return endWith({ status: 'waiting_offline', reason: 'job.recovery' });
  if (state.attempts >= maxAttempts) return giveUp(session, serial, state, 'job.not_applied');
  return prepare(session, find, device, state, item, now);
}

/** Exceeds every earlier uuid. */
function prepare(
  session: ConfigSession,
  find: Find,
  { serial, firmware }: ManagedDevice,
  state: ConfigState,
  item: PlannedItem['item'],
  now: Date,
): Step {
  const desired = state.desired_uuid ?? 0;
  const [version, document] = [session.version(serial, desired), find(serial, desired)];
  if (!version || !document || state.desired_sha === null)
    return endWith({ status: 'skipped', reason: 'job.superseded' });
  let uuid = desired;
  if (version.sent_at !== null || desired <= (state.reported_uuid ?? 0)) {
    const next = nextConfigurationUuid(now.getTime() / 1000, state.last_uuid, state.reported_uuid ?? 0);
    if (next === null) return giveUp(session, serial, state, 'job.no_number');
    uuid = next;
    if (version.sent_at === null) session.change(serial, desired, { uuid });
    else
      session.add({
        ...version,
        uuid,
        text: canonical(document),
        outcome: 'waiting',
        rejected: [],
        created_at: now,
        sent_at: null,
      });
  }
  session.change(serial, uuid, { outcome: 'sent', sent_at: now, job_id: item.job_id });
  const until = new Date(now.getTime() + holdMs + confirmMs(document));
  session.put(serial, sending(state, { uuid, sha: state.desired_sha, at: now, holder: holderOf(item), until }));
  return { do: 'send', uuid, sha: state.desired_sha, document, firmware };
}

function giveUp(session: ConfigSession, serial: string, state: ConfigState, reason: string): Step {
  session.put(serial, failed(state, reason));
  session.change(serial, state.desired_uuid ?? 0, { outcome: 'failed' });
  return endWith({ status: 'failed', reason });
}

function endOf(session: ConfigSession, serial: string, state: ConfigState, jobId: string): Outcome {
  const version = session.version(serial, state.desired_uuid);
  const own = version?.job_id === jobId && version.sent_at !== null;
  const reason = state.reasons.length > 0 ? state.reasons.join('; ') : null;
  if (!own) return { status: 'skipped', reason: state.state === 'failed' ? 'job.rejected_before' : 'job.unchanged' };
  if (state.state !== 'failed') return { status: 'applied', reason };
  if (version.outcome !== 'rejected') return { status: 'failed', reason };
  return { status: state.rejection === 'returned' ? 'reverted' : 'rejected', reason };
}
