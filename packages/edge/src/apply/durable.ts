import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Replaces a file safely against power cuts: temporary file, fsync, rename, fsync of the folder.
 * @throws file system errors
 */
export function writeDurably(path: string, text: string, mode = 0o600): void {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  const fresh = `${path}.new`;
  try {
    const file = openSync(fresh, 'w', mode);
    try {
      // on a full disk a single write may be short without an error
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(fresh, path);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
  syncFolder(folder);
}

export function removeDurably(path: string): void {
  rmSync(path, { force: true });
  try {
    syncFolder(dirname(path));
  } catch {
    // without the folder the file is absent too
  }
}

export function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
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
