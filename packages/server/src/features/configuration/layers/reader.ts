import type { AccountKeys } from '../../../platform/crypto/account-keys.ts';
import type { Tx } from '../../../platform/database/index.ts';
import type { WirelessIntent } from '../compile/index.ts';
import { readIntents } from '../intent-store.ts';
import { type Layer, type LayerContent, noContent } from './merge-layers.ts';
import {
  type Assignments,
  type LayerVersion,
  type PlacedDevice,
  readAssignments,
  readLayers,
  type ScopeExclusion,
  versionKey,
} from './template-store.ts';

/** Unsaved settings instead of current ones. */
export interface IntendedLayers {
  /** Null: no such template. */
  templates?: Partial<Record<'ac' | 'wireless', LayerVersion | null>>;
  group?: LayerContent;
  without?: ScopeExclusion;
}

export type LayersOf = (device: PlacedDevice, network?: WirelessIntent) => Layer[];

export async function readLayersOf(
  tx: Tx,
  keys: AccountKeys,
  accountId: string,
  devices: readonly PlacedDevice[],
  unsaved: IntendedLayers = {},
): Promise<LayersOf> {
  const assignmentsOf = await readAssignments(tx, accountId, devices, unsaved.without);
  const assignments = devices.flatMap((device) => Object.values(assignmentsOf(device)));
  const wanted = new Map(
    assignments.map((assignment) => [versionKey(assignment.layerId, assignment.version), assignment]),
  );
  const versions = [...wanted.values()].map(({ layerId: id, version }) => ({ id, version }));
  const groups = unsaved.group ? [] : unique(devices.map(({ groupId }) => groupId));
  const layers = await readLayers(tx, keys, accountId, { versions, groups });
  const networks = await readIntents(tx, keys, accountId, unique(devices.map(({ gwid }) => gwid)));

  const templateOf = (kind: 'ac' | 'wireless', own: Assignments): Layer[] => {
    const instead = unsaved.templates?.[kind];
    const assignment = own[kind];
    const found =
      instead === undefined ? assignment && layers.get(versionKey(assignment.layerId, assignment.version)) : instead;
    return found ? [{ kind, id: found.id, name: found.name, content: found.content }] : [];
  };
  return (device, intent) => {
    const { gwid, groupId } = device;
    const own = assignmentsOf(device);
    const network = intent ?? (gwid === null ? undefined : networks.get(gwid)?.value);
    const group = groupId === null ? undefined : (unsaved.group ?? layers.get(groupId)?.content);
    return [
      ...templateOf('ac', own),
      ...templateOf('wireless', own),
      ...(network && gwid !== null ? [{ ...networkLayer(network), id: gwid }] : []),
      ...(group && groupId !== null ? [{ kind: 'group' as const, id: groupId, name: '', content: group }] : []),
    ];
  };
}

function networkLayer({ country, ssids, radios }: WirelessIntent): Omit<Layer, 'id'> {
  return { kind: 'network', name: '', content: { ...noContent, country, ssids, radios } };
}

function unique(ids: readonly (string | null)[]): string[] {
  return [...new Set(ids.filter((id) => id !== null))];
}
