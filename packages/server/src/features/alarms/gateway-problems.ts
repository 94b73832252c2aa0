import type { Tx } from '../../platform/database/index.ts';
import { gatewayLevels } from '../../telemetry/read/alarm-levels.ts';
import { dhcpPools } from '../configuration/dhcp-pools.ts';
import { placedDevices } from '../fleet/placed-devices.ts';
import { sdwanNames } from '../sdwan/names.ts';
import type { Collector, ObservationRequest } from './observations.ts';

/** Reads storage, DHCP pools and tunnels of all accounts. System role. */
export async function readGateways(
  tx: Tx,
  { now, tracked }: Pick<ObservationRequest, 'now' | 'tracked'>,
  { measured, observe }: Collector,
): Promise<void> {
  const gateways = await gatewayLevels(tx, now);
  const places = new Map(
    (await placedDevices(tx, gateways)).map((one) => [`${one.accountId} ${one.serial}`, one.gwid]),
  );
  const pools = await dhcpPools(
    tx,
    gateways.flatMap(({ accountId, serial, leases }) =>
      leases.length > 0 ? (places.get(`${accountId} ${serial}`) ?? []) : [],
    ),
  );
  const names = await sdwanNames(
    tx,
    gateways.flatMap(({ sdwan }) => sdwan.map(({ id }) => id)),
  );
  const parts = new Map<string, Set<string>>();
  for (const { disk, leases, sdwan, ...ref } of gateways) {
    const id = `${ref.accountId} ${ref.serial}`;
    measured('storage_low', ref, disk);
    const known = new Set<string>();
    for (const { name, subnet, size, outside } of pools.get(places.get(id) ?? '') ?? []) {
      const used = (leases.find((one) => one.subnet === subnet)?.count ?? 0) - outside;
      measured('dhcp_pool_low', ref, Math.min(100, (100 * Math.max(0, used)) / size), name);
      known.add(`dhcp_pool_low ${name}`);
    }
    for (const { id: network, tunnels, up } of sdwan) {
      const name = names.get(network);
      if (name === undefined || tunnels === 0) continue;
      observe('sdwan_down', ref, name, up === 0);
      known.add(`sdwan_down ${name}`);
    }
    parts.set(id, known);
  }
  // removed at the gateway: no problem any more
  for (const kind of ['dhcp_pool_low', 'sdwan_down'] as const)
    for (const one of tracked(kind))
      if (parts.get(`${one.accountId} ${one.serial}`)?.has(`${kind} ${one.part}`) === false)
        observe(kind, one, one.part, false);
}
