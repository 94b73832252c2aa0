import type { DeviceKind, DeviceStatus, SyncState } from '@yunxun/contract';
import { isRecord } from '@yunxun/contract/device';
import { sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import { configurationTables } from './tables.ts';

/** A device of the fleet, as configuration sees it. */
export interface ManagedDevice {
  accountId: string;
  serial: string;
  gwid: string | null;
  name: string;
  kind: DeviceKind;
  /** It is its network's gateway; any other device bridges, also one that has a LAN of its own from the factory. */
  routes: boolean;
  firmware: string | null;
  capabilities: Record<string, unknown> | null;
  status: DeviceStatus;
}

const statuses: readonly DeviceStatus[] = ['online', 'restarting', 'unknown', 'offline', 'never_connected'];

function query(tx: Tx, accountId: string, now: Date) {
  return configurationTables(tx)
    .selectFrom('device')
    .leftJoin('network', (join) =>
      join.onRef('network.account_id', '=', 'device.account_id').onRef('network.gwid', '=', 'device.gwid'),
    )
    .select([
      'device.serial',
      'device.gwid',
      'device.remark',
      'device.kind',
      'device.firmware',
      'device.capabilities',
      'network.gateway_serial',
      sql<number>`platform.presence(device.online, device.restarting_since, device.last_seen, device.first_seen, ${now})`.as(
        'rank',
      ),
    ])
    .where('device.account_id', '=', accountId);
}

type Row = Awaited<ReturnType<ReturnType<typeof query>['execute']>>[number];

function present(accountId: string, row: Row): ManagedDevice {
  return {
    accountId,
    serial: row.serial,
    gwid: row.gwid,
    name: row.remark,
    kind: row.kind,
    routes: row.gateway_serial === row.serial,
    firmware: row.firmware,
    capabilities: isRecord(row.capabilities) && Object.keys(row.capabilities).length > 0 ? row.capabilities : null,
    status: statuses[row.rank - 1] ?? 'unknown',
  };
}

/** A device; undefined when it is not bound to the account. */
export async function findDevice(
  tx: Tx,
  accountId: string,
  serial: string,
  now: Date,
): Promise<ManagedDevice | undefined> {
  const row = await query(tx, accountId, now).where('device.serial', '=', serial).executeTakeFirst();
  return row && present(accountId, row);
}

/** The devices of a network, by serial. */
export async function devicesOfNetwork(tx: Tx, accountId: string, gwid: string, now: Date): Promise<ManagedDevice[]> {
  const rows = await query(tx, accountId, now).where('device.gwid', '=', gwid).orderBy('device.serial').execute();
  return rows.map((row) => present(accountId, row));
}

/** A network's name; undefined when the transaction sees no such network. */
export async function networkName(tx: Tx, accountId: string, gwid: string): Promise<string | undefined> {
  const row = await configurationTables(tx)
    .selectFrom('network')
    .select('remark')
    .where('account_id', '=', accountId)
    .where('gwid', '=', gwid)
    .executeTakeFirst();
  return row?.remark;
}

/** Writes the chip that lists show. */
export async function showSync(
  tx: Tx,
  accountId: string,
  serial: string,
  chip: { state: SyncState; since: Date; reason: string | null },
): Promise<void> {
  await configurationTables(tx)
    .updateTable('device')
    .set({ sync_state: chip.state, sync_since: chip.since, sync_reason: chip.reason })
    .where('account_id', '=', accountId)
    .where('serial', '=', serial)
    .execute();
}
