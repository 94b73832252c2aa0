import type { billingOrders, billingRefunds } from '@yunxun/contract';
import type { ColumnType, Kysely } from 'kysely';
import { type Tx, tables } from '../../../platform/database/index.ts';
import type { Currency } from '../tables.ts';

export interface OrderRow {
  account_id: string;
  order_no: string;
  key: string;
  kind: string;
  subject: ColumnType<unknown, string, never>;
  fen: number;
  currency: Currency;
  refunded_fen: ColumnType<number, number | undefined, number>;
  gwid: string | null;
  payer: 'account' | 'guest';
  method: string;
  state: billingOrders.OrderState;
  return_url: string | null;
  created_at: Date;
  expires_at: Date;
  paid_at: Date | null;
  decided_at: ColumnType<Date | null, never, Date>;
  decided_by: ColumnType<string | null, never, string>;
  receipt: ColumnType<string | null, never, string | null>;
  reason: ColumnType<string | null, never, string | null>;
}

export interface OrderTables {
  billing_order: OrderRow;
  billing_refund: {
    account_id: string;
    order_no: string;
    refund_no: string;
    gwid: string | null;
    fen: number;
    reason: string;
    by: string;
    at: Date;
    confirmed_at: Date | null;
    state: billingOrders.RefundState;
    failure: ColumnType<string, string | undefined, string>;
    failed_at: ColumnType<Date | null, Date | undefined, Date>;
    failures: ColumnType<number, number | undefined, number>;
    key: ColumnType<string | null, string | null, never>;
  };
  payment_exception: {
    account_id: string;
    id: string;
    gwid: string | null;
    kind: billingRefunds.ExceptionKind;
    provider: string;
    order_no: string;
    refund_no: ColumnType<string, string | undefined, never>;
    fen: number;
    ours: ColumnType<string, string | undefined, never>;
    theirs: ColumnType<string, string | undefined, never>;
    reason: ColumnType<string, string | undefined, never>;
    at: Date;
    handled_at: ColumnType<Date | null, never, Date>;
    handled_by: ColumnType<string | null, never, string>;
    remark: ColumnType<string | null, never, string>;
  };
  payment_event: {
    account_id: string;
    provider: string;
    event_id: string;
    order_no: string;
    gwid: string | null;
    type: 'paid' | 'refunded' | 'disputed';
    fen: number;
    outcome: string;
    at: Date;
  };
  payment_difference: {
    account_id: string;
    provider: string;
    day: string;
    order_no: string;
    ours_fen: number;
    theirs_fen: number;
  };
  sandbox_movement: { account_id: string; order_no: string; movement: string; fen: number; at: Date };
}

export function orderTables(tx: Tx | Kysely<unknown>): Kysely<OrderTables> {
  return tables<OrderTables>(tx);
}
