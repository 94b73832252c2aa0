import type { layers } from '@yunxun/contract';
import type { Tx } from '../../platform/database/index.ts';
import type { Configuration } from '../configuration/index.ts';
import { placesOf, resolveTargets, type Target, type Targets } from './targets.ts';

type Layers = Configuration['layers'];
type ScopeAssignment = Awaited<ReturnType<Layers['readScopeAssignments']>>[number];

export interface TemplateAssignments {
  targets: Target[];
  scopeAssignments: ScopeAssignment[];
}

/** Returns all if none are named. */
export async function findAssignments(
  tx: Tx,
  layers: Layers,
  { accountId, id, kind }: { accountId: string; id: string; kind: layers.TemplateKind },
  named: Targets,
  now: Date,
): Promise<TemplateAssignments> {
  const hasTargets = Object.values(named).some((list) => list !== undefined && list.length > 0);
  const asked = hasTargets ? named : await layers.placesWith(tx, accountId, id);
  const scopeAssignments = await layers.readScopeAssignments(tx, accountId, kind, placesOf(asked));
  const all = await resolveTargets(tx, { accountId, kind }, asked, now);
  const assignmentsOf = await layers.assignmentsOf(
    tx,
    accountId,
    all.map(({ device }) => device),
  );
  return {
    targets: all.filter(({ device }) => assignmentsOf(device)[kind]?.layerId === id),
    scopeAssignments: scopeAssignments.filter(({ layerId }) => layerId === id),
  };
}

/**
 * Unassigns networks and groups. Devices that inherited first get an explicit assignment: their configuration stays
 * until their wave runs.
 */
export async function unassignScopes(
  tx: Tx,
  layers: Layers,
  { accountId, kind }: { accountId: string; kind: layers.TemplateKind },
  { targets, scopeAssignments }: TemplateAssignments,
): Promise<void> {
  const devices = targets.map(({ device }) => device);
  await layers.ownScopeAssignments(tx, accountId, kind, devices);
  const nothing = scopeAssignments.map(({ scope, ref }) => ({ scope, ref, layerId: null, version: null }));
  await layers.writeScopeAssignments(tx, accountId, kind, nothing);
}
