import { sql } from 'kysely';
import type { Database } from '../platform/database/index.ts';
import { clientCountLock, countChangedClients } from './ingest/client-counts.ts';

const atOnce = 5000;

/** Counts clients per device, so that queries need no row per client. */
export interface ClientCounts {
  run(): Promise<void>;
}

/** Serialises processes; each step is a transaction. Readers add uncounted changes. */
export function createClientCounts({ database }: { database: Database }): ClientCounts {
  return {
    async run() {
      let taken: number;
      do {
        taken = await database.withSystem(async (tx) => {
          await sql`select pg_advisory_xact_lock(${clientCountLock})`.execute(tx);
          const { rows } = await sql.raw<{ taken: number }>(countChangedClients(atOnce)).execute(tx);
          if (rows[0]!.taken < atOnce) await sql`delete from station_sum where online = 0`.execute(tx);
          return rows[0]!.taken;
        });
      } while (taken === atOnce);
    },
  };
}
