import type { PluginEvent } from '@yunxun/contract';
import type { PluginReason } from '@yunxun/contract/device';
import { type Database, newId, type Tx } from '../../platform/database/index.ts';
import { type Install, type PackageTable, type PluginEntry, pluginTables } from './tables.ts';

export type Release = Omit<PackageTable, 'bytes'>;

export interface CataloguePlugin {
  entry: PluginEntry;
  publisher: { name: string; key: string };
  /** Newest version first. */
  releases: Release[];
}

/** Reads the catalogue, which belongs to the installation; `id`: one plugin. */
export function readCatalogue(database: Database, id?: string): Promise<CataloguePlugin[]> {
  return database.withSystem(async (tx) => {
    const rows = await pluginTables(tx)
      .selectFrom('plugin')
      .innerJoin('plugin_publisher', 'plugin_publisher.key', 'plugin.publisher_key')
      .select(['plugin.entry', 'plugin_publisher.name', 'plugin_publisher.key'])
      .$if(id !== undefined, (query) => query.where('plugin.id', '=', id ?? ''))
      .orderBy('plugin.id')
      .execute();
    const releases = await pluginTables(tx)
      .selectFrom('plugin_package')
      .select(['plugin_id', 'version', 'arch', 'min_agent', 'size', 'sha256', 'signature'])
      .$if(id !== undefined, (query) => query.where('plugin_id', '=', id ?? ''))
      .execute();
    releases.sort((one, other) => compareVersions(other.version, one.version));
    return rows.map(({ entry, name, key }) => ({
      entry,
      publisher: { name, key },
      releases: releases.filter(({ plugin_id }) => plugin_id === entry.id),
    }));
  });
}

/** Compares `1.2.3` by numbers; what follows a dash or plus does not count. */
export function compareVersions(one: string, other: string): number {
  const parts = (text: string) => text.split(/[.+-]/, 3).map((part) => Number.parseInt(part, 10) || 0);
  const [left, right] = [parts(one), parts(other)];
  return [0, 1, 2].map((at) => (left[at] ?? 0) - (right[at] ?? 0)).find((difference) => difference !== 0) ?? 0;
}

export function listInstalls(tx: Tx, accountId: string, pluginId?: string): Promise<Install[]> {
  return pluginTables(tx)
    .selectFrom('plugin_install')
    .selectAll()
    .where('account_id', '=', accountId)
    .$if(pluginId !== undefined, (query) => query.where('plugin_id', '=', pluginId ?? ''))
    .execute();
}

export type InstallKey = Pick<Install, 'account_id' | 'serial' | 'plugin_id'>;

export function findInstall(tx: Tx, key: InstallKey): Promise<Install | undefined> {
  return at(tx, key).forUpdate().executeTakeFirst();
}

const at = (tx: Tx, { account_id, serial, plugin_id }: InstallKey) =>
  pluginTables(tx)
    .selectFrom('plugin_install')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('serial', '=', serial)
    .where('plugin_id', '=', plugin_id);

export async function setInstall(
  tx: Tx,
  { account_id, serial, plugin_id }: InstallKey,
  change: Partial<Pick<Install, 'desired' | 'reported_version' | 'state' | 'reason' | 'log' | 'token' | 'changed_at'>>,
): Promise<void> {
  await pluginTables(tx)
    .updateTable('plugin_install')
    .set(change)
    .where('account_id', '=', account_id)
    .where('serial', '=', serial)
    .where('plugin_id', '=', plugin_id)
    .execute();
}

export async function deleteInstall(tx: Tx, { account_id, serial, plugin_id }: InstallKey): Promise<void> {
  await pluginTables(tx)
    .deleteFrom('plugin_install')
    .where('account_id', '=', account_id)
    .where('serial', '=', serial)
    .where('plugin_id', '=', plugin_id)
    .execute();
}

export async function noteEvent(
  tx: Tx,
  { account_id, serial, plugin_id }: InstallKey,
  what: { at: Date; version: string; event: PluginEvent; reason: PluginReason | null },
): Promise<void> {
  const key = { account_id, serial, plugin_id, id: newId(what.at.getTime()) };
  await pluginTables(tx)
    .insertInto('plugin_event')
    .values({ ...key, ...what })
    .execute();
}
