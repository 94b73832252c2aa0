import type { DataOf, DeviceKind, InputOf, layers, templatePush } from '@yunxun/contract';
import type { Tx } from '../../platform/database/index.ts';
import { deviceGroups, fleetDevices, type ManagedDevice } from '../fleet/index.ts';

export type Targets = Pick<
  InputOf<(typeof templatePush)['templateApply']>,
  'gwids' | 'group_ids' | 'tags' | 'models' | 'serials'
>;

export type Preview = DataOf<(typeof templatePush)['templatePreview']>;

export interface Target {
  device: ManagedDevice;
  scope: 'device' | 'group' | 'network';
  ref: string | null;
}

/** Returns networks and groups, which devices may join later. */
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
 * Prefers hand, model or tag, then group, then network. Switches get AC templates in any way (port rules), wireless
 * ones through their network (VLANs).
 */
export async function resolveTargets(
  tx: Tx,
  { accountId, kind }: { accountId: string; kind: layers.TemplateKind },
  asked: Targets,
  now: Date,
): Promise<Target[]> {
  const targets = new Map<string, Target>();
  const isMeant = (device: ManagedDevice) => kind === 'ac' || device.kind !== 'switch';
  for (const device of await fleetDevices.ofNetworks(tx, accountId, asked.gwids ?? [], now))
    targets.set(device.serial, { device, scope: 'network', ref: device.gwid });
  const grouped = await deviceGroups.devices(tx, accountId, asked.group_ids ?? []);
  for (const device of await fleetDevices.managed(tx, accountId, grouped, now)) {
    if (isMeant(device)) targets.set(device.serial, { device, scope: 'group', ref: device.groupId });
  }
  const tagged: string[] = [];
  for (const tag of asked.tags ?? []) tagged.push(...(await fleetDevices.tagged(tx, accountId, tag)));
  const byHand = [
    ...(await fleetDevices.managed(tx, accountId, [...new Set([...(asked.serials ?? []), ...tagged])], now)),
    ...(await fleetDevices.ofModels(tx, accountId, { models: asked.models ?? [], kinds: kindsWithModels(kind) }, now)),
  ];
  for (const device of byHand) {
    if (isMeant(device)) targets.set(device.serial, { device, scope: 'device', ref: null });
  }
  return [...targets.values()].toSorted((a, b) => (a.device.serial < b.device.serial ? -1 : 1));
}

export function kindsWithModels(kind: layers.TemplateKind): readonly DeviceKind[] {
  return kind === 'ac' ? ['ap', 'switch'] : ['ap'];
}
