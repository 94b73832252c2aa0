import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Writes a file that is there whole or not at all, also after a power cut. */
export function writeWhole(file: string, text: string, mode: number): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text, { mode, flush: true });
  renameSync(draft, file);
  syncDir(dirname(file));
}

/** Makes a rename in a directory lasting. */
export function syncDir(dir: string): void {
  const handle = openSync(dir, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
