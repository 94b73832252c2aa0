import type { layers } from '@yunxun/contract';
import type { Tx } from '../../platform/database/index.ts';
import type { Configuration } from '../configuration/service.ts';
import { placesOf, resolveTargets, type Target, type Targets } from './targets.ts';

type Layers = Configuration['layers'];
type Standing = Awaited<ReturnType<Layers['readStanding']>>[number];

/** Those of some targets that have a template. */
export interface Having {
  targets: Target[];
  /** The networks and groups that it stands for. */
  standing: Standing[];
}

/** Who has a template of those that are named, and of all when nobody is. */
export async function whoHas(
  tx: Tx,
  layers: Layers,
  { accountId, id, kind }: { accountId: string; id: string; kind: layers.TemplateKind },
  named: Targets,
  now: Date,
): Promise<Having> {
  const anybody = Object.values(named).some((list) => list !== undefined && list.length > 0);
  const asked = anybody ? named : await layers.placesWith(tx, accountId, id);
  const standing = await layers.readStanding(tx, accountId, kind, placesOf(asked));
  const all = await resolveTargets(tx, accountId, asked, now);
  const pinsOf = await layers.pinsOf(
    tx,
    accountId,
    all.map(({ device }) => device),
  );
  return {
    targets: all.filter(({ device }) => pinsOf(device)[kind]?.layerId === id),
    standing: standing.filter(({ layerId }) => layerId === id),
  };
}

/**
 * Takes away what stands for networks and groups. Whoever has the template only by that keeps it as its own until its turn
 * comes: who has not had its turn keeps its intent.
 */
export async function clearStanding(
  tx: Tx,
  layers: Layers,
  { accountId, kind }: { accountId: string; kind: layers.TemplateKind },
  { targets, standing }: Having,
): Promise<void> {
  const devices = targets.map(({ device }) => device);
  await layers.ownStanding(tx, accountId, kind, devices);
  const nothing = standing.map(({ scope, ref }) => ({ scope, ref, layerId: null, version: null }));
  await layers.writeStanding(tx, accountId, kind, nothing);
}
