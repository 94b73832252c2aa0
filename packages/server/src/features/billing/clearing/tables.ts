import type { billingClearing } from '@yunxun/contract';
import type { ColumnType, Kysely } from 'kysely';
import { type Tx, tables } from '../../../platform/database/index.ts';

export type Provider = Exclude<(typeof billingClearing.movementPlaces)[number], 'bank'>;

export interface MovementRow {
  account_id: string;
  key: string;
  provider: Provider | 'bank';
  kind: billingClearing.MovementKind;
  order_no: string;
  refund_no: ColumnType<string, string | undefined, never>;
  /** To the installation positive. */
  fen: number;
  earned: boolean;
  at: Date;
  payout_id: ColumnType<string | null, never, string | null>;
}

interface Reversible {
  at: Date;
  by: string;
  reversed_at: ColumnType<Date | null, never, Date>;
  reversed_by: ColumnType<string | null, never, string>;
}

export interface ClearingTables {
  clearing_movement: MovementRow;
  clearing_payout: Reversible & {
    id: string;
    provider: Provider;
    number: string;
    /** YYYY-MM-DD */
    day: string;
    gross_fen: number;
    fee_fen: number;
    matched_fen: number;
    movements: number;
    file: string | null;
  };
  clearing_line: {
    payout_id: string;
    seq: number;
    result: billingClearing.LineResult;
    reference: string;
    order_no: string;
    fen: number;
    ours_fen: number | null;
  };
  clearing_arrival: Reversible & {
    id: string;
    day: string;
    reference: string;
    fen: number;
    provider: Provider | null;
    payout_id: string | null;
  };
}

export function clearingTables(tx: Tx | Kysely<unknown>): Kysely<ClearingTables> {
  return tables<ClearingTables>(tx);
}

export async function knownRows(
  tx: Tx,
  table: 'clearing_payout' | 'clearing_arrival',
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await clearingTables(tx)
    .selectFrom(table)
    .select('id')
    .where('id', 'in', [...ids])
    .execute();
  return new Set(rows.map(({ id }) => id));
}
