import { type Kysely, type Selectable, sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import type { Presence } from './status.ts';
import { type DeviceTable, fleet, type NetworkTable, presenceColumns, rowOfPresence } from './tables.ts';

/** A device without what it can do, which is large and wanted by few. */
export type DeviceRecord = Omit<Selectable<DeviceTable>, 'capabilities' | 'bands'>;
export type NetworkRecord = Selectable<NetworkTable>;

const columns = [
  'account_id',
  'serial',
  'gwid',
  'kind',
  'routes',
  'remark',
  'model',
  'compatible',
  'platform',
  'firmware',
  'public_address',
  'bound_at',
  'sync_state',
  'sync_since',
  'sync_reason',
  'trial_until',
  'group_id',
  'tags',
  'epoch',
  ...presenceColumns,
] as const;

/** A device, locked until the transaction ends; undefined when it is not bound to the account. */
export function lockDevice(tx: Tx, accountId: string, serial: string): Promise<DeviceRecord | undefined> {
  return fleet(tx)
    .selectFrom('device')
    .select(columns)
    .where('account_id', '=', accountId)
    .where('serial', '=', serial)
    .forUpdate()
    .executeTakeFirst();
}

/** Devices by serial; those that are not the account's are missing. */
export function devicesBySerial(tx: Tx, accountId: string, serials: readonly string[]): Promise<DeviceRecord[]> {
  return fleet(tx)
    .selectFrom('device')
    .select(columns)
    .where('account_id', '=', accountId)
    .where('serial', 'in', [...serials])
    .execute();
}

/** The devices of networks. */
export function devicesOf(tx: Tx, accountId: string, gwids: readonly string[]): Promise<DeviceRecord[]> {
  return fleet(tx)
    .selectFrom('device')
    .select(columns)
    .where('account_id', '=', accountId)
    .where('gwid', 'in', [...gwids])
    .orderBy('serial')
    .execute();
}

/** What the device last said it can do; null before it said anything. */
export async function capabilitiesOf(tx: Tx, accountId: string, serial: string): Promise<unknown> {
  const row = await fleet(tx)
    .selectFrom('device')
    .select('capabilities')
    .where('account_id', '=', accountId)
    .where('serial', '=', serial)
    .executeTakeFirst();
  return row?.capabilities ?? null;
}

export type NewDevice = Pick<
  DeviceRecord,
  'account_id' | 'serial' | 'gwid' | 'kind' | 'remark' | 'model' | 'platform' | 'public_address' | 'bound_at'
>;

/** Adds a device; false when the account has it already. */
export async function insertDevice(tx: Tx, device: NewDevice): Promise<boolean> {
  const result = await fleet(tx)
    .insertInto('device')
    .values(device)
    .onConflict((conflict) => conflict.columns(['account_id', 'serial']).doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

export type DevicePatch = Partial<Omit<DeviceRecord, 'account_id' | 'serial'>> & {
  capabilities?: string;
  bands?: string[];
};

/** Changes columns of a device. */
export async function updateDevice(tx: Tx, accountId: string, serial: string, patch: DevicePatch): Promise<void> {
  await fleet(tx)
    .updateTable('device')
    .set(patch)
    .where('account_id', '=', accountId)
    .where('serial', '=', serial)
    .execute();
}

/** Writes a presence. */
export function savePresence(tx: Tx, accountId: string, serial: string, presence: Presence): Promise<void> {
  return updateDevice(tx, accountId, serial, rowOfPresence(presence));
}

/** Moves `last_seen` of many online devices forward, in one statement. */
export async function saveSeen(
  db: Tx | Kysely<unknown>,
  seen: readonly { accountId: string; serial: string; at: Date }[],
): Promise<void> {
  if (seen.length === 0) return;
  await sql`
    update device set last_seen = s.at
    from unnest(${seen.map((s) => s.accountId)}::uuid[], ${seen.map((s) => s.serial)}::text[], ${seen.map((s) => s.at)}::timestamptz[])
      as s (account_id, serial, at)
    where device.account_id = s.account_id and device.serial = s.serial and device.online and device.last_seen < s.at
  `.execute(db);
}

/** Removes devices with their events. */
export async function deleteDevices(tx: Tx, accountId: string, serials: readonly string[]): Promise<void> {
  if (serials.length === 0) return;
  const db = fleet(tx);
  await db
    .updateTable('network')
    .set({ gateway_serial: null })
    .where('account_id', '=', accountId)
    .where('gateway_serial', 'in', [...serials])
    .execute();
  await db
    .deleteFrom('device')
    .where('account_id', '=', accountId)
    .where('serial', 'in', [...serials])
    .execute();
}

/** A network; undefined when the account has none of that id. */
export function findNetwork(tx: Tx, accountId: string, gwid: string): Promise<NetworkRecord | undefined> {
  return fleet(tx)
    .selectFrom('network')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('gwid', '=', gwid)
    .executeTakeFirst();
}

/** Networks by their ids; those that are not the account's are missing. */
export function networksById(tx: Tx, accountId: string, gwids: readonly string[]): Promise<NetworkRecord[]> {
  return fleet(tx)
    .selectFrom('network')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('gwid', 'in', [...gwids])
    .execute();
}

/** A network, locked until the transaction ends. */
export function lockNetwork(tx: Tx, accountId: string, gwid: string): Promise<NetworkRecord | undefined> {
  return fleet(tx)
    .selectFrom('network')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('gwid', '=', gwid)
    .forUpdate()
    .executeTakeFirst();
}

/** Adds a network. */
export async function insertNetwork(
  tx: Tx,
  network: { account_id: string; gwid: string; remark: string; created_at: Date },
): Promise<void> {
  await fleet(tx)
    .insertInto('network')
    .values({ ...network, gateway_serial: null })
    .execute();
}

/** Changes columns of a network. */
export async function updateNetwork(
  tx: Tx,
  accountId: string,
  gwid: string,
  patch: Partial<Pick<NetworkRecord, 'remark' | 'tags' | 'gateway_serial'>>,
): Promise<void> {
  await fleet(tx)
    .updateTable('network')
    .set(patch)
    .where('account_id', '=', accountId)
    .where('gwid', '=', gwid)
    .execute();
}

/** Removes a network; its devices must be gone. */
export async function deleteNetwork(tx: Tx, accountId: string, gwid: string): Promise<void> {
  await fleet(tx).deleteFrom('network').where('account_id', '=', accountId).where('gwid', '=', gwid).execute();
}

/** Puts newcomers of one account in line, so that two that arrive together see each other's network. */
export async function lockPlacement(tx: Tx, accountId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`fleet.placement ${accountId}`}, 0))`.execute(tx);
}

/** How many networks an account has. */
export async function countNetworks(tx: Tx, accountId: string): Promise<number> {
  const row = await fleet(tx)
    .selectFrom('network')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return row.count;
}

/** Whether a network of the account has this name. */
export async function isNetworkName(tx: Tx, accountId: string, remark: string): Promise<boolean> {
  const row = await fleet(tx)
    .selectFrom('network')
    .select('gwid')
    .where('account_id', '=', accountId)
    .where('remark', '=', remark)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Networks whose gateway connects from an address. */
export async function networksBehind(tx: Tx, accountId: string, address: string): Promise<string[]> {
  const rows = await fleet(tx)
    .selectFrom('device')
    .innerJoin('network', (join) =>
      join
        .onRef('network.account_id', '=', 'device.account_id')
        .onRef('network.gwid', '=', 'device.gwid')
        .onRef('network.gateway_serial', '=', 'device.serial'),
    )
    .select('network.gwid')
    .where('device.account_id', '=', accountId)
    .where('device.public_address', '=', address)
    .execute();
  return rows.map((row) => row.gwid);
}

/** Those of the serials that the transaction may see. */
export async function knownDevices(tx: Tx, serials: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await fleet(tx)
    .selectFrom('device')
    .select('serial')
    .where('serial', 'in', [...serials])
    .execute();
  return new Set(rows.map((row) => row.serial));
}

/** Those of the networks that the transaction may see. */
export async function knownNetworks(tx: Tx, gwids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await fleet(tx)
    .selectFrom('network')
    .select('gwid')
    .where('gwid', 'in', [...gwids])
    .execute();
  return new Set(rows.map((row) => row.gwid));
}
