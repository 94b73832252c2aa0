import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Names the run's prepared data folder for the workers. */
export const preparedData = 'E2E_PREPARED_DATA';

/** Creates a temporary data folder. The database's user may enter it, so the database is deleted with it. */
export function emptyDataDir(): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'yunxun-e2e-'));
  chmodSync(dataDir, 0o711);
  return dataDir;
}

/** Creates a temporary data folder: a copy of the run's prepared one, or an empty one outside such a run. */
export function newDataDir(): string {
  const dataDir = emptyDataDir();
  const prepared = process.env[preparedData];
  // fs.cp does not keep the owner
  if (prepared) execFileSync('cp', ['--archive', '--reflink=auto', `${prepared}/.`, dataDir]);
  return dataDir;
}
