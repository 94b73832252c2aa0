import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import type { Sealer } from '../../platform/crypto/index.ts';
import type { Tx } from '../../platform/database/index.ts';
import { type DeviceOverride, noIntent, noOverride, type WirelessIntent } from './compile/index.ts';
import { type SsidSecrets, secretsOf, withSecrets } from './ssid-secrets.ts';
import { configurationTables, type WirelessIntentTable } from './tables.ts';

/** For optimistic locking; 0: never saved. */
export interface Saved<T> {
  version: number;
  value: T;
  updatedAt: Date | null;
  updatedBy: string | null;
}

const sealContext = (gwid: string) => `wireless keys ${gwid}`;

/** Includes keys. `lock`: until the end of the transaction. */
export async function readIntent(
  tx: Tx,
  keys: AccountKeys,
  accountId: string,
  gwid: string,
  lock = false,
): Promise<Saved<WirelessIntent>> {
  const query = configurationTables(tx)
    .selectFrom('wireless_intent')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('gwid', '=', gwid);
  const row = await (lock ? query.forUpdate() : query).executeTakeFirst();
  if (!row) return { version: 0, value: noIntent, updatedAt: null, updatedBy: null };
  return savedIntent(await keys.of(tx, accountId), row);
}

function savedIntent(sealer: Sealer, row: WirelessIntentTable): Saved<WirelessIntent> {
  return { version: row.version, value: opened(sealer, row), updatedAt: row.updated_at, updatedBy: row.updated_by };
}

export async function readIntents(
  tx: Tx,
  keys: AccountKeys,
  accountId: string,
  gwids: readonly string[],
): Promise<Map<string, Saved<WirelessIntent>>> {
  if (gwids.length === 0) return new Map();
  const rows = await configurationTables(tx)
    .selectFrom('wireless_intent')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('gwid', 'in', [...gwids])
    .execute();
  const sealer = await keys.of(tx, accountId);
  return new Map(rows.map((row) => [row.gwid, savedIntent(sealer, row)]));
}

function opened(sealer: Sealer, row: WirelessIntentTable): WirelessIntent {
  const text = sealer.open(row.sealed_keys, sealContext(row.gwid)).toString('utf8');
  const bare = row.intent as WirelessIntent;
  return { ...bare, ssids: withSecrets(bare.ssids, JSON.parse(text) as SsidSecrets) };
}

/** Kept for undo. */
const pastVersions = 50;

async function keepPast(tx: Tx, accountId: string, gwid: string, version: number): Promise<void> {
  const columns = ['account_id', 'gwid', 'version', 'intent', 'sealed_keys', 'updated_at', 'updated_by'] as const;
  const db = configurationTables(tx);
  await db
    .insertInto('wireless_past')
    .columns([...columns])
    .expression(
      db
        .selectFrom('wireless_intent')
        .select([...columns])
        .where('account_id', '=', accountId)
        .where('gwid', '=', gwid)
        .where('version', '=', version),
    )
    .onConflict((conflict) => conflict.columns(['account_id', 'gwid', 'version']).doNothing())
    .execute();
  await db
    .deleteFrom('wireless_past')
    .where('account_id', '=', accountId)
    .where('gwid', '=', gwid)
    .where('version', '<=', version - pastVersions)
    .execute();
}

/** Returns null if no longer kept. */
export async function readPastIntent(
  tx: Tx,
  keys: AccountKeys,
  accountId: string,
  gwid: string,
  version: number,
): Promise<WirelessIntent | null> {
  if (version === 0) return noIntent;
  const row = await configurationTables(tx)
    .selectFrom('wireless_past')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('gwid', '=', gwid)
    .where('version', '=', version)
    .executeTakeFirst();
  return row ? opened(await keys.of(tx, accountId), row) : null;
}

/** Returns false unless `over` is the current version. */
export async function writeIntent(
  tx: Tx,
  keys: AccountKeys,
  saved: { accountId: string; gwid: string; over: number; intent: WirelessIntent; at: Date; by: string },
): Promise<boolean> {
  const { accountId, gwid, over, intent, at, by } = saved;
  await keepPast(tx, accountId, gwid, over);
  const sealer = await keys.of(tx, accountId);
  const bare = { ...intent, ssids: withSecrets(intent.ssids, {}) };
  const values = {
    version: over + 1,
    intent: JSON.stringify(bare),
    sealed_keys: sealer.seal(JSON.stringify(secretsOf(intent.ssids)), sealContext(gwid)),
    updated_at: at,
    updated_by: by,
  };
  const result = await configurationTables(tx)
    .insertInto('wireless_intent')
    .values({ account_id: accountId, gwid, ...values })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'gwid']).doUpdateSet(values).where('wireless_intent.version', '=', over),
    )
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

export async function readOverride(tx: Tx, accountId: string, serial: string): Promise<Saved<DeviceOverride>> {
  const row = await configurationTables(tx)
    .selectFrom('device_override')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('serial', '=', serial)
    .executeTakeFirst();
  if (!row) return { version: 0, value: noOverride, updatedAt: null, updatedBy: null };
  return {
    version: row.version,
    value: row.override as DeviceOverride,
    updatedAt: row.updated_at,
    updatedBy: row.updated_by,
  };
}

export async function readOverrides(
  tx: Tx,
  accountId: string,
  serials: readonly string[],
): Promise<Map<string, DeviceOverride>> {
  if (serials.length === 0) return new Map();
  const rows = await configurationTables(tx)
    .selectFrom('device_override')
    .select(['serial', 'override'])
    .where('account_id', '=', accountId)
    .where('serial', 'in', [...serials])
    .execute();
  return new Map(rows.map((row) => [row.serial, row.override as DeviceOverride]));
}

/** Returns false unless `over` is the current version. */
export async function writeOverride(
  tx: Tx,
  saved: { accountId: string; serial: string; over: number; override: DeviceOverride; at: Date; by: string },
): Promise<boolean> {
  const { accountId, serial, over, override, at, by } = saved;
  const values = { version: over + 1, override: JSON.stringify(override), updated_at: at, updated_by: by };
  const result = await configurationTables(tx)
    .insertInto('device_override')
    .values({ account_id: accountId, serial, ...values })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'serial']).doUpdateSet(values).where('device_override.version', '=', over),
    )
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

export async function configuredNetworks(tx: Tx, accountId: string): Promise<string[]> {
  const rows = await configurationTables(tx)
    .selectFrom('wireless_intent')
    .select('gwid')
    .where('account_id', '=', accountId)
    .where('version', '>', 0)
    .execute();
  return rows.map(({ gwid }) => gwid);
}

export async function overriddenDevices(tx: Tx, accountId: string): Promise<string[]> {
  const rows = await configurationTables(tx)
    .selectFrom('device_override')
    .select('serial')
    .where('account_id', '=', accountId)
    .where('version', '>', 0)
    .execute();
  return rows.map(({ serial }) => serial);
}
