import type { Clock } from '../../platform/clock.ts';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import type { Tx } from '../../platform/database/index.ts';
import { type ManagedDevice, maintenance } from '../fleet/index.ts';
import { type Job, type JobItem, openWork } from '../jobs/index.ts';
import { releaseHolds } from './block-hold-store.ts';
import type { ConfigSession } from './config-session.ts';
import { awaitingReport } from './first-contact/unsettled.ts';
import {
  appendAssignmentLog,
  assignToScope,
  beginRolloutStep,
  isSameAssignment,
  lockAssignments,
  readAssignmentLogSince,
  readOwnAssignments,
  revertAssignments,
} from './layers/assignment-store.ts';
import type { Planner } from './planner.ts';
import { type AssignmentChange, assignmentOf, detailOf, type LaterDetail } from './push-items.ts';
import { decideSteps, endWith, type PlannedItem, type Step, unreported } from './push-steps.ts';
import { unstaged } from './transitions.ts';

export interface StepDeps {
  clock: Clock;
  keys: AccountKeys;
  planner: Planner;
}

interface Later {
  item: JobItem;
  device: ManagedDevice;
  detail: LaterDetail;
}

type AssigningItem = Later & { detail: { pin: AssignmentChange } };

export interface Begun {
  sha: string;
  since: Date;
  step: Step;
}

/** Sends staged documents at once. @returns in item order */
export async function stageStep(tx: Tx, deps: StepDeps, items: readonly JobItem[], job: Job): Promise<Begun[]> {
  const { account_id: accountId } = job;
  const serials = items.flatMap(({ serial }) => serial ?? []);
  await beginRolloutStep(tx, job.id);
  // lock order: assignments before states
  if (items.some(assignmentOf)) await lockAssignments(tx, accountId, serials);
  const session = await deps.planner.openSession(tx, accountId, serials);
  const ended = new Map<JobItem, Step>();
  const planned: PlannedItem[] = [];
  const later: Later[] = [];
  for (const item of items) {
    const detail = detailOf(item);
    const device = session.device(item.serial ?? '');
    const before = sentBefore(session, item);
    if (!device) ended.set(item, endWith({ status: 'cancelled', reason: 'job.unbound' }));
    // sent by an earlier run: find the result
    else if (before !== null) planned.push({ item, sha: before, staging: 'staged' });
    else if (detail.staging === 'later') later.push({ item, device, detail });
    else planned.push({ item, sha: detail.sha, staging: detail.staging });
  }
  const ready = await selectReady(tx, deps, job, later, ended);
  const assigned = await assignTemplates(tx, job, ready, ended);
  planned.push(...(await stage(tx, deps.planner, session, job, assigned)));
  const steps = await decideSteps(tx, deps, accountId, session, planned, job.created_at);
  await session.close();
  const since = job.created_at;
  const begun = new Map(planned.map(({ item, sha }, at) => [item as JobItem, { sha, since, step: steps[at]! }]));
  return items.map((item) => begun.get(item) ?? { sha: '', since, step: ended.get(item)! });
}

function sentBefore(session: ConfigSession, { serial, job_id }: JobItem): string | null {
  const { state } = session.stateOf(serial ?? '');
  const version = session.version(serial ?? '', state.desired_uuid);
  return version?.job_id === job_id && version.sent_at !== null ? version.sha256 : null;
}

/**
 * Selects items that may run: in their window and, for templates, online, because an offline device's assignment could
 * not be stopped later. Assignments of networks and groups are written even while devices are offline.
 */
async function selectReady(
  tx: Tx,
  { clock }: StepDeps,
  job: Job,
  later: readonly Later[],
  ended: Map<JobItem, Step>,
): Promise<Later[]> {
  const gwids = job.plan?.windows ? [...new Set(later.flatMap(({ device }) => device.gwid ?? []))] : [];
  const nights = job.plan?.nights ?? false;
  const closed = await maintenance.closedUntil(tx, job.account_id, gwids, clock.now(), { nights });
  const awaited = await awaitingReport(
    tx,
    job.account_id,
    later.map(({ device }) => device),
  );
  const ready: Later[] = [];
  const offline: AssigningItem[] = [];
  for (const one of later) {
    const { item, device } = one;
    const opens = device.gwid === null ? undefined : closed.get(device.gwid);
    if (opens) ended.set(item, endWith({ status: 'queued', reason: 'job.window', notBefore: opens }));
    else if (awaited.has(device.serial) && !(isAssigning(one) && device.onlineSince === null)) {
      const reason = device.onlineSince === null ? 'job.offline' : unreported;
      ended.set(item, endWith({ status: 'waiting_offline', reason }));
    } else if (isAssigning(one) && device.capabilities !== null && device.onlineSince === null) {
      ended.set(item, endWith({ status: 'waiting_offline', reason: 'job.offline' }));
      offline.push(one);
    } else ready.push(one);
  }
  const scopeItems = offline.filter(({ detail }) => detail.pin.stands);
  const late = await findSuperseded(tx, job, scopeItems);
  for (const { item, detail } of scopeItems)
    if (detail.pin.to && !late.has(item)) await assignToScope(tx, job.account_id, detail.pin.kind, detail.pin.to);
  return ready;
}

