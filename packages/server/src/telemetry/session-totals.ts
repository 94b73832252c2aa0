import { sql } from 'kysely';
import type { Tx } from '../platform/database/index.ts';
import type { Ingest } from './ingest/index.ts';
import type { SessionKey } from './ingest/messages.ts';

/** Time that a read waits for totals, milliseconds; then it shows what the database has. */
const patienceMs = 500;

export interface SessionTotals {
  /** Connects the ingest of this process; without one, `complete` does nothing. */
  attach(ingest: Pick<Ingest, 'complete'>): void;
  /**
   * Makes later statements of `tx` see the newest totals of these clients. Above some hundred devices they reach the
   * database every 15 minutes only, so that a read would be as old.
   */
  complete(tx: Tx, accountId: string, macs: readonly string[]): Promise<void>;
}

export function createSessionTotals(): SessionTotals {
  let ingest: Pick<Ingest, 'complete'> | null = null;
  return {
    attach(one) {
      ingest = one;
    },
    async complete(tx, accountId, macs) {
      if (!ingest || macs.length === 0) return;
      const { rows } = await sql<SessionKey>`
        select serial, mac, bssid from station_open where account_id = ${accountId} and mac = any(${[...macs]}::text[])
      `.execute(tx);
      await ingest.complete(accountId, rows, patienceMs);
    },
  };
}
