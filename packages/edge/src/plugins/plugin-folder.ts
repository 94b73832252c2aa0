import {
  chownSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { asNumber, asRecord, asText, isRecord, type PluginSettings, pluginForms } from '@yunxun/contract/device';
import type { PluginPackage } from '@yunxun/contract/plugin-package';
import { readJson, writeDurably } from '../apply/durable.ts';

export interface InstalledPlugin {
  id: string;
  /** Null during the first installation. */
  version: string | null;
  installing: string | null;
  main: string;
  permissions: readonly string[];
  memory_mb: number;
  settings: PluginSettings;
}

/** Files of plugins: `<id>/record.json`, `<id>/code-<version>`, `<id>/data`. */
export class PluginFolder {
  constructor(readonly root: string) {}

  code({ id, version }: { id: string; version: string | null }): string {
    return join(this.root, id, `code-${version}`);
  }

  data(id: string): string {
    return join(this.root, id, 'data');
  }

  list(): InstalledPlugin[] {
    let names: string[];
    try {
      names = readdirSync(this.root);
    } catch {
      return [];
    }
    return names.filter((id) => pluginForms.id.test(id)).map((id) => this.#read(id));
  }

  write(plugin: InstalledPlugin): void {
    writeDurably(join(this.root, plugin.id, 'record.json'), JSON.stringify(plugin), 0o600);
  }

  /** Writes a version; a power cut leaves a folder that no record names. */
  unpack(target: { id: string; version: string }, { files }: PluginPackage, owner: number | null): void {
    const folder = this.code(target);
    const fresh = `${folder}.new`;
    for (const old of [fresh, folder]) rmSync(old, { recursive: true, force: true });
    for (const [path, bytes] of files) writeSynced(join(fresh, path), bytes);
    mkdirSync(this.data(target.id), { recursive: true, mode: 0o755 });
    if (owner !== null) chownSync(this.data(target.id), owner, owner);
    renameSync(fresh, folder);
    syncFolder(dirname(folder));
  }

  /** Deletes code of other versions. */
  tidy({ id, version }: InstalledPlugin): void {
    for (const name of readdirSync(join(this.root, id)))
      if (name.startsWith('code-') && name !== `code-${version}`)
        rmSync(join(this.root, id, name), { recursive: true, force: true });
  }

  remove(id: string): void {
    rmSync(join(this.root, id), { recursive: true, force: true });
    syncFolder(this.root);
  }

  #read(id: string): InstalledPlugin {
    const read = asRecord<InstalledPlugin>(readJson(join(this.root, id, 'record.json')));
    const permissions = Array.isArray(read.permissions) ? (read.permissions as string[]) : [];
    return {
      id,
      version: asText(read.version, 20),
      installing: asText(read.installing, 20),
      permissions,
      main: asText(read.main, 200) ?? '',
      memory_mb: asNumber(read.memory_mb) ?? 64,
      settings: isRecord(read.settings) ? (read.settings as PluginSettings) : {},
    };
  }
}

function writeSynced(path: string, bytes: Buffer): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o755 });
  const file = openSync(path, 'w', 0o644);
  try {
    writeFileSync(file, bytes);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
