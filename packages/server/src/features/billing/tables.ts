import type { billingOrders } from '@yunxun/contract';
import type { Kysely } from 'kysely';
import { type Tx, tables } from '../../platform/database/index.ts';

/** Codes of ISO 4217, which reserves `XTS` for tests. */
export type Currency = (typeof billingOrders.currencies)[number];
export type LineType = (typeof billingOrders.transactionTypes)[number];

interface BillingTables {
  ledger_transaction: {
    account_id: string;
    id: string;
    /** Unique in the account. */
    key: string;
    kind: string;
    at: Date;
    gwid: string | null;
    type: LineType;
    /** As the list of transactions shows it. */
    fen: number;
    currency: Currency;
  };
  ledger_entry: {
    account_id: string;
    transaction_id: string;
    seq: number;
    ledger: string;
    /** Debits positive, credits negative. */
    fen: number;
    currency: Currency;
    at: Date;
    gwid: string | null;
  };
  /** Running totals, kept by a trigger. */
  ledger_total: { account_id: string; ledger: string; currency: Currency; shard: number; fen: number };
}

export function books(tx: Tx | Kysely<unknown>): Kysely<BillingTables> {
  return tables<BillingTables>(tx);
}
