import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EdgePluginState } from '@yunxun/contract/device';
import type { Identity, StoreContents } from '@yunxun/edge';

export interface Kept {
  identity: Identity | null;
  store: StoreContents | null;
  firmware: string | null;
  plugins: readonly EdgePluginState[];
  /** Last boot, milliseconds. */
  bootedMs: number | null;
}

export interface Drawer {
  read(serial: string): Kept;
  write(serial: string, kept: Kept): void;
}

const nothing: Kept = { identity: null, store: null, firmware: null, plugins: [], bootedMs: null };

export function memoryDrawer(): Drawer {
  const kept = new Map<string, Kept>();
  return {
    read: (serial) => kept.get(serial) ?? nothing,
    write: (serial, value) => kept.set(serial, value),
  };
}

/** Files with mode 0600, because they contain keys. */
export function folderDrawer(folder: string): Drawer {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const pathOf = (serial: string) => join(folder, `${serial}.json`);
  return {
    read(serial) {
      try {
        return { ...nothing, ...(JSON.parse(readFileSync(pathOf(serial), 'utf8')) as Partial<Kept>) };
      } catch {
        // a missing or truncated file means empty flash: the device enrols again
        return nothing;
      }
    },
    write(serial, kept) {
      const path = pathOf(serial);
      writeFileSync(`${path}.new`, JSON.stringify(kept), { mode: 0o600 });
      renameSync(`${path}.new`, path);
    },
  };
}
