import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Writes a file so that after a power cut it is the old one or the new one, never half: a file beside it, fsync, rename,
 * fsync of the folder. Throws what the file system throws.
 */
export function writeDurably(path: string, text: string, mode = 0o600): void {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  const fresh = `${path}.new`;
  try {
    const file = openSync(fresh, 'w', mode);
    try {
      // all of it or an error: a disk that is full in the middle takes a part without a word
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

/** Removes a file; its absence is as good. The removal survives a power cut. */
export function removeDurably(path: string): void {
  rmSync(path, { force: true });
  try {
    syncFolder(dirname(path));
  } catch {
    // the folder is not there: neither is the file
  }
}

/** A JSON file, or null where there is none or it is broken: what it held is then as if never written. */
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
