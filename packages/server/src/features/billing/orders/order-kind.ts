import type { Tx } from '../../../platform/database/index.ts';
import type { Ledger } from '../service.ts';

export interface Order {
  accountId: string;
  orderNo: string;
  kind: string;
  subject: unknown;
  fen: number;
  refundedFen: number;
  gwid: string | null;
  payer: 'account' | 'guest';
  method: string;
  /** A payment that arrives after the expiry still completes the order. */
  state: 'incomplete' | 'completed' | 'expired' | 'refunded';
  returnUrl: string | null;
  createdAt: Date;
  expiresAt: Date;
  paidAt: Date | null;
}

/** Goods that an order can buy; a feature registers its own with `orders.kinds.add`. */
export interface OrderKind {
  /** One word, also the kind of the booking. */
  kind: string;
  /** Ledger that a payment of the account is booked to; payments of guests are always `income`. */
  ledger: Ledger;
  /** Text of `orders.<key>` in the server's catalogue. */
  title(order: Order): { key: string; params: Readonly<Record<string, string | number>> };
  /** Delivers the goods, in the transaction that completes and books the order. */
  paid(tx: Tx, order: Order): Promise<void>;
  /** Takes the goods back, in the transaction that books the refund of `fen`. */
  refunded?(tx: Tx, order: Order, fen: number): Promise<void>;
}

export interface NewOrder {
  accountId: string;
  kind: string;
  subject: unknown;
  /** Price in fen, computed by the kind's own code. */
  fen: number;
  gwid: string | null;
  payer: 'account' | 'guest';
  /** `balance`, `manual`, or a provider's name. */
  method: string;
  /** Address of our own that the payer returns to. */
  returnUrl: string | null;
  /** Idempotency key, unique in the account. */
  key: string;
}
