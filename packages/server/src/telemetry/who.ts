import { sql } from 'kysely';
import type { Database } from '../platform/database/index.ts';
import { countChanged, whoLock } from './ingest/who.ts';

/** So many changes are counted in one transaction. */
const atOnce = 5000;

/** Counts ahead who is there, so that asking costs a row a device and not a row a terminal. */
export interface Who {
  /** Counts the terminals of which something changed since the last time. */
  run(): Promise<void>;
}

/** Makes the counting. Each step is one transaction; processes take turns. What is not counted yet, readers look at. */
export function createWho({ database }: { database: Database }): Who {
  return {
    async run() {
      let taken: number;
      do {
        taken = await database.withSystem(async (tx) => {
          await sql`select pg_advisory_xact_lock(${whoLock})`.execute(tx);
          const { rows } = await sql.raw<{ taken: number }>(countChanged(atOnce)).execute(tx);
          // of a choice of devices that nobody is at any more
          if (rows[0]!.taken < atOnce) await sql`delete from station_sum where online = 0`.execute(tx);
          return rows[0]!.taken;
        });
      } while (taken === atOnce);
    },
  };
}
