import type { DeviceKind, DeviceStatus, SyncState } from '@yunxun/contract';
import { isRecord } from '@yunxun/contract/device';
import type { Tx } from '../../platform/database/index.ts';
import { findNetwork, updateDevice } from './device-store.ts';
import { rankOfRow } from './list-query.ts';
import { statusOfRank } from './status.ts';
import { fleet } from './tables.ts';

/** A device as those see it who decide what it runs. */
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
  /** When its session began; null while there is none. */
  onlineSince: Date | null;
}

function query(tx: Tx, accountId: string, now: Date) {
  return fleet(tx)
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
      'device.online',
      'device.online_since',
      'network.gateway_serial',
      rankOfRow('device', now).as('rank'),
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
    status: statusOfRank(row.rank),
    onlineSince: row.online ? row.online_since : null,
  };
}

/** A device; undefined when the transaction sees none of that serial. */
export async function findDevice(
  tx: Tx,
  accountId: string,
  serial: string,
  now: Date,
): Promise<ManagedDevice | undefined> {
  const row = await query(tx, accountId, now).where('device.serial', '=', serial).executeTakeFirst();
  return row && present(accountId, row);
}

/** Devices of these serials, as far as the transaction sees them; in no order. */
export async function managedDevices(
  tx: Tx,
  accountId: string,
  serials: readonly string[],
  now: Date,
): Promise<ManagedDevice[]> {
  if (serials.length === 0) return [];
  const rows = await query(tx, accountId, now)
    .where('device.serial', 'in', [...serials])
    .execute();
  return rows.map((row) => present(accountId, row));
}

/** The devices of a network, by serial. */
export async function devicesOfNetwork(tx: Tx, accountId: string, gwid: string, now: Date): Promise<ManagedDevice[]> {
  const rows = await query(tx, accountId, now).where('device.gwid', '=', gwid).orderBy('device.serial').execute();
  return rows.map((row) => present(accountId, row));
}

/** A network's name; undefined when the transaction sees no such network. */
export async function networkName(tx: Tx, accountId: string, gwid: string): Promise<string | undefined> {
  return (await findNetwork(tx, accountId, gwid))?.remark;
}

/** Where a device's configuration stands, as lists show it; `reason` is a key of the catalogue or the device's own words. */
export function showSync(
  tx: Tx,
  accountId: string,
  serial: string,
  chip: { state: SyncState; since: Date; reason: string | null; trialUntil: Date | null },
): Promise<void> {
  return updateDevice(tx, accountId, serial, {
    sync_state: chip.state,
    sync_since: chip.since,
    sync_reason: chip.reason,
    trial_until: chip.trialUntil,
  });
}
