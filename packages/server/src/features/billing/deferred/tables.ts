import type { billingDeferred } from '@yunxun/contract';
import type { Generated, Kysely } from 'kysely';
import { type Tx, tables } from '../../../platform/database/index.ts';

export type Source = (typeof billingDeferred.sources)[number];

interface DeferredTables {
  billing_deferred_setting: {
    account_id: string;
    since: Date;
    until: Date | null;
    /** `YYYY-MM-DD`: the last day whose end is booked. */
    booked_day: string;
    version: number;
  };
  billing_deferred: {
    account_id: string;
    source: Source;
    source_id: string;
    network_id: string | null;
    sold_at: Date;
    fen: number;
    liability_fen: Generated<number>;
    ended: Generated<boolean>;
  };
  billing_deferred_line: {
    account_id: string;
    day: string;
    source: Source;
    source_id: string;
    change_fen: number;
  };
}

export const deferredTables = (tx: Tx | Kysely<unknown>): Kysely<DeferredTables> => tables<DeferredTables>(tx);
