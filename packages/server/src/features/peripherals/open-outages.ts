import { sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import type { DeviceRef } from '../../uplink/index.ts';
import { fleetGateways } from '../fleet/index.ts';

/** Of a gateway (`serial`). */
export interface PeripheralOutage extends DeviceRef {
  name: string;
  since: Date;
  /** The PoE of its port was restarted in vain. */
  cycled: boolean;
}

/** Milliseconds in which the task must have noted an outage. */
const undecidedMs = 10 * 60_000;

/**
 * Covers all accounts. For offline gateways only `tracked` ones: devices may have gone down with them. Others are
 * held back while a restart of PoE may help. System role.
 */
export async function openPeripheralOutages(
  tx: Tx,
  tracked: readonly (DeviceRef & { part: string })[],
  now: Date,
): Promise<PeripheralOutage[]> {
  const undecided = new Date(now.getTime() - undecidedMs);
  const { rows } = await sql<{ gwid: string; name: string; since: Date; held: boolean; cycled: boolean }>`
    select p.gwid, p.name, o.began_at as since, coalesce(c.state = 'failed', false) as cycled,
      coalesce(c.state in ('waiting', 'cycled'), r.gwid is not null and o.began_at > ${undecided}) as held
    from peripheral_outage o join peripheral p on p.account_id = o.account_id and p.id = o.peripheral_id
    left join peripheral_power_cycle c
      on c.account_id = o.account_id and c.peripheral_id = o.peripheral_id and c.began_at = o.began_at
    left join peripheral_power r on r.account_id = p.account_id and r.gwid = p.gwid and r.enabled
      and p.type = any(r.types) and o.began_at >= r.since
    where o.ended_at is null
  `.execute(tx);
  const gateways = await fleetGateways.probing(
    tx,
    rows.map((row) => row.gwid),
  );
  const keyOf = (accountId: string, serial: string, name: string) => `${accountId} ${serial} ${name}`;
  const known = new Set(tracked.map((one) => keyOf(one.accountId, one.serial, one.part)));
  return rows.flatMap(({ gwid, name, since, held, cycled }) => {
    const gateway = gateways.get(gwid);
    if (!gateway?.probes) return [];
    const { accountId, serial, online } = gateway;
    const isKnown = known.has(keyOf(accountId, serial, name));
    return isKnown || (online && !held) ? [{ accountId, serial, name, since, cycled }] : [];
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
