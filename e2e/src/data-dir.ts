import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const preparedData = 'E2E_PREPARED_DATA';

/** Creates a folder that the database's user may enter; deleted with its database. */
export function emptyDataDir(): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'yunxun-e2e-'));
  chmodSync(dataDir, 0o711);
  return dataDir;
}

/** Copies the run's prepared folder; empty outside such a run. */
export function newDataDir(): string {
  const dataDir = emptyDataDir();
  const prepared = process.env[preparedData];
  // fs.cp does not keep the owner
  if (prepared) execFileSync('cp', ['--archive', '--reflink=auto', `${prepared}/.`, dataDir]);
  return dataDir;
}
