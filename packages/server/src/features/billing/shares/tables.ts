import type { Kysely } from 'kysely';
import { type Tx, tables } from '../../../platform/database/index.ts';

export interface Share {
  account_id: string;
  gwid: string;
  hosting_id: string;
  percent: number;
  set_at: Date;
}

interface ShareTables {
  billing_share: Share;
  billing_share_settlement: {
    account_id: string;
    id: string;
    side: 'paid' | 'received';
    other_id: string;
    network_id: string;
    network: string;
    month: string;
    income_fen: number;
    percent: number;
    fen: number;
    transaction_id: string | null;
    at: Date;
  };
}

export function shareTables(tx: Tx | Kysely<unknown>): Kysely<ShareTables> {
  return tables<ShareTables>(tx);
}
