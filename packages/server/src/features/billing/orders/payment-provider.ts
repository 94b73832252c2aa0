import type { IncomingHttpHeaders } from 'node:http';
import type { Currency } from '../service.ts';
import type { Order } from './order-kind.ts';

export interface PaymentEvent {
  /** Unique at the provider. */
  id: string;
  type: 'paid' | 'refunded';
  orderNo: string;
  fen: number;
  /** Null for payments. */
  refundNo: string | null;
}

/** A page, or a QR text. */
export type PayTarget = { url: string } | { qr: string };

export interface StatementLine {
  /** Null: the statement does not say. */
  accountId: string | null;
  orderNo: string;
  /** Payments less refunds, in fen. */
  fen: number;
}

export interface StatementDay {
  /** YYYY-MM-DD, in the provider's zone. */
  day: string;
  from: Date;
  /** Exclusive. */
  to: Date;
}

export interface PaymentProvider {
  name: string;
  /** No real money moves. */
  sandbox: boolean;
  currency: Currency;
  accepted: string;
  /** Returns whether payers see it. Existing orders can still be paid, except in the sandbox. */
  enabled(): Promise<boolean>;
  /** Repeats safely, by order number. */
  create(order: Order): Promise<PayTarget>;
  /** Checks the signature over the raw body. `ignored`: genuine, but neither payment nor refund; null: refused. */
  verify(headers: IncomingHttpHeaders, rawBody: Buffer): Promise<PaymentEvent | 'ignored' | null>;
  /** Returns what was paid, without refunds. */
  query(order: Order): Promise<{ paidFen: number }>;
  /** Repeats safely, by `refundNo`. */
  refund(order: Order, refundNo: string, fen: number): Promise<void>;
  /** Lists movements of a day that begins this many hours before UTC's. */
  statement: { hoursEast: number; read(day: StatementDay): Promise<StatementLine[]> };
}
