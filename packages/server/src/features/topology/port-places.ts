import type { Tx } from '../../platform/database/index.ts';
import { boxTree } from './service.ts';

export interface PortPlace {
  serial: string;
  port: string;
}

/** Returns switch ports by LLDP and MAC tables; other MACs are missing. */
export async function portPlaces(
  tx: Tx,
  { accountId, gwid, now, macs }: { accountId: string; gwid: string; now: Date; macs: ReadonlySet<string> },
): Promise<ReadonlyMap<string, PortPlace>> {
  const { tree, devices } = await boxTree(tx, accountId, gwid, now, macs);
  const places = new Map<string, PortPlace>();
  for (const { id, parent, link } of tree.nodes) {
    const mac = id.replace(/^(sta|mac):/, '');
    if (!macs.has(mac) || parent === null || !link?.port || link.source === 'wireless') continue;
    if (devices.get(parent)?.kind === 'switch') places.set(mac, { serial: parent, port: link.port });
  }
  return places;
}
