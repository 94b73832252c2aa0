import { readAddress, readSubnet } from '@yunxun/contract/ipv4';
import type { Tx } from '../../platform/database/index.ts';
import type { GatewayIntent } from './compile/index.ts';
import { configurationTables } from './tables.ts';

/** LAN with DHCP in saved settings. */
export interface DhcpPool {
  name: string;
  /** Such as `192.168.1.1/24`. */
  subnet: string;
  size: number;
  outside: number;
}

/** Covers all accounts; keyed by `gwid`. */
export async function dhcpPools(tx: Tx, gwids: readonly string[]): Promise<ReadonlyMap<string, DhcpPool[]>> {
  if (gwids.length === 0) return new Map();
  const rows = await configurationTables(tx)
    .selectFrom('gateway_intent')
    .select(['gwid', 'intent'])
    .where('gwid', 'in', [...new Set(gwids)])
    .execute();
  return new Map(rows.map(({ gwid, intent }) => [gwid, poolsOf(intent as GatewayIntent)]));
}

function poolsOf({ networks }: GatewayIntent): DhcpPool[] {
  return networks.flatMap(({ name, address, pool, leases }) => {
    const first = readAddress(pool?.first);
    if (!pool || first === null || !readSubnet(address)) return [];
    const isInside = (fixed: number | null) => fixed !== null && fixed >= first && fixed < first + pool.count;
    const outside = leases.filter((lease) => !isInside(readAddress(lease.address))).length;
    return [{ name, subnet: address, size: pool.count, outside }];
  });
}
