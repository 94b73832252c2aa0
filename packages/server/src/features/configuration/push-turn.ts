import type { Clock } from '../../platform/clock.ts';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import type { Tx } from '../../platform/database/index.ts';
import { closedUntil } from '../fleet/maintenance.ts';
import type { ManagedDevice } from '../fleet/managed-devices.ts';
import { begunSince } from '../jobs/doing.ts';
import type { Job, JobItem } from '../jobs/service.ts';
import type { Desk } from './desk.ts';
import {
  lockPins,
  ownPins,
  samePin,
  standHere,
  stepsSince,
  takeSteps,
  takeTurn,
  undoSteps,
} from './layers/use-store.ts';
import type { Planner } from './planner.ts';
import { detailOf, type LaterDetail, type PinChange, pinOf } from './push-items.ts';
import { decideAll, ends, type Meant, type Step } from './push-steps.ts';
import { unstaged } from './transitions.ts';

export interface TurnDeps {
  clock: Clock;
  keys: AccountKeys;
  planner: Planner;
}

/** An item that compiles its document now. */
interface Later {
  item: JobItem;
  device: ManagedDevice;
  detail: LaterDetail;
}

/** One that gives its device a template. */
type Pinning = Later & { detail: { pin: PinChange } };

/** What is to be done about an item, and the document that it is about. */
export interface Begun {
  sha: string;
  step: Step;
}

/** Begins items of a job together, in one transaction: what is staged now goes out at once. @returns in their order */
export async function beginTurn(tx: Tx, deps: TurnDeps, items: readonly JobItem[], job: Job): Promise<Begun[]> {
  const { account_id: accountId } = job;
  const serials = items.flatMap(({ serial }) => serial ?? []);
  await takeTurn(tx, job.id);
  // before the states, as others lock them who give templates
  if (items.some(pinOf)) await lockPins(tx, accountId, serials);
  const desk = await deps.planner.desk(tx, accountId, serials);
  const ended = new Map<JobItem, Step>();
  const meant: Meant[] = [];
  const later: Later[] = [];
  for (const item of items) {
    const detail = detailOf(item);
    const device = desk.device(item.serial ?? '');
    const before = sentBefore(desk, item);
    if (!device) ended.set(item, ends({ status: 'cancelled', reason: 'job.unbound' }));
    // an earlier run has sent it: how that went is found out, and nothing else is staged
    else if (before !== null) meant.push({ item, sha: before, staging: 'staged' });
    else if (detail.staging === 'later') later.push({ item, device, detail });
    else meant.push({ item, sha: detail.sha, staging: detail.staging });
  }
  const now = await inTurn(tx, deps, job, later, ended);
  const pinned = await giveTemplates(tx, job, now, ended);
  meant.push(...(await stage(tx, deps.planner, desk, job, pinned)));
  const steps = await decideAll(tx, deps, accountId, desk, meant);
  await desk.close();
  const begun = new Map(meant.map(({ item, sha }, at) => [item as JobItem, { sha, step: steps[at]! }]));
  return items.map((item) => begun.get(item) ?? { sha: '', step: ended.get(item)! });
}

/** The document that an earlier run of an item has sent; null when none has. */
function sentBefore(desk: Desk, { serial, job_id }: JobItem): string | null {
  const { state } = desk.standing(serial ?? '');
  const version = desk.version(serial ?? '', state.desired_uuid);
  return version?.job_id === job_id && version.sent_at !== null ? version.sha256 : null;
}

/**
 * Those whose turn it is: whose network's maintenance window is open, and who are there, where they get a template. What
 * somebody gets before it is back could not be stopped any more; its network or group does not wait for it.
 */
async function inTurn(
  tx: Tx,
  { clock }: TurnDeps,
  job: Job,
  later: readonly Later[],
  ended: Map<JobItem, Step>,
): Promise<Later[]> {
  const gwids = job.plan?.windows ? [...new Set(later.flatMap(({ device }) => device.gwid ?? []))] : [];
  const closed = await closedUntil(tx, job.account_id, gwids, clock.now());
  const there: Later[] = [];
  const away: Pinning[] = [];
  for (const one of later) {
    const { item, device } = one;
    const opens = device.gwid === null ? undefined : closed.get(device.gwid);
    if (opens) ended.set(item, ends({ status: 'queued', reason: 'job.window', notBefore: opens }));
    else if (isPinning(one) && device.capabilities !== null && device.onlineSince === null) {
      ended.set(item, ends({ status: 'waiting_offline', reason: 'job.offline' }));
      away.push(one);
    } else there.push(one);
  }
  const standing = away.filter(({ detail }) => detail.pin.stands);
  const late = await overtaken(tx, job, standing);
  for (const { item, detail } of standing)
    if (detail.pin.to && !late.has(item)) await standHere(tx, job.account_id, detail.pin.kind, detail.pin.to);
  return there;
}

