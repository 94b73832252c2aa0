import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { loadMasterKey } from '../../packages/server/src/platform/crypto/index.ts';
import { openDatabase } from '../../packages/server/src/platform/database/index.ts';
import { createLog } from '../../packages/server/src/platform/log.ts';
import { startPostgres } from '../../packages/server/src/platform/postgres/index.ts';
import { emptyDataDir, preparedData } from './data-dir.ts';

/** Migrates a data folder once per run (1.5 CPU seconds). Products of `E2E_BUILD` have other migrations. */
export async function setup(): Promise<(() => void) | undefined> {
  if (process.env.E2E_BUILD) return;
  const dataDir = emptyDataDir();
  const log = createLog('warn');
  const postgres = await startPostgres({ dataDir, log, throwaway: true });
  try {
    const masterKey = loadMasterKey(join(dataDir, 'master.key'));
    const database = await openDatabase({ owner: postgres.owner, masterKey, log });
    await database.close();
  } finally {
    await postgres.stop();
  }
  process.env[preparedData] = dataDir;
  return () => rmSync(dataDir, { recursive: true, force: true });
}
