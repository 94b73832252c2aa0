import { type AlarmSource, collector, type Observation, presetValues } from '../alarms/observations.ts';
import { placedDevices } from '../fleet/placed-devices.ts';
import { dhcpPools } from './dhcp-pools.ts';

export const configurationAlarms: AlarmSource<'dhcp_pool_low'> = {
  kinds: { dhcp_pool_low: presetValues(['MIDDLE', 1800, 98], ['MIDDLE', 600, 90], ['MIDDLE', 300, 80]) },
  async read(tx, { gateways, tracked }) {
    const found: Observation[] = [];
    const { measured, observe } = collector(found);
    const places = new Map(
      (await placedDevices(tx, gateways)).map((one) => [`${one.accountId} ${one.serial}`, one.gwid]),
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
