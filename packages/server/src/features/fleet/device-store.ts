import type { JoinRule } from '@yunxun/contract';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import { addressKey } from '../../platform/http/address.ts';
import { nameKey } from '../../platform/search/index.ts';
import type { Presence } from './status.ts';
import { type DeviceTable, fleet, type NetworkTable, presenceColumns, rowOfPresence } from './tables.ts';

/** Omits capabilities, which are large. */
export type DeviceRecord = Omit<Selectable<DeviceTable>, 'capabilities' | 'bands'>;
export type NetworkRecord = Selectable<NetworkTable>;

const columns = [
  'account_id',
  'serial',
  'gwid',
  'wanted_gwid',
  'confirmed',
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
  'offline_cause',
  ...presenceColumns,
] as const;

/** Locks until the transaction ends; undefined if bound elsewhere. */
export function lockDevice(tx: Tx, accountId: string, serial: string): Promise<DeviceRecord | undefined> {
  return fleet(tx)
    .selectFrom('device')
    .select(columns)
    .where('account_id', '=', accountId)
    .where('serial', '=', serial)
    .forUpdate()
    .executeTakeFirst();
}

export function devicesBySerial(tx: Tx, accountId: string, serials: readonly string[]): Promise<DeviceRecord[]> {
  return (
    fleet(tx)
      .selectFrom('device')
      .select(columns)
      .where('account_id', '=', accountId)
      // one parameter: a statement takes 65,535
      .where('serial', '=', sql<string>`any(${[...serials]}::text[])`)
      .execute()
  );
}

export function devicesOf(tx: Tx, accountId: string, gwids: readonly string[]): Promise<DeviceRecord[]> {
  return fleet(tx)
    .selectFrom('device')
    .select(columns)
    .where('account_id', '=', accountId)
    .where('gwid', 'in', [...gwids])
    .orderBy('serial')
    .execute();
}

/** Null before the first report. */
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

/** Returns false if already bound to the account. */
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

export async function updateDevice(tx: Tx, accountId: string, serial: string, patch: DevicePatch): Promise<void> {
  await fleet(tx)
    .updateTable('device')
    .set(patch)
    .where('account_id', '=', accountId)
    .where('serial', '=', serial)
    .execute();
}

export function savePresence(tx: Tx, accountId: string, serial: string, presence: Presence): Promise<void> {
  return updateDevice(tx, accountId, serial, rowOfPresence(presence));
}

export async function saveMacs(tx: Tx, accountId: string, serial: string, macs: readonly string[]): Promise<void> {
  await sql`
    with gone as (
      delete from device_mac where account_id = ${accountId} and serial = ${serial} and mac <> all (${[...macs]}::text[]))
    insert into device_mac (account_id, mac, serial)
    select ${accountId}, mac, ${serial} from unnest(${[...macs]}::text[]) mac
    on conflict do nothing
  `.execute(tx);
}

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

export function findNetwork(tx: Tx, accountId: string, gwid: string): Promise<NetworkRecord | undefined> {
  return fleet(tx)
    .selectFrom('network')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('gwid', '=', gwid)
    .executeTakeFirst();
}

export function networksById(tx: Tx, accountId: string, gwids: readonly string[]): Promise<NetworkRecord[]> {
  return fleet(tx)
    .selectFrom('network')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('gwid', 'in', [...gwids])
    .execute();
}

export function lockNetwork(tx: Tx, accountId: string, gwid: string): Promise<NetworkRecord | undefined> {
  return fleet(tx)
    .selectFrom('network')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('gwid', '=', gwid)
    .forUpdate()
    .executeTakeFirst();
}

export async function insertNetwork(
  tx: Tx,
  network: { account_id: string; gwid: string; remark: string; created_at: Date },
): Promise<void> {
  await fleet(tx)
    .insertInto('network')
    .values({ ...network, gateway_serial: null })
    .execute();
}

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

/** Requires an empty network. */
export async function deleteNetwork(tx: Tx, accountId: string, gwid: string): Promise<void> {
  await fleet(tx).deleteFrom('network').where('account_id', '=', accountId).where('gwid', '=', gwid).execute();
}

export async function isConfirmed(tx: Tx, accountId: string, serial: string): Promise<boolean> {
  const [device] = await devicesBySerial(tx, accountId, [serial]);
  return device?.confirmed ?? false;
}

/** Serializes placements: concurrent devices must see each other's new network. */
export async function lockPlacement(tx: Tx, accountId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`fleet.placement ${accountId}`}, 0))`.execute(tx);
}

export async function countNetworks(tx: Tx, accountId: string): Promise<number> {
  const row = await fleet(tx)
    .selectFrom('network')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return row.count;
}

/** Compares as `nameKey`. Needs the lock on placements. */
export async function isNetworkName(tx: Tx, accountId: string, remark: string, except?: string): Promise<boolean> {
  const key = sql<string>`lower(normalize(remark, NFKC))`;
  let query = fleet(tx).selectFrom('network').select('gwid').where('account_id', '=', accountId);
  if (except !== undefined) query = query.where('gwid', '<>', except);
  const row = await query.where(key, '=', nameKey(remark)).limit(1).executeTakeFirst();
  return row !== undefined;
}

/**
 * Finds networks whose confirmed gateway has the address; not with rule `click`, with `site` only if online. `usual`:
 * the account's rule.
 */
export async function networksByAddress(
  tx: Tx,
  accountId: string,
  address: string,
  usual: JoinRule,
): Promise<string[]> {
  const site: JoinRule[] = usual === 'site' ? ['site', 'account'] : ['site'];
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
    .where('device.confirmed', '=', true)
    .where((where) =>
      where.or([
        where('network.join_rule', '=', 'code'),
        where.and([where('network.join_rule', 'in', site), where('device.online', '=', true)]),
      ]),
    )
    .execute();
  return rows.map((row) => row.gwid);
}

export async function isOnlineFrom(tx: Tx, accountId: string, gwid: string, address: string): Promise<boolean> {
  const rows = await fleet(tx)
    .selectFrom('device')
    .select('public_address')
    .distinct()
    .where('account_id', '=', accountId)
    .where('gwid', '=', gwid)
    .where('online', '=', true)
    .where('confirmed', '=', true)
    .where('public_address', 'is not', null)
    .execute();
  return rows.some((row) => addressKey(row.public_address!) === addressKey(address));
}

export async function knownDevices(tx: Tx, serials: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await fleet(tx)
    .selectFrom('device')
    .select('serial')
    .where('serial', 'in', [...serials])
    .execute();
  return new Set(rows.map((row) => row.serial));
}

export async function knownNetworks(tx: Tx, gwids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await fleet(tx)
    .selectFrom('network')
    .select('gwid')
    .where('gwid', 'in', [...gwids])
    .execute();
  return new Set(rows.map((row) => row.gwid));
}
