import type { IncomingHttpHeaders } from 'node:http';
import type { Order } from './order-kind.ts';

export interface PaymentEvent {
  /** Unique at the provider. */
  id: string;
  type: 'paid' | 'refunded';
  orderNo: string;
  fen: number;
  /** Number of the refund; null for payments. */
  refundNo: string | null;
}

/** Where to pay: a page, or the text of a QR code. */
export type PayTarget = { url: string } | { qr: string };

export interface StatementLine {
  accountId: string;
  orderNo: string;
  /** Payments less refunds, in fen. */
  fen: number;
}

export interface PaymentProvider {
  name: string;
  /** No real money moves. */
  sandbox: boolean;
  /** Body that tells the provider that its webhook arrived. */
  accepted: string;
  /** Whether it is offered to payers. Orders that exist can still be paid. */
  enabled(): Promise<boolean>;
  /** Idempotent by order number. */
  create(order: Order): Promise<PayTarget>;
  /** Checks the signature over the raw body. `ignored`: genuine, but no payment or refund; null: refused. */
  verify(headers: IncomingHttpHeaders, rawBody: Buffer): Promise<PaymentEvent | 'ignored' | null>;
  /** Returns what was paid for an order, without refunds. */
  query(order: Order): Promise<{ paidFen: number }>;
  /** Idempotent by `refundNo`. */
  refund(order: Order, refundNo: string, fen: number): Promise<void>;
  /** Returns the movements in [`from`, `to`) by order; null: the provider has no such list by UTC days. */
  statement: ((from: Date, to: Date) => Promise<StatementLine[]>) | null;
}
