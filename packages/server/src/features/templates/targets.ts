import type { DataOf, InputOf, templatePush } from '@yunxun/contract';
import type { Tx } from '../../platform/database/index.ts';
import { devicesOfGroups } from '../fleet/groups.ts';
import {
  accessPointsOfModels,
  devicesOfNetworks,
  type ManagedDevice,
  managedDevices,
} from '../fleet/managed-devices.ts';
import { devicesByTag } from '../fleet/tags.ts';

/** Who gets a template, as it was asked for. */
export type Targets = Pick<
  InputOf<(typeof templatePush)['templateApply']>,
  'gwids' | 'group_ids' | 'tags' | 'models' | 'serials'
>;

export type Preview = DataOf<(typeof templatePush)['templatePreview']>;

/** A device that is to get a template, and whether it comes to it by itself, by its group or by its network. */
export interface Target {
  device: ManagedDevice;
  scope: 'device' | 'group' | 'network';
  ref: string | null;
}

/** Networks and groups that were asked for: what comes to them later gets the template too. */
export function placesOf({
  gwids = [],
  group_ids: groups = [],
}: Targets): { scope: 'group' | 'network'; ref: string }[] {
  return [
    ...gwids.map((ref) => ({ scope: 'network' as const, ref })),
    ...groups.map((ref) => ({ scope: 'group' as const, ref })),
  ];
}

/**
 * The devices that are meant, by serial. Who is meant in several ways is meant by the most particular: by hand, by model or
 * tag before by group before by network. Switches are in it only with their network, whose VLANs they carry.
 */
export async function resolveTargets(tx: Tx, accountId: string, asked: Targets, now: Date): Promise<Target[]> {
  const targets = new Map<string, Target>();
  for (const device of await devicesOfNetworks(tx, accountId, asked.gwids ?? [], now))
    targets.set(device.serial, { device, scope: 'network', ref: device.gwid });
  const grouped = await devicesOfGroups(tx, accountId, asked.group_ids ?? []);
  for (const device of await managedDevices(tx, accountId, grouped, now)) {
    if (device.kind !== 'switch') targets.set(device.serial, { device, scope: 'group', ref: device.groupId });
  }
  const tagged: string[] = [];
  for (const tag of asked.tags ?? []) tagged.push(...(await devicesByTag(tx, accountId, tag)));
  const byHand = [
    ...(await managedDevices(tx, accountId, [...new Set([...(asked.serials ?? []), ...tagged])], now)),
    ...(await accessPointsOfModels(tx, accountId, asked.models ?? [], now)),
  ];
  for (const device of byHand) {
    if (device.kind !== 'switch') targets.set(device.serial, { device, scope: 'device', ref: null });
  }
  return [...targets.values()].toSorted((a, b) => (a.device.serial < b.device.serial ? -1 : 1));
}
