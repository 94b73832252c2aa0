import type { DeviceKind, DeviceStatus, SyncState } from '@yunxun/contract';
import { isRecord } from '@yunxun/contract/device';
import { sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import { findNetwork } from './device-store.ts';
import { rankOfRow } from './lists/list-query.ts';
import { statusOfRank } from './status.ts';
import { fleet } from './tables.ts';

export interface ManagedDevice {
  accountId: string;
  serial: string;
  gwid: string | null;
  groupId: string | null;
  name: string;
  /** Empty before the first connection. */
  model: string;
  kind: DeviceKind;
  /** Only the network's gateway: others bridge, even with a factory LAN. */
  routes: boolean;
  behindGateway: boolean;
  /** No configuration until settings are saved. */
  leftAlone: boolean;
  bridgeLan: boolean;
  /** Otherwise no settings. */
  confirmed: boolean;
  firmware: string | null;
  capabilities: Record<string, unknown> | null;
  status: DeviceStatus;
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
      'device.group_id',
      'device.remark',
      'device.model',
      'device.kind',
      'device.firmware',
      'device.capabilities',
      'device.online',
      'device.online_since',
      'device.confirmed',
      'network.gateway_serial',
      'network.left_alone',
      'network.bridge_lan',
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
    groupId: row.group_id,
    name: row.remark,
    model: row.model ?? '',
    kind: row.kind,
    routes: row.gateway_serial === row.serial,
    behindGateway: row.gateway_serial !== null && row.gateway_serial !== row.serial,
    leftAlone: row.left_alone ?? false,
    bridgeLan: row.bridge_lan ?? false,
    confirmed: row.confirmed,
    firmware: row.firmware,
    capabilities: isRecord(row.capabilities) && Object.keys(row.capabilities).length > 0 ? row.capabilities : null,
    status: statusOfRank(row.rank),
    onlineSince: row.online ? row.online_since : null,
  };
}

/** Returns false without devices. */
export function isAllOffline(devices: readonly Pick<ManagedDevice, 'status'>[]): boolean {
  return devices.length > 0 && devices.every(({ status }) => status !== 'online' && status !== 'restarting');
}

export function unconfirmedOf(devices: readonly Pick<ManagedDevice, 'serial' | 'confirmed'>[]): string[] {
  return devices.filter(({ confirmed }) => !confirmed).map(({ serial }) => serial);
}

export async function findDevice(
  tx: Tx,
  accountId: string,
  serial: string,
  now: Date,
): Promise<ManagedDevice | undefined> {
  const row = await query(tx, accountId, now).where('device.serial', '=', serial).executeTakeFirst();
  return row && present(accountId, row);
}

/** Returns visible devices, unordered. */
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

export function devicesOfNetwork(tx: Tx, accountId: string, gwid: string, now: Date): Promise<ManagedDevice[]> {
  return devicesOfNetworks(tx, accountId, [gwid], now);
}

/** Omits capabilities, which are large. */
export interface DrawnDevice extends Pick<ManagedDevice, 'serial' | 'name' | 'kind' | 'routes' | 'status'> {
  model: string | null;
  /** As reported, unchecked. */
  macs: unknown[];
}

export async function drawnDevices(tx: Tx, accountId: string, gwid: string, now: Date): Promise<DrawnDevice[]> {
  const rows = await fleet(tx)
    .selectFrom('device')
    .innerJoin('network', (join) =>
      join.onRef('network.account_id', '=', 'device.account_id').onRef('network.gwid', '=', 'device.gwid'),
    )
    .select(['device.serial', 'device.remark as name', 'device.model', 'device.kind', 'network.gateway_serial'])
    .select(rankOfRow('device', now).as('rank'))
    .select(sql<unknown>`device.capabilities -> 'macaddr'`.as('sockets'))
    .select(sql<unknown>`device.capabilities -> 'label_macaddr'`.as('label'))
    .where('device.account_id', '=', accountId)
    .where('device.gwid', '=', gwid)
    .orderBy('device.serial')
    .execute();
  return rows.map(({ gateway_serial, rank, sockets, label, ...device }) => ({
    ...device,
    routes: gateway_serial === device.serial,
    status: statusOfRank(rank),
    macs: [...(isRecord(sockets) ? Object.values(sockets) : []), label],
  }));
}

export async function devicesOfNetworks(
  tx: Tx,
  accountId: string,
  gwids: readonly string[],
  now: Date,
): Promise<ManagedDevice[]> {
  if (gwids.length === 0) return [];
  const rows = await query(tx, accountId, now)
    .where('device.gwid', 'in', [...gwids])
    .orderBy('device.serial')
    .execute();
  return rows.map((row) => present(accountId, row));
}

export async function devicesOfModels(
  tx: Tx,
  accountId: string,
  { models, kinds }: { models: readonly string[]; kinds: readonly DeviceKind[] },
  now: Date,
): Promise<ManagedDevice[]> {
  if (models.length === 0) return [];
  const rows = await query(tx, accountId, now)
    .where('device.model', 'in', [...models])
    .where('device.kind', 'in', [...kinds])
    .execute();
  return rows.map((row) => present(accountId, row));
}

export async function modelsInUse(
  tx: Tx,
  accountId: string,
  kinds: readonly DeviceKind[],
): Promise<{ model: string; devices: number }[]> {
  const rows = await fleet(tx)
    .selectFrom('device')
    .select((select) => ['model', select.fn.countAll<number>().as('devices')])
    .where('account_id', '=', accountId)
    .where('kind', 'in', [...kinds])
    .where('model', 'is not', null)
    .groupBy('model')
    .orderBy('model')
    .execute();
  return rows.flatMap(({ model, devices }) => (model ? [{ model, devices }] : []));
}

export async function networkName(tx: Tx, accountId: string, gwid: string): Promise<string | undefined> {
  return (await findNetwork(tx, accountId, gwid))?.remark;
}

/** `reason`: catalogue key or device wording. */
export interface SyncChip {
  serial: string;
  state: SyncState | null;
  since: Date;
  reason: string | null;
  trialUntil: Date | null;
}

export async function showSync(tx: Tx, accountId: string, chips: readonly SyncChip[]): Promise<void> {
  if (chips.length === 0) return;
  // lock order prevents deadlocks
  await sql`
    with chip as materialized (
      select * from json_to_recordset(${JSON.stringify(chips)}::json)
        as c (serial text, state text, since timestamptz, reason text, "trialUntil" timestamptz)
    ), own as materialized (
      select d.serial from device d where d.account_id = ${accountId} and d.serial in (select serial from chip)
      order by d.serial for no key update
    )
    update device d set sync_state = c.state, sync_since = c.since, sync_reason = c.reason, trial_until = c."trialUntil"
    from own join chip c using (serial) where d.account_id = ${accountId} and d.serial = own.serial`.execute(tx);
}