const isPinning = (one: Later): one is Pinning => one.detail.pin !== undefined;

/** Gives devices their versions of templates, but those where something has overtaken the item. */
async function giveTemplates(tx: Tx, job: Job, later: readonly Later[], ended: Map<JobItem, Step>): Promise<Later[]> {
  const { account_id: accountId, id } = job;
  const pinning = later.filter(isPinning);
  const late = await overtaken(tx, job, pinning);
  for (const item of late) ended.set(item, ends({ status: 'skipped', reason: 'job.superseded' }));
  for (const kind of ['ac', 'wireless'] as const) {
    const going = pinning.filter(({ item, detail }) => detail.pin.kind === kind && !late.has(item));
    const given = going.map(({ device, detail }) => ({ serial: device.serial, after: detail.pin.to }));
    await takeSteps(tx, accountId, id, kind, given);
    for (const { detail } of going)
      if (detail.pin.stands && detail.pin.to) await standHere(tx, accountId, kind, detail.pin.to);
  }
  return later.filter(({ item }) => !ended.has(item));
}

/**
 * Items whose device has got another template than the item is to take back, or than an earlier run of the item gave it,
 * or got or awaits one of a newer job: an item that waited for its device does not undo what came after it.
 */
async function overtaken(tx: Tx, job: Job, pinning: readonly Pinning[]): Promise<Set<JobItem>> {
  const { account_id: accountId, id } = job;
  const late = new Set<JobItem>();
  if (pinning.length === 0) return late;
  const serials = pinning.map(({ device }) => device.serial);
  const steps = await stepsSince(tx, accountId, id, serials);
  const newer = await begunSince(tx, accountId, job, serials);
  const awaits = new Set(newer.map((item) => `${item.serial} ${pinOf(item)?.kind}`));
  for (const kind of ['ac', 'wireless'] as const) {
    const own = pinning.filter(({ detail }) => detail.pin.kind === kind);
    if (own.length === 0) continue;
    const pins = await ownPins(tx, accountId, kind, serials);
    for (const {
      item,
      device: { serial },
      detail: { pin },
    } of own) {
      const since = steps.filter((step) => step.serial === serial && step.kind === kind);
      const expected = since.some(({ jobId }) => jobId === id) ? pin.to : pin.from;
      const other = expected !== undefined && !samePin(pins.get(serial) ?? null, expected);
      if (other || since.some(({ jobId }) => jobId !== id) || awaits.has(`${serial} ${kind}`)) late.add(item);
    }
  }
  return late;
}

/**
 * Stages what devices should run as things are now. What an earlier run of the same item has brought there is found
 * unchanged, and is this item's doing all the same.
 */
async function stage(tx: Tx, planner: Planner, desk: Desk, job: Job, later: readonly Later[]): Promise<Meant[]> {
  if (later.length === 0) return [];
  const compile = await planner.compiler(
    tx,
    job.account_id,
    later.map(({ device }) => device),
  );
  return later.map(({ item, device, detail }): Meant => {
    const { staging, sha } = planner.stage(desk, device, compile(device), detail, job.id);
    return { item, sha, staging };
  });
}

/**
 * Items that waited for their devices are cancelled: a template that a device was given and never got is taken from it
 * again. What it was sent stays its own.
 */
export async function undoTurn(tx: Tx, { planner }: TurnDeps, items: readonly JobItem[]): Promise<void> {
  const [first] = items;
  const given = items.filter(pinOf);
  if (!first || given.length === 0) return;
  const serials = given.flatMap(({ serial }) => serial ?? []);
  await lockPins(tx, first.account_id, serials);
  const desk = await planner.desk(tx, first.account_id, serials);
  const unsent = given.flatMap((item) => {
    const serial = item.serial ?? '';
    return desk.device(serial) && desk.standing(serial).state.sent_uuid === null && sentBefore(desk, item) === null
      ? [serial]
      : [];
  });
  await undoSteps(tx, first.account_id, first.job_id, unsent);
  for (const serial of unsent) {
    const { state } = desk.standing(serial);
    const version = desk.version(serial, state.desired_uuid);
    if (version?.job_id !== first.job_id) continue;
    // one of which nothing was ever wanted before is left as it is
    if (state.active_uuid === null && state.rejected_uuid === null) desk.forget(serial);
    else {
      desk.overtake(serial, state.last_uuid + 1);
      desk.put(serial, { ...unstaged(state), state: state.active_uuid === null ? 'pending' : 'in_sync' });
    }
  }
  await desk.close();
}
