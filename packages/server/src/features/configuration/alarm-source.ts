import type { Tx } from '../../platform/database/index.ts';
import type { PoolSizes } from '../../telemetry/read/past-levels.ts';
import { type AlarmSource, collector, type Observation } from '../alarms/index.ts';
import { fleetDevices, fleetGateways } from '../fleet/index.ts';
import { dhcpPools } from './dhcp-pools.ts';

export const configurationAlarms: AlarmSource<'dhcp_pool_low'> = {
  kinds: { dhcp_pool_low: { level: 'leases', pools: onlyPools } },
  async read(tx, { gateways, tracked }) {
    const found: Observation[] = [];
    const { measured, observe } = collector(found);
    const places = new Map(
      (await fleetDevices.placed(tx, gateways)).map((one) => [`${one.accountId} ${one.serial}`, one.gwid]),
    );
    const pools = await dhcpPools(
      tx,
      gateways.flatMap(({ accountId, serial, leases }) =>
        leases.length > 0 ? (places.get(`${accountId} ${serial}`) ?? []) : [],
      ),
    );
    const known = new Map<string, Set<string>>();
    for (const { leases, ...ref } of gateways) {
      const id = `${ref.accountId} ${ref.serial}`;
      const names = new Set<string>();
      for (const { name, subnet, size, outside } of pools.get(places.get(id) ?? '') ?? []) {
        const used = (leases.find((one) => one.subnet === subnet)?.count ?? 0) - outside;
        measured('dhcp_pool_low', ref, Math.min(100, (100 * Math.max(0, used)) / size), name);
        names.add(name);
      }
      known.set(id, names);
    }
    // removed at the gateway: no problem any more
    for (const one of tracked('dhcp_pool_low'))
      if (known.get(`${one.accountId} ${one.serial}`)?.has(one.part) === false)
        observe('dhcp_pool_low', one, one.part, false);
    return found;
  },
};

/**
 * Omits gateways with several pools: the history has the leases of all together.
 * @param only one gateway instead of all
 */
async function onlyPools(tx: Tx, accountId: string, only?: string): Promise<PoolSizes> {
  const all = await fleetGateways.serials(tx, accountId);
  const gateways = only === undefined ? all : all.filter(({ serial }) => serial === only);
  const pools = await dhcpPools(
    tx,
    gateways.map(({ gwid }) => gwid),
  );
  return new Map(
    gateways.flatMap(({ gwid, serial }) => {
      const [pool, ...others] = pools.get(gwid) ?? [];
      return pool && others.length === 0 ? [[serial, pool]] : [];
    }),
  );
}
