import { join } from 'node:path';
import pg from 'pg';
import { silentLog } from '../../packages/server/src/platform/log.ts';
import { startPostgres } from '../../packages/server/src/platform/postgres/index.ts';

export interface BenchDatabase {
  url: string;
  owner: pg.Client;
  pid: number;
  stop(): Promise<void>;
}

/** Uses the program's settings; `throwaway` disables fsync, for read-only figures. */
export async function startDatabase(folder: string, { throwaway = false } = {}): Promise<BenchDatabase> {
  const postgres = await startPostgres({
    dataDir: join(folder, 'database'),
    systemDir: join(folder, 'system'),
    log: silentLog(),
    throwaway,
  });
  const { user, password, host, database } = postgres.owner;
  const secret = encodeURIComponent(String(password));
  const owner = new pg.Client(postgres.owner);
  await owner.connect();
  return {
    url: `postgres://${user}:${secret}@localhost/${database}?host=${encodeURIComponent(String(host))}`,
    owner,
    pid: postgres.pid,
    async stop() {
      await owner.end();
      await postgres.stop();
    },
  };
}
