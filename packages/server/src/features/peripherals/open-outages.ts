import { sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import type { DeviceRef } from '../../uplink/index.ts';
import { fleetGateways } from '../fleet/index.ts';

/** Of a gateway (`serial`). */
export interface PeripheralOutage extends DeviceRef {
  name: string;
  since: Date;
}

/** Covers all accounts. For offline gateways only `tracked` ones: devices may have gone down with them. System role. */
export async function openPeripheralOutages(
  tx: Tx,
  tracked: readonly (DeviceRef & { part: string })[],
): Promise<PeripheralOutage[]> {
  const { rows } = await sql<{ gwid: string; name: string; since: Date }>`
    select p.gwid, p.name, o.began_at as since
    from peripheral_outage o join peripheral p on p.account_id = o.account_id and p.id = o.peripheral_id
    where o.ended_at is null
  `.execute(tx);
  const gateways = await fleetGateways.probing(
    tx,
    rows.map((row) => row.gwid),
  );
  const keyOf = (accountId: string, serial: string, name: string) => `${accountId} ${serial} ${name}`;
  const known = new Set(tracked.map((one) => keyOf(one.accountId, one.serial, one.part)));
  return rows.flatMap(({ gwid, name, since }) => {
    const gateway = gateways.get(gwid);
    if (!gateway?.probes) return [];
    const { accountId, serial, online } = gateway;
    return online || known.has(keyOf(accountId, serial, name)) ? [{ accountId, serial, name, since }] : [];
  });
}

/** Returns MACs by network and name; others are missing. */
export async function peripheralMacs(
  tx: Tx,
  gwids: readonly string[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> {
  if (gwids.length === 0) return new Map();
  const { rows } = await sql<{ gwid: string; name: string; mac: string }>`
    select gwid, name, mac from peripheral where gwid = any(${[...gwids]}::uuid[]) and mac is not null
  `.execute(tx);
  const found = new Map<string, Map<string, string>>();
  for (const { gwid, name, mac } of rows)
    found.set(gwid, (found.get(gwid) ?? new Map<string, string>()).set(name, mac));
  return found;
}
