import type { PluginEvent, PluginState } from '@yunxun/contract';
import type { PluginArch, PluginPermission, PluginReason, PluginSettings } from '@yunxun/contract/device';
import type { SettingsSchema } from '@yunxun/contract/plugin-settings';
import type { ColumnType, Kysely, Selectable } from 'kysely';
import { type Tx, tables } from '../../platform/database/index.ts';

type Json<T> = ColumnType<T, string, string>;

export interface PluginEntry {
  id: string;
  name: { zh: string; en: string };
  licence: string;
  description: { zh: string; en: string };
  permissions: PluginPermission[];
  memory_mb: number;
  needs: { zh: string; en: string } | null;
  settings: SettingsSchema;
}

export interface PackageTable {
  plugin_id: string;
  version: string;
  arch: PluginArch;
  min_agent: string;
  size: number;
  sha256: string;
  signature: string;
  bytes: Buffer;
}

export interface InstallTable {
  account_id: string;
  serial: string;
  plugin_id: string;
  version: string;
  settings: Json<PluginSettings>;
  desired: 'present' | 'absent';
  reported_version: string | null;
  state: PluginState;
  reason: PluginReason | null;
  log: string[];
  token: Buffer | null;
  changed_at: Date;
}

export type Install = Selectable<InstallTable>;

interface PluginTables {
  plugin_publisher: { key: string; name: string; trusted_by: string; trusted_at: Date };
  plugin: { id: string; publisher_key: string; entry: Json<PluginEntry>; imported_at: Date };
  plugin_package: PackageTable;
  plugin_install: InstallTable;
  plugin_event: {
    account_id: string;
    id: string;
    at: Date;
    serial: string;
    plugin_id: string;
    version: string;
    event: PluginEvent;
    reason: PluginReason | null;
  };
}

export function pluginTables(tx: Tx | Kysely<unknown>): Kysely<PluginTables> {
  return tables<PluginTables>(tx);
}
