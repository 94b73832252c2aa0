import { nextConfigurationUuid, recoveryUuid } from '@yunxun/contract/device';
import type { Clock } from '../../platform/clock.ts';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import type { Tx } from '../../platform/database/index.ts';
import type { ManagedDevice } from '../fleet/managed-devices.ts';
import type { JobItem, Outcome } from '../jobs/service.ts';
import { canonical, type UcentralDocument } from './compile/index.ts';
import type { Desk } from './desk.ts';
import type { Staging } from './planner.ts';
import { holderOf } from './push-items.ts';
import { type ConfigState, failed, sending } from './transitions.ts';
import { readDocuments, versionName } from './version-store.ts';

/** What is to be done about an item now. */
export type Step =
  | { do: 'end'; outcome: Outcome }
  | { do: 'ask'; until: Date }
  | { do: 'send'; uuid: number; document: UcentralDocument; firmware: string | null };

/** Times that a document goes out whose answer was lost and that the device does not run afterwards. */
const attemptsMost = 3;
/** Milliseconds in which a device may still be applying: 60 s to render and apply, 30 s for its radios, and some. */
const applyingMs = 100_000;
/** Milliseconds that a gateway needs beyond its confirm window: to apply, and to return. */
const confirmMarginMs = 60_000;
/** Milliseconds after which another item may take over a push whose holder said nothing more, once its answer is due. */
const holdMs = 10 * 60_000;

/** Outcomes that need no look at the device. */
const decided: Partial<Record<Staging, Outcome>> = {
  unchanged: { status: 'skipped', reason: 'job.unchanged' },
  rejected_before: { status: 'skipped', reason: 'job.rejected_before' },
  wrong: { status: 'failed', reason: 'job.config_wrong' },
  unknown: { status: 'skipped', reason: 'job.never_connected' },
};

export function ends(outcome: Outcome): Step {
  return { do: 'end', outcome };
}

/** Milliseconds until a gateway that tries a document has either answered or returned; 0 for what has no such window. */
export function confirmMs(document: UcentralDocument | null): number {
  const seconds = document?.['third-party']?.yunxun.confirm_s;
  return seconds === undefined ? 0 : seconds * 1000 + confirmMarginMs;
}

/** An item, and the document that it is about. */
export interface Meant {
  item: Pick<JobItem, 'job_id' | 'seq' | 'serial'>;
  sha: string;
  staging: Staging;
}

/** Decides what is to be done about items whose documents are staged, and writes down on the desk what goes out. */
export async function decideAll(
  tx: Tx,
  deps: { keys: AccountKeys; clock: Clock },
  accountId: string,
  desk: Desk,
  all: readonly Meant[],
): Promise<Step[]> {
  const open = all.filter(({ staging }) => !decided[staging]);
  const wanted = open.flatMap(({ item }) => documentsFor(desk, item.serial ?? ''));
  const documents = await readDocuments(tx, deps.keys, accountId, wanted);
  const find = (serial: string, uuid: number) =>
    desk.fresh(serial, uuid) ?? documents.get(versionName(serial, uuid)) ?? null;
  return all.map((meant) => {
    const end = decided[meant.staging];
    return end ? ends(end) : decide(desk, find, meant, deps.clock.now());
  });
}

/** The versions whose documents a decision about a device needs, but for new ones. */
function documentsFor(desk: Desk, serial: string): { serial: string; uuid: number }[] {
  const { state } = desk.standing(serial);
  const needed = state.sent_uuid ?? (state.state === 'pending' ? state.desired_uuid : null);
  return needed === null || desk.isFresh(serial, needed) ? [] : [{ serial, uuid: needed }];
}

type Find = (serial: string, uuid: number) => UcentralDocument | null;

function decide(desk: Desk, find: Find, { item, sha }: Meant, now: Date): Step {
  const serial = item.serial ?? '';
  const device = desk.device(serial);
  if (!device) return ends({ status: 'cancelled', reason: 'job.unbound' });
  const { state, known } = desk.standing(serial);
  const holder = holderOf(item);
  const mine = state.holder === null || state.holder === holder || (state.held_until ?? now) <= now;
  if (state.sent_uuid !== null && mine) {
    desk.put(serial, { ...state, holder, held_until: new Date(now.getTime() + holdMs) });
    const waitMs = Math.max(applyingMs, confirmMs(find(serial, state.sent_uuid)));
    return { do: 'ask', until: new Date((state.sent_at ?? now).getTime() + waitMs) };
  }
  if (!known || state.desired_sha !== sha || state.desired_uuid === null)
    return ends({ status: 'skipped', reason: 'job.superseded' });
  if (!mine) return ends({ status: 'waiting_offline', reason: 'job.busy' });
  if (state.state !== 'pending') return ends(endOf(desk, serial, state, item.job_id));
  if (state.reported_uuid === recoveryUuid) return ends({ status: 'waiting_offline', reason: 'job.recovery' });
  if (state.attempts >= attemptsMost) return giveUp(desk, serial, state, 'job.not_applied');
  return prepare(desk, find, device, state, item, now);
}

/** Gives the document a number above everything the device ever had, and writes down that it goes out. */
function prepare(
  desk: Desk,
  find: Find,
  { serial, firmware }: ManagedDevice,
  state: ConfigState,
  item: Meant['item'],
  now: Date,
): Step {
  const desired = state.desired_uuid ?? 0;
  const [version, document] = [desk.version(serial, desired), find(serial, desired)];
  if (!version || !document || state.desired_sha === null) return ends({ status: 'skipped', reason: 'job.superseded' });
  let uuid = desired;
  if (version.sent_at !== null || desired <= (state.reported_uuid ?? 0)) {
    const next = nextConfigurationUuid(now.getTime() / 1000, state.last_uuid, state.reported_uuid ?? 0);
    if (next === null) return giveUp(desk, serial, state, 'job.no_number');
    uuid = next;
    if (version.sent_at === null) desk.change(serial, desired, { uuid });
    else
      desk.add({
        ...version,
        uuid,
        text: canonical(document),
        outcome: 'waiting',
        rejected: [],
        created_at: now,
        sent_at: null,
      });
  }
  desk.change(serial, uuid, { outcome: 'sent', sent_at: now, job_id: item.job_id });
  const until = new Date(now.getTime() + holdMs + confirmMs(document));
  desk.put(serial, sending(state, { uuid, sha: state.desired_sha, at: now, holder: holderOf(item), until }));
  return { do: 'send', uuid, document, firmware };
}

function giveUp(desk: Desk, serial: string, state: ConfigState, reason: string): Step {
  desk.put(serial, failed(state, reason));
  desk.change(serial, state.desired_uuid ?? 0, { outcome: 'failed' });
  return ends({ status: 'failed', reason });
}

/** How the item ends whose document is settled already: by its own push, or by somebody else's. */
function endOf(desk: Desk, serial: string, state: ConfigState, jobId: string): Outcome {
  const version = desk.version(serial, state.desired_uuid);
  const own = version?.job_id === jobId && version.sent_at !== null;
  const reason = state.reasons.length > 0 ? state.reasons.join('; ') : null;
  if (!own) return { status: 'skipped', reason: state.state === 'failed' ? 'job.rejected_before' : 'job.unchanged' };
  if (state.state !== 'failed') return { status: 'applied', reason };
  if (version.outcome !== 'rejected') return { status: 'failed', reason };
  return { status: state.rejection === 'returned' ? 'reverted' : 'rejected', reason };
}
