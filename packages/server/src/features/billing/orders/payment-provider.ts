import type { IncomingHttpHeaders } from 'node:http';
import type { payments } from '@yunxun/contract';
import type { Currency } from '../service.ts';
import type { Order } from './order-kind.ts';
import type { PayBrowser } from './pay-browser.ts';

interface EventOf<Type extends string> {
  /** Unique at the provider. */
  id: string;
  type: Type;
  orderNo: string;
  fen: number;
}

export interface Contradiction {
  kind: 'amount_differs' | 'currency_differs' | 'merchant_differs';
  ours: string;
  theirs: string;
}

/** `failed`: the money stays with the merchant. */
export interface RefundProgress {
  state: 'accepted' | 'arrived' | 'failed';
  reason: string;
}

export type PaidEvent = EventOf<'paid'> & { differs?: Contradiction | undefined };
export type RefundEvent = EventOf<'refunded'> &
  RefundProgress & { refundNo: string; differs?: Contradiction | undefined; disputed?: boolean };
/** The payer contests the payment; `refunded` follows when the provider takes the money. */
export type DisputeEvent = EventOf<'disputed'> & { refundNo: string; reason: string };
export type PaymentEvent = PaidEvent | RefundEvent | DisputeEvent;

export type PayOrder = Order & { description: string };

/** A page, or a QR text; `over`: too late to begin. */
export type PayTarget = { url: string } | { qr: string } | 'over';

export type BridgeRequest = Record<'appId' | 'timeStamp' | 'nonceStr' | 'package' | 'signType' | 'paySign', string>;

/** On the payer's own phone. @throws BegunElsewhere for an order that was begun in another way */
export interface PhonePayments {
  isOn(way: payments.PaymentSwitch): Promise<boolean>;
  h5(order: PayOrder, payer: { ip: string; backUrl: string }): Promise<string>;
  personUrl(backUrl: string, state: string): Promise<string>;
  /** Null: a used code. */
  openid(code: string): Promise<string | null>;
  jsapi(order: PayOrder, openid: string): Promise<BridgeRequest>;
}

export class BegunElsewhere extends Error {}

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
  /** Milliseconds that its orders stay open; default half an hour. */
  openMs?: number | undefined;
  /** Repeats safely, by order number. */
  create(order: PayOrder): Promise<PayTarget>;
  phone?: PhonePayments;
  elsewhere?: Partial<Record<PayBrowser, 'refused' | 'unsure'>>;
  hosts: readonly string[];
  /** Checks the signature over the raw body. `ignored`: genuine, but moves no money of an order; null: refused. */
  verify(headers: IncomingHttpHeaders, rawBody: Buffer): Promise<PaymentEvent | 'ignored' | null>;
  /** Returns what was paid, without refunds. */
  query(order: Order): Promise<{ paidFen: number; differs?: Contradiction | undefined }>;
  /** Asks for a refund; repeats safely, by `refundNo`. @throws Error if the provider did not decide */
  refund(order: Order, refundNo: string, fen: number): Promise<RefundProgress>;
  refundProgress(order: Order, refundNo: string, fen: number): Promise<RefundProgress>;
  /** Lists movements of a day that begins this many hours before UTC's. */
  statement: {
    hoursEast: number;
    /** A failure of an earlier day's refund: a line of its own, or none, as if the money were gone. */
    failures?: 'on their day';
    read(day: StatementDay): Promise<StatementLine[]>;
  };
}
