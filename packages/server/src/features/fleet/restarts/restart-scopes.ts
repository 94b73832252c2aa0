import type { fleetRestarts as contract, InputOf, NetworkRestartScope, RestartScope } from '@yunxun/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import { Failure, invalid } from '../../../platform/failure.ts';
import { type DeviceRecord, devicesBySerial, lockNetwork } from '../device-store.ts';
import { groupNames } from '../groups.ts';
import { fleet } from '../tables.ts';

export interface RestartTarget {
  scope: RestartScope;
  /** Serial of a device, id of a group, else empty. */
  target: string;
}

type Asked = Pick<InputOf<typeof contract.restartDelete>, 'serial' | 'scope' | 'group_id'>;

/** @throws Invalid for a group without its scope, or the scope without a group */
export function targetOf({ serial, scope = 'gateway', group_id: group }: Asked): RestartTarget {
  if (serial) return { scope: 'device', target: serial };
  if ((scope === 'group') !== (group !== undefined)) return invalid('group_id', 'validation.required');
  return { scope, target: group ?? '' };
}

/**
 * Locks the network and names what restarts.
 * @throws Failure notFound; Invalid for a device of another network
 */
export async function lockRestarting(tx: Tx, accountId: string, gwid: string, { scope, target }: RestartTarget) {
  const network = await lockNetwork(tx, accountId, gwid);
  if (!network) throw new Failure('notFound');
  if (scope !== 'device') return { type: 'network' as const, id: gwid, name: network.remark };
  const [device] = await devicesBySerial(tx, accountId, [target]);
  if (device?.gwid !== gwid) return invalid('serial', 'validation.choice');
  return { type: 'device' as const, id: target, name: device.remark };
}

/** Names the target for the operation log. */
export async function loggedTarget(tx: Tx, accountId: string, { scope, target }: RestartTarget) {
  if (scope !== 'group') return { restarts: scope };
  return { restarts: scope, group: (await groupNames(tx, accountId, [target])).get(target) ?? target };
}

/** `gateway`: of the device's network. */
export function isTarget(
  { serial, kind, group_id: group }: Pick<DeviceRecord, 'serial' | 'kind' | 'group_id'>,
  { scope, target }: RestartTarget,
  gateway: string | null,
): boolean {
  switch (scope) {
    case 'gateway':
      return gateway === null || gateway === serial;
    case 'aps':
      return kind === 'ap';
    case 'group':
      return group === target;
    case 'all':
      return true;
    case 'device':
      return serial === target;
  }
}

/** Locks the networks, in one order, and says which have a device of the scope. */
export async function lockNetworksWith(
  tx: Tx,
  accountId: string,
  gwids: readonly string[],
  { scope, target }: RestartTarget & { scope: NetworkRestartScope },
): Promise<{ gwid: string; remark: string; has: boolean }[]> {
  await fleet(tx)
    .selectFrom('network')
    .select('gwid')
    .where('account_id', '=', accountId)
    .where('gwid', '=', sql<string>`any(${[...gwids]}::uuid[])`)
    .orderBy('gwid')
    .forUpdate()
    .execute();
  const inScope: Record<NetworkRestartScope, RawBuilder<unknown>> = {
    gateway: sql`true`,
    aps: sql`d.kind = 'ap'`,
    group: sql`d.group_id::text = ${target}`,
    all: sql`true`,
  };
  const { rows } = await sql<{ gwid: string; remark: string; has: boolean }>`
    select n.gwid, n.remark, exists (
      select 1 from device d where d.account_id = n.account_id and d.gwid = n.gwid and ${inScope[scope]}) as has
    from network n where n.account_id = ${accountId} and n.gwid = any(${[...gwids]}::uuid[]) order by n.remark, n.gwid
  `.execute(tx);
  return rows;
}
