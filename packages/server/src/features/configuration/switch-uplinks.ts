import { normaliseMac } from '@yunxun/contract/device';
import type { Tx } from '../../platform/database/index.ts';
import { type KeptLinks, type KeptPeer, linkReports } from '../../telemetry/read/index.ts';
import { fleetDevices, type ManagedDevice } from '../fleet/index.ts';
import { readPorts, writeUplinks } from './port-store.ts';

type DrawnDevice = Awaited<ReturnType<typeof fleetDevices.drawn>>[number];

export type Neighbour = Pick<DrawnDevice, 'serial' | 'kind' | 'routes' | 'macs'>;

const isRouter = ({ roles }: KeptPeer) => roles.some((role) => /^router$/i.test(role));

/**
 * Ports where LLDP announces the gateway or a router, or that learned the gateway's MAC. Own access points are no
 * routers. A port of `before` stays while up without other neighbours: LLDP and MAC tables are empty after a start.
 */
export function uplinksOf(
  { ports, lldp, macs }: KeptLinks,
  devices: readonly Neighbour[],
  before: Iterable<string> = [],
): Set<string> {
  const owners = new Map(
    devices.flatMap((device) =>
      [device.serial, ...device.macs].flatMap((mac) => {
        const own = normaliseMac(mac);
        return own === null ? [] : [[own, device] as const];
      }),
    ),
  );
  const ownerOf = ({ mac }: Pick<KeptPeer, 'mac'>) => (mac === null ? undefined : owners.get(mac));
  const leads = (peer: KeptPeer) => ownerOf(peer)?.routes === true || (isRouter(peer) && ownerOf(peer)?.kind !== 'ap');
  const stays = (name: string) =>
    ports.some((port) => port.name === name && port.carrier) && !lldp.some(({ port }) => port === name);
  return new Set([
    ...lldp.filter(leads).map(({ port }) => port),
    ...Object.entries(macs).flatMap(([port, all]) => (all.some((mac) => owners.get(mac)?.routes) ? [port] : [])),
    ...[...before].filter(stays),
  ]);
}

/** @returns whether the skipped ports changed; losing the last uplink takes effect with the next push */
export async function learnUplinks(tx: Tx, device: ManagedDevice, now: Date): Promise<boolean> {
  const { accountId, serial, gwid, routes } = device;
  const [report] = await linkReports(tx, accountId, [serial]);
  if (!report) return false;
  const near = gwid === null || routes ? [] : await fleetDevices.drawn(tx, accountId, gwid, now);
  const known = (await readPorts(tx, accountId, [serial])).get(serial) ?? [];
  const before = known.filter(({ uplink }) => uplink).map(({ name }) => name);
  const others = near.filter((other) => other.serial !== serial);
  const uplinks = routes ? new Set<string>() : uplinksOf(report.links, others, before);
  return (await writeUplinks(tx, device, uplinks)) && uplinks.size > 0;
}
