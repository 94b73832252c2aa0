import type { ColumnType, Kysely } from 'kysely';
import { type Tx, tables } from '../../../platform/database/index.ts';

/** Holds in [`from_at`, `until_at`). */
export interface Term {
  account_id: string;
  id: string;
  gwid: string;
  hosting_id: string;
  percent: number;
  from_at: Date;
  /** Null: still holds. */
  until_at: ColumnType<Date | null, never, Date>;
  settled: ColumnType<boolean, never, boolean>;
}

export interface Settlement {
  account_id: string;
  id: string;
  side: 'paid' | 'received';
  other_id: string;
  term_id: string;
  network_id: string;
  network: string;
  month: string;
  income_fen: number;
  percent: number;
  /** Negative: taken back. */
  fen: number;
  transaction_id: string | null;
  at: Date;
}

interface ShareTables {
  billing_share_term: Term;
  billing_share_settlement: Settlement;
}

export function shareTables(tx: Tx | Kysely<unknown>): Kysely<ShareTables> {
  return tables<ShareTables>(tx);
}
