import type { Tx } from '../../platform/database/index.ts';
import { fleetDevices } from '../fleet/index.ts';
import { boxTree } from '../topology/index.ts';

export interface AssetBox {
  mac: string;
  class: 'gateway' | 'switch' | 'ap' | 'other';
  name: string | null;
  ip: string | null;
  first_at: Date | null;
  last_at: Date | null;
  managed: boolean;
  tags: string[];
  online: boolean | null;
  above: { serial: string | null; name: string | null; port: string | null } | null;
}

/** Returns managed devices and LLDP neighbours. */
export async function boxesOf(tx: Tx, accountId: string, gwid: string, now: Date): Promise<AssetBox[]> {
  const devices = await fleetDevices.seenIn(tx, accountId, gwid, now);
  const { tree, heardAt, gateway } = await boxTree(tx, accountId, gwid, now);
  const byId = new Map(devices.map((device) => [device.serial, device]));
  const above = new Map(
    tree.nodes.map(({ id, parent, link }) => {
      if (parent === null) return [id, null];
      const name = byId.get(parent)?.name ?? tree.equipment.get(parent)?.name ?? null;
      return [id, { serial: byId.has(parent) ? parent : null, name, port: link?.port ?? null }];
    }),
  );
  return [
    ...devices.map(
      (device): AssetBox => ({
        mac: device.serial,
        class: device.serial === gateway ? 'gateway' : device.kind,
        name: device.name,
        ip: null,
        first_at: device.first_seen,
        last_at: device.last_seen,
        managed: true,
        tags: device.tags,
        online: device.status === 'online',
        above: above.get(device.serial) ?? null,
      }),
    ),
    ...[...tree.equipment.values()].flatMap(({ id, mac, name, roles, address }): AssetBox[] => {
      if (mac === null) return [];
      const bridges = roles.some((role) => /bridge/i.test(role)) && !roles.some((role) => /router|wlan/i.test(role));
      return [
        {
          mac,
          class: bridges ? 'switch' : 'other',
          name,
          ip: address,
          first_at: null,
          last_at: heardAt.get(id) ?? null,
          managed: false,
          tags: [],
          online: null,
          above: above.get(id) ?? null,
        },
      ];
    }),
  ];
}
