import type { Tx } from '../../platform/database/index.ts';
import type { Configuration } from '../configuration/index.ts';
import type { Change, Round } from './change-store.ts';
import { type DeviceProgress, isOpen } from './progress.ts';
import { resolveTargets, type Target } from './targets.ts';

type Layers = Configuration['layers'];
export type AssignmentPart = Parameters<Layers['push']>[2][number];

export interface Chosen {
  cause: Extract<Round['cause'], 'retry' | 'resume'>;
  chosen: readonly DeviceProgress[];
  all: readonly DeviceProgress[];
}

const placeName = ({ scope, ref }: Pick<Target, 'scope' | 'ref'>) => `${scope} ${ref}`;

/** Lets the last device of a scope assign it, unless devices would inherit the template before their wave. */
export async function assignmentParts(
  tx: Tx,
  layers: Layers,
  change: Change,
  { cause, chosen, all }: Chosen,
  now: Date,
): Promise<AssignmentPart[]> {
  const key = { accountId: change.account_id, kind: change.kind };
  const targets = await resolveTargets(tx, key, change.targets, now);
  const byName = new Map(targets.map((target) => [target.device.serial, target]));
  const going = chosen
    .flatMap(({ serial, wave }) => {
      const target = byName.get(serial);
      return target ? [{ ...target, wave }] : [];
    })
    .toSorted((a, b) => a.wave - b.wave);
  const last = new Map(going.map((one) => [placeName(one), one.device.serial]));
  const names = new Set(chosen.map(({ serial }) => serial));
  const left = all
    .filter((one) => !names.has(one.serial) && !hadStep(one))
    .flatMap(({ serial }) => byName.get(serial) ?? [])
    .filter((one) => last.has(placeName(one)));
  // excluded devices keep their template
  const bare = cause === 'resume' ? await keepOwn(tx, layers, change, left) : left;
  for (const one of bare) last.delete(placeName(one));
  return going.map(({ device, wave, scope, ref }): AssignmentPart => {
    const to = { layerId: change.layer_id, version: change.version, scope, ref };
    return { device, wave, to, assignsScope: scope !== 'device' && last.get(placeName(to)) === device.serial };
  });
}

/** Keeps other templates assigned since. */
export async function unassignmentParts(
  tx: Tx,
  layers: Layers,
  change: Change,
  chosen: readonly DeviceProgress[],
): Promise<AssignmentPart[]> {
  const serials = chosen.map(({ serial }) => serial);
  const assignments = await layers.ownAssignments(tx, change.account_id, change.kind, serials);
  return chosen.flatMap(({ wave, ...device }): AssignmentPart[] => {
    const assignment = assignments.get(device.serial) ?? null;
    return assignment === null || assignment.layerId === change.layer_id
      ? [{ device, wave, to: null, from: assignment }]
      : [];
  });
}

const hadStep = (device: DeviceProgress) =>
  device.cause !== 'reverse' && device.status !== 'cancelled' && !isOpen(device);

/** Stores inherited assignments as own. @returns devices without any */
async function keepOwn(
  tx: Tx,
  layers: Layers,
  { account_id: accountId, kind }: Change,
  targets: readonly Target[],
): Promise<Target[]> {
  const devices = targets.map(({ device }) => device);
  const assignmentsOf = await layers.ownScopeAssignments(tx, accountId, kind, devices);
  return targets.filter(({ device }) => !assignmentsOf(device)[kind]);
}