const isAssigning = (one: Later): one is AssigningItem => one.detail.pin !== undefined;

async function assignTemplates(tx: Tx, job: Job, later: readonly Later[], ended: Map<JobItem, Step>): Promise<Later[]> {
  const { account_id: accountId, id } = job;
  const assigning = later.filter(isAssigning);
  const late = await findSuperseded(tx, job, assigning);
  for (const item of late) ended.set(item, endWith({ status: 'skipped', reason: 'job.superseded' }));
  for (const kind of ['ac', 'wireless'] as const) {
    const going = assigning.filter(({ item, detail }) => detail.pin.kind === kind && !late.has(item));
    const given = going.map(({ device, detail }) => ({ serial: device.serial, after: detail.pin.to }));
    await appendAssignmentLog(tx, accountId, id, kind, given);
    for (const { detail } of going)
      if (detail.pin.stands && detail.pin.to) await assignToScope(tx, accountId, kind, detail.pin.to);
  }
  return later.filter(({ item }) => !ended.has(item));
}

/** Finds items of an older assignment or job: late devices must not undo later changes. */
async function findSuperseded(tx: Tx, job: Job, assigning: readonly AssigningItem[]): Promise<Set<JobItem>> {
  const { account_id: accountId, id } = job;
  const late = new Set<JobItem>();
  if (assigning.length === 0) return late;
  const serials = assigning.map(({ device }) => device.serial);
  const steps = await readAssignmentLogSince(tx, accountId, id, serials);
  const newer = await openWork.begunSince(tx, accountId, job, serials);
  const awaits = new Set(newer.map((item) => `${item.serial} ${assignmentOf(item)?.kind}`));
  for (const kind of ['ac', 'wireless'] as const) {
    const own = assigning.filter(({ detail }) => detail.pin.kind === kind);
    if (own.length === 0) continue;
    const assignments = await readOwnAssignments(tx, accountId, kind, serials);
    for (const {
      item,
      device: { serial },
      detail: { pin: assignment },
    } of own) {
      const since = steps.filter((step) => step.serial === serial && step.kind === kind);
      const expected = since.some(({ jobId }) => jobId === id) ? assignment.to : assignment.from;
      const other = expected !== undefined && !isSameAssignment(assignments.get(serial) ?? null, expected);
      if (other || since.some(({ jobId }) => jobId !== id) || awaits.has(`${serial} ${kind}`)) late.add(item);
    }
  }
  return late;
}

/** Counts a document of the item's earlier run. */
async function stage(
  tx: Tx,
  planner: Planner,
  session: ConfigSession,
  job: Job,
  later: readonly Later[],
): Promise<PlannedItem[]> {
  if (later.length === 0) return [];
  const compile = await planner.compiler(
    tx,
    job.account_id,
    later.map(({ device }) => device),
  );
  await releaseHolds(
    tx,
    job.account_id,
    later.map(({ device }) => device.serial),
  );
  return later.map(({ item, device, detail }): PlannedItem => {
    const { staging, sha } = planner.stage(session, device, compile(device), detail, job.id);
    return { item, sha, staging };
  });
}

/** Reverts assignments of cancelled, unsent items. */
export async function undoStep(tx: Tx, { planner }: StepDeps, items: readonly JobItem[]): Promise<void> {
  const [first] = items;
  const given = items.filter(assignmentOf);
  if (!first || given.length === 0) return;
  const serials = given.flatMap(({ serial }) => serial ?? []);
  await lockAssignments(tx, first.account_id, serials);
  const session = await planner.openSession(tx, first.account_id, serials);
  const unsent = given.flatMap((item) => {
    const serial = item.serial ?? '';
    return session.device(serial) &&
      session.stateOf(serial).state.sent_uuid === null &&
      sentBefore(session, item) === null
      ? [serial]
      : [];
  });
  await revertAssignments(tx, first.account_id, first.job_id, unsent);
  for (const serial of unsent) {
    const { state } = session.stateOf(serial);
    const version = session.version(serial, state.desired_uuid);
    if (version?.job_id !== first.job_id) continue;
    // unmanaged again
    if (state.active_uuid === null && state.rejected_uuid === null) session.forget(serial);
    else {
      session.overtake(serial, state.last_uuid + 1);
      session.put(serial, { ...unstaged(state), state: state.active_uuid === null ? 'pending' : 'in_sync' });
    }
  }
  await session.close();
}
