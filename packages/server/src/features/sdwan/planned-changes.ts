import type { Tx } from '../../platform/database/index.ts';
import { grouped } from '../../platform/grouped.ts';
import type { DeviceRef } from '../../uplink/index.ts';
import { deviceEvents, deviceOutages, fleetGateways } from '../fleet/index.ts';
import { overlayAddress } from './compile/index.ts';
import { neighbourAt } from './paths.ts';
import { sdwanTables } from './tables.ts';

type Change = DeviceRef & { part: string; since: Date };

/** Returns ids of the path changes that follow from the console's own restart of the gateway or of a neighbour. */
export async function plannedChanges(tx: Tx, changes: readonly Change[], now: Date): Promise<string[]> {
  const since = new Date(Math.min(...changes.map((one) => one.since.getTime())));
  const events = await deviceEvents.pathsOf(tx, changes, { since, now });
  const nodes = await sdwanTables(tx)
    .selectFrom('sdwan_node')
    .select(['network_id', 'gwid', 'address', 'document'])
    .where('network_id', 'in', [...new Set(changes.map(({ part }) => part))])
    .execute();
  const serials = new Map<string, string>();
  for (const accountId of new Set(changes.map((one) => one.accountId)))
    for (const { gwid, serial } of await fleetGateways.serials(tx, accountId)) serials.set(gwid, serial);
  const members = nodes.flatMap((node) => {
    const serial = serials.get(node.gwid);
    return serial === undefined ? [] : [{ ...node, serial }];
  });
  const byPlace = new Map(members.map((node) => [`${node.network_id} ${node.serial}`, node]));
  const byAddress = new Map(members.map((node) => [`${node.network_id} ${overlayAddress(node.address)}`, node.serial]));
  const ends = events.map(({ id, accountId, serial, at, network, from, to, prefixes }) => {
    const document = byPlace.get(`${network} ${serial}`)?.document ?? null;
    const others = [from, to].flatMap(
      (device) => byAddress.get(`${network} ${neighbourAt(document, device, prefixes[0])}`) ?? [],
    );
    return { id, at, accountId, serials: [serial, ...others] };
  });
  const refs = ends.flatMap((end) => end.serials.map((serial) => ({ accountId: end.accountId, serial })));
  const absences = grouped(await deviceOutages.planned(tx, refs, since), ({ serial }) => serial);
  return ends.flatMap(({ id, at, serials: about }) =>
    about.some((serial) => absences.get(serial)?.some((one) => deviceOutages.explains(one, at))) ? [id] : [],
  );
}
