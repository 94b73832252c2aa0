import { sql } from 'kysely';
import type { Tx } from '../platform/database/index.ts';
import type { Ingest } from './ingest/index.ts';
import type { SessionKey } from './ingest/messages.ts';

/** Milliseconds; then the stored totals are shown. */
const timeoutMs = 500;

export interface SessionTotals {
  /** Connects this process's ingest; without one, `complete` does nothing. */
  attach(ingest: Pick<Ingest, 'complete'>): void;
  /** Makes later statements of `tx` see the newest totals, which large installations write every 15 minutes only. */
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
      await ingest.complete(accountId, rows, timeoutMs);
    },
  };
}
