import { join } from 'node:path';
import pg from 'pg';
import { silentLog } from '../../packages/server/src/platform/log.ts';
import { startPostgres } from '../../packages/server/src/platform/postgres/index.ts';

/** An embedded PostgreSQL that the bench holds itself, so that several processes and the bench can reach it. */
export interface BenchDatabase {
  /** For YUNXUN_DATABASE_URL. */
  url: string;
  /** The owner's connection: sees and writes everything. */
  owner: pg.Client;
  /** Process id of the server. */
  pid: number;
  stop(): Promise<void>;
}

/**
 * Starts one below a folder, with the program's own settings; `throwaway` does not wait for the disk, where only reads
 * are measured.
 */
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
