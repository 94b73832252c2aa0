import type { billingOrders } from '@yunxun/contract';
import type { Tx } from '../../../platform/database/index.ts';
import type { Currency, Ledger } from '../service.ts';

export interface Order {
  accountId: string;
  orderNo: string;
  kind: string;
  subject: unknown;
  fen: number;
  currency: Currency;
  refundedFen: number;
  gwid: string | null;
  payer: 'account' | 'guest';
  method: string;
  /** A late payment still completes the order. */
  state: billingOrders.OrderState;
  returnUrl: string | null;
  createdAt: Date;
  expiresAt: Date;
  paidAt: Date | null;
}

/** Features register theirs with `orders.kinds.add`. */
export interface OrderKind {
  /** One word; also of the booking. */
  kind: string;
  /** Of the account's payments; guests' are `income`. */
  ledger: Ledger;
  /** What a coupon took off goods of the ledger, in fen; they are booked in full. */
  takenOff?(order: Order): number;
  /** Text of `orders.<key>` in the server's catalogue. */
  title(order: Order): { key: string; params: Readonly<Record<string, string | number>> };
  /** Delivers, in the completing transaction. */
  paid(tx: Tx, order: Order): Promise<void>;
  /** Returns what was used of a paid order, in fen; default 0. */
  used?(tx: Tx, order: Order): Promise<number>;
  /** Takes the goods back, in the refund's transaction. @param used what was used is refunded too */
  refunded?(tx: Tx, order: Order, fen: number, used: boolean): Promise<void>;
  /** Gives the goods again, for a refund that failed at the provider; in the transaction that books it back. */
  refundFailed?(tx: Tx, order: Order, fen: number): Promise<void>;
}

export interface NewOrder {
  accountId: string;
  kind: string;
  subject: unknown;
  fen: number;
  gwid: string | null;
  payer: 'account' | 'guest';
  /** `balance`, `manual`, or a provider's name. */
  method: string;
  returnUrl: string | null;
  /** Idempotency key, per account. */
  key: string;
}
