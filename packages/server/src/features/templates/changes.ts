import type { DataOf, InputOf, templatePush } from '@yunxun/contract';
import type { Acting } from '../../platform/acting.ts';
import { requireWholeAccount } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import { newId, type Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import type { Configuration } from '../configuration/index.ts';
import { fleetDevices, fleetNetworks } from '../fleet/index.ts';
import { record } from '../logs/index.ts';
import {
  type Change,
  findChange,
  insertChange,
  insertRound,
  listChanges,
  lockChange,
  type Round,
} from './change-store.ts';
import { planDevices, reassignWaves } from './plan.ts';
import {
  endedBadly,
  isOpen,
  isReversed,
  mayReverse,
  type Progress,
  presentChange,
  presentChanges,
  progressOfChange,
  stoppedBack,
} from './progress.ts';
import { type AssignmentPart, assignmentParts, unassignmentParts } from './push-parts.ts';
import { placesOf, resolveTargets } from './targets.ts';
import { findAssignments, unassignScopes } from './unassign-template.ts';

type Contract = typeof templatePush;

export interface ChangeDeps {
  clock: Clock;
  configuration: Pick<Configuration, 'layers' | 'changes'>;
}

/** `retry` repeats a rejected document. */
const causes = {
  push: 'template_pushed',
  resume: 'template_pushed',
  retry: 'retry',
  reverse: 'template_taken_back',
} as const satisfies Record<Round['cause'], string>;

export function createChanges({ clock, configuration }: ChangeDeps) {
  const { layers, changes } = configuration;

  /** @throws Failure notFound */
  async function held(tx: Tx, acting: Acting, id: string): Promise<{ change: Change; progress: Progress }> {
    requireWholeAccount(acting, 'config.write');
    const change = await lockChange(tx, acting.accountId, id);
    if (!change) throw new Failure('notFound');
    return { change, progress: await progressOfChange(tx, acting.accountId, id) };
  }

  /** @returns the job id; null without devices */
  async function begin(
    tx: Tx,
    acting: Acting,
    change: Change,
    next: Pick<Round, 'cause' | 'round'> & {
      parts: readonly AssignmentPart[];
      again?: boolean;
      startAt?: Date | undefined;
    },
  ): Promise<string | null> {
    const { accountId } = acting;
    const { cause, round, parts, startAt, again: insists } = next;
    const author = acting.actor?.name ?? acting.source;
    const why = insists ? 'retry' : causes[cause];
    const reason = {
      cause: change.takes_off && why === 'template_pushed' ? 'template_taken_off' : why,
      author,
    } as const;
    const { canary: first, rest: restSeconds, stop_above: stopAbove, windows = false } = change.plan;
    const plan = { first, restSeconds, stopAbove, windows };
    const how = { kind: change.kind, plan, startAt };
    const jobId = parts.length > 0 ? await layers.push(tx, acting, parts, reason, how) : null;
    const made = { created_at: clock.now(), created_by: author };
    await insertRound(tx, { account_id: accountId, change_id: change.id, round, cause, job_id: jobId, ...made });
    return jobId;
  }

  async function again(
    tx: Tx,
    acting: Acting,
    id: string,
    cause: 'retry' | 'resume',
    which: (device: Progress['devices'][number]) => boolean,
  ): Promise<DataOf<Contract['changeRetry']>> {
    const { change, progress } = await held(tx, acting, id);
    const selected = progress.devices.filter((device) => device.cause !== 'reverse' && which(device));
    const chosen = cause === 'resume' ? await reassignWaves(tx, change, selected, clock.now()) : selected;
    if (chosen.length === 0 || isReversed(progress.rounds, progress.devices))
      throw new Failure('inUse', { params: { kind: 'nothing' } });
    const parts = change.takes_off
      ? await unassignmentParts(tx, layers, change, chosen)
      : await assignmentParts(tx, layers, change, { cause, chosen, all: progress.devices }, clock.now());
    if (parts.length === 0) throw new Failure('inUse', { params: { kind: 'nothing' } });
    const jobId = await begin(tx, acting, change, { cause, round: progress.rounds.length, parts });
    await record(tx, acting, {
      action: `template.${cause}`,
      object: { type: 'template', id: change.layer_id, name: change.name },
      after: { ...(change.takes_off ? {} : { version: change.version }), devices: parts.length },
      ...(jobId && { jobId }),
      command: true,
    });
    return { job_id: jobId, devices: parts.length };
  }

  async function start(
    tx: Tx,
    acting: Acting,
    given: Pick<
      Change,
      'layer_id' | 'kind' | 'name' | 'version' | 'takes_off' | 'targets' | 'plan' | 'standing_before'
    > & {
      parts: readonly AssignmentPart[];
      startAt: string | null | undefined;
    },
  ): Promise<DataOf<Contract['templateApply']>> {
    const { parts, startAt, ...what } = given;
    const id = newId(clock.now().getTime());
    const at = startAt ? new Date(startAt) : null;
    const change: Change = {
      ...what,
      account_id: acting.accountId,
      id,
      start_at: at,
      created_at: clock.now(),
      created_by: acting.actor?.name ?? acting.source,
    };
    await insertChange(tx, change);
    const jobId = await begin(tx, acting, change, { cause: 'push', round: 0, parts, startAt: at ?? undefined });
    await record(tx, acting, {
      action: what.takes_off ? 'template.take_off' : 'template.apply',
      object: { type: 'template', id: what.layer_id, name: what.name },
      after: {
        ...(what.takes_off ? {} : { version: what.version }),
        devices: parts.length,
        ...what.targets,
        plan: what.plan,
        start_at: startAt ?? null,
      },
      inverse: { path: '/api/v3/wireless_template/rollback', input: { change_id: id } },
      ...(jobId && { jobId }),
    });
    return { change_id: id, job_id: jobId, devices: parts.length };
  }

  /** @throws Failure inUse if the template is unused */
  async function unassignTemplate(
    tx: Tx,
    acting: Acting,
    layer: { id: string; kind: Change['kind']; name: string; version: number },
    {
      plan,
      startAt,
      targets,
    }: { plan: Change['plan']; startAt: string | null | undefined; targets: Change['targets'] },
  ): Promise<DataOf<Contract['templateApply']>> {
    const { accountId } = acting;
    const key = { accountId, id: layer.id, kind: layer.kind };
    const having = await findAssignments(tx, layers, key, targets, clock.now());
    const all = planDevices(having.targets, plan);
    if (all.length + having.scopeAssignments.length === 0) throw new Failure('inUse', { params: { kind: 'nothing' } });
    const gwids = [...new Set(all.flatMap(({ device }) => device.gwid ?? []))];
    await changes.before(tx, acting, { gwids, cause: 'template_taken_back' });
    await unassignScopes(tx, layers, key, having);
    const serials = all.map(({ device }) => device.serial);
    const assignments = await layers.ownAssignments(tx, accountId, layer.kind, serials);
    const parts = all.map(({ device, wave }): AssignmentPart => {
      return { device, wave, to: null, from: assignments.get(device.serial) ?? null };
    });
    return start(tx, acting, {
      layer_id: layer.id,
      kind: layer.kind,
      name: layer.name,
      version: layer.version,
      takes_off: true,
      targets,
      plan,
      standing_before: having.scopeAssignments,
      parts,
      startAt,
    });
  }

  return {
    /** @throws Failure notFound, deviceOffline without devices, inUse (removal of an unused template) */
    async apply(
      tx: Tx,
      acting: Acting,
      input: InputOf<Contract['templateApply']>,
    ): Promise<DataOf<Contract['templateApply']>> {
      requireWholeAccount(acting, 'config.write');
      const { accountId } = acting;
      const { id: layerId, version: asked, plan, start_at: startAt, ...targets } = input;
      const { kind, name, version: newest } = await layers.need(tx, accountId, layerId);
      if (kind === 'group') throw new Failure('notFound');
      if (asked === null)
        return unassignTemplate(tx, acting, { id: layerId, kind, name, version: newest }, { plan, startAt, targets });
      const { version } = await layers.read(tx, accountId, layerId, asked ?? newest);
      const all = planDevices(await resolveTargets(tx, { accountId, kind }, targets, clock.now()), plan);
      if (all.length === 0)
        throw new Failure('deviceOffline', { data: { queue_allowed: false }, params: { action: 'no_device' } });
      const gwids = [...new Set(all.flatMap(({ device }) => device.gwid ?? []))];
      await changes.before(tx, acting, { gwids, cause: 'template_pushed' });
      const places = placesOf(targets);
      const before = await layers.readScopeAssignments(tx, accountId, kind, places);
      const parts = all.map(({ device, wave, scope, ref, assignsScope }): AssignmentPart => {
        return { device, wave, to: { layerId, version, scope, ref }, assignsScope };
      });
      // the first device to join gets it
      const reached = new Set(all.map(({ scope, ref }) => `${scope} ${ref}`));
      const empty = before.filter(({ scope, ref }) => !reached.has(`${scope} ${ref}`));
      await layers.writeScopeAssignments(
        tx,
        accountId,
        kind,
        empty.map((place) => ({ ...place, layerId, version })),
      );
      return start(tx, acting, {
        layer_id: layerId,
        kind,
        name,
        version,
        takes_off: false,
        targets,
        plan,
        standing_before: before,
        parts,
        startAt,
      });
    },

    retry: (tx: Tx, acting: Acting, id: string) => again(tx, acting, id, 'retry', endedBadly),

    /** Stops all rounds: a retry may run too. */
    async stop(tx: Tx, acting: Acting, id: string): Promise<DataOf<Contract['changeStop']>> {
      const { change, progress } = await held(tx, acting, id);
      const answer = { cancelled: 0, going_on: 0 };
      for (const { job_id: jobId } of progress.rounds) {
        if (jobId === null) continue;
        const { cancelled, goingOn } = await layers.cancel(tx, acting.accountId, jobId);
        answer.cancelled += cancelled;
        answer.going_on += goingOn.length;
      }
      await record(tx, acting, {
        action: 'template.stop',
        object: { type: 'template', id: change.layer_id, name: change.name },
        after: { ...(change.takes_off ? {} : { version: change.version }), ...answer },
      });
      return answer;
    },

    async resume(tx: Tx, acting: Acting, { change_id: id, without = [] }: InputOf<Contract['changeResume']>) {
      const { progress } = await held(tx, acting, id);
      const open = progress.devices.filter(({ status }) => status === 'cancelled').map(({ serial }) => serial);
      const devices = await fleetDevices.names(tx, acting.accountId, open);
      return again(tx, acting, id, 'resume', ({ serial, status }) => {
        return status === 'cancelled' && !without.includes(devices.get(serial)?.model ?? '');
      });
    },

    /**
     * Rolls back wholly or on some networks, and cancels the rest. Devices with another template keep it.
     * @throws Failure inUse if nothing can be rolled back
     */
    async rollback(
      tx: Tx,
      acting: Acting,
      { change_id: id, gwids }: InputOf<Contract['templateRollback']>,
    ): Promise<DataOf<Contract['templateRollback']>> {
      const { accountId } = acting;
      const { change, progress } = await held(tx, acting, id);
      const { kind, layer_id: layerId, version } = change;
      const jobs = progress.rounds.filter(({ cause }) => cause !== 'reverse').flatMap(({ job_id }) => job_id ?? []);
      const places = new Map(progress.devices.map((device) => [device.serial, device]));
      const here = ({ gwid }: { gwid: string | null }) => !gwids || gwids.includes(gwid ?? '');
      const had = await layers.steppedDevices(tx, accountId, jobs);
      const concerned = progress.devices.filter((one) => here(one) && (had.has(one.serial) || isOpen(one)));
      // lock order: backups first
      const touched = [...new Set(concerned.flatMap(({ gwid }) => gwid ?? []))];
      await changes.before(tx, acting, { gwids: touched, cause: 'template_taken_back' });
      for (const job of jobs) await layers.endRolloutSteps(tx, job);
      const going = new Set<string>();
      const ended = new Set(progress.devices.filter(here).map(({ serial }) => serial));
      for (const job of jobs) {
        const { goingOn } = await layers.cancel(tx, accountId, job, ended);
        for (const { serial } of goingOn) if (serial !== null) going.add(serial);
      }
      const first = new Map<string, AssignmentPart>();
      for (const { serial, before, after } of await layers.stepsOf(tx, accountId, jobs)) {
        going.delete(serial);
        const device = places.get(serial);
        if (!device || first.has(serial) || !mayReverse(device) || !here(device)) continue;
        const went = device.cause === 'reverse' && !stoppedBack(device);
        first.set(serial, { device, wave: 0, to: before, from: went ? before : after });
      }
      // running items without the template get nothing before the commit
      await layers.lockAssignments(tx, accountId, [...going]);
      const assignments = await layers.ownAssignments(tx, accountId, kind, [...going]);
      const spared = [...going].flatMap((serial) => {
        const device = places.get(serial);
        return device && mayReverse(device) ? [{ device, assignment: assignments.get(serial) ?? null }] : [];
      });
      for (const { device, assignment } of spared)
        first.set(device.serial, { device, wave: 0, to: assignment, from: assignment });
      const parts = [...first.values()];
      const scopeAssignments = (await layers.readScopeAssignments(tx, accountId, kind, change.standing_before)).filter(
        (now) => {
          const inScope = !gwids || (now.scope === 'network' && gwids.includes(now.ref));
          const its = change.takes_off ? now.layerId === null : now.layerId === layerId && now.version === version;
          return inScope && its;
        },
      );
      if (parts.length === 0 && scopeAssignments.length === 0)
        throw new Failure('inUse', { params: { kind: 'nothing' } });
      const old = change.standing_before.filter(({ ref }) => scopeAssignments.some((now) => now.ref === ref));
      await layers.writeScopeAssignments(tx, accountId, kind, old);
      const insists = parts.some(({ device }) => {
        const at = places.get(device.serial);
        return at?.cause === 'reverse' && endedBadly(at);
      });
      const jobId = await begin(tx, acting, change, {
        cause: 'reverse',
        round: progress.rounds.length,
        parts,
        again: insists,
      });
      // marks running items as superseded
      const kept = spared.map(({ device, assignment }) => ({ serial: device.serial, after: assignment }));
      if (jobId !== null) await layers.appendAssignmentLog(tx, accountId, jobId, kind, kept);
      await record(tx, acting, {
        action: 'template.rollback',
        object: { type: 'template', id: layerId, name: change.name },
        before: { ...(change.takes_off ? {} : { version }), devices: parts.length },
        after: { gwids: gwids ?? null },
        ...(jobId && { jobId }),
      });
      return { job_id: jobId, devices: parts.length };
    },

    async list(
      tx: Tx,
      acting: Acting,
      input: InputOf<Contract['changeList']>,
    ): Promise<DataOf<Contract['changeList']>> {
      requireWholeAccount(acting, 'config.read');
      const limit = input.limit ?? 10;
      const page = { offset: ((input.page ?? 1) - 1) * limit, limit, descending: input.order !== 'asc' };
      const { rows, total } = await listChanges(tx, acting.accountId, input.id, page);
      return { list: await presentChanges(tx, acting.accountId, rows), total };
    },

    async detail(tx: Tx, acting: Acting, id: string): Promise<DataOf<Contract['changeDetail']>> {
      requireWholeAccount(acting, 'config.read');
      const { accountId } = acting;
      const change = await findChange(tx, accountId, id);
      if (!change) throw new Failure('notFound');
      const progress = await progressOfChange(tx, accountId, id);
      const { rounds, devices } = progress;
      // its wave has not run
      const stepped = await layers.steppedDevices(
        tx,
        accountId,
        rounds.flatMap(({ job_id }) => job_id ?? []),
      );
      const mayBack = (one: (typeof devices)[number]) => mayReverse(one) && stepped.has(one.serial);
      const names = await fleetDevices.names(
        tx,
        accountId,
        devices.map(({ serial }) => serial),
      );
      const networks = await fleetNetworks.names(
        tx,
        accountId,
        devices.flatMap(({ gwid }) => gwid ?? []),
      );
      return {
        ...presentChange(change, progress),
        rounds: rounds.map(({ round, cause, job_id, created_at, created_by }) => ({
          round,
          cause,
          job_id,
          created_at: created_at.toISOString(),
          created_by,
          devices: progress.sizes.get(job_id ?? '') ?? 0,
          stopped: progress.stopped.get(job_id ?? '') ?? null,
        })),
        networks: [...networks]
          .map(([gwid, name]) => {
            return { gwid, name, devices: devices.filter((one) => one.gwid === gwid && mayBack(one)).length };
          })
          .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
        devices: devices.map(({ serial, name, gwid, wave, status, reason, cause }) => ({
          serial,
          name,
          gwid,
          wave,
          status,
          reason,
          cause,
          model: names.get(serial)?.model ?? null,
        })),
      };
    },
  };
}
