import type { payments } from '@yunxun/contract';
import type { Clock } from '../../../platform/clock.ts';
import type { PayBrowser } from '../orders/pay-browser.ts';
import type { PaymentProvider, PayOrder, PhonePayments, StatementLine } from '../orders/payment-provider.ts';
import type { ProviderValues } from './settings.ts';

export type AdapterOrder = PayOrder & { returnUrl: string };
/** Differs by provider. */
export type Adapter = Pick<PaymentProvider, 'verify' | 'query' | 'refund' | 'refundProgress' | 'statement'> & {
  create(order: AdapterOrder): ReturnType<PaymentProvider['create']>;
  phone?: PhonePayments;
};

export interface AdapterDeps {
  clock: Clock;
  webhook: string;
  endpoint: string;
  values(): Promise<Required<ProviderValues>>;
  isOn(way: payments.PaymentSwitch): Promise<boolean>;
}

export interface ProviderKind {
  openMs?: number;
  create(deps: AdapterDeps): Adapter;
  endpoint: string;
  accepted: string;
  elsewhere?: Partial<Record<PayBrowser, 'refused' | 'unsure'>>;
  hosts: readonly PayHost[];
}

export interface PayHost {
  host: string;
  documented: string | null;
}

export const signatureAgeMs = 5 * 60_000;

export function isFresh(clock: Clock, seconds: string): boolean {
  return Math.abs(clock.now().getTime() - Number(seconds) * 1000) <= signatureAgeMs;
}

/** Of Alipay and WeChat Pay, all year. */
export const chinaHours = 8;

/** Statements by file name orders only. */
export const withoutAccount = (line: Omit<StatementLine, 'accountId'>): StatementLine => ({ ...line, accountId: null });

export function within(text: string, bytes: number): string {
  let cut = text;
  while (Buffer.byteLength(cut) > bytes) cut = [...cut].slice(0, -1).join('');
  return cut;
}

/** "12.50" of fen 1250. */
export const decimal = (fen: number): string => (fen / 100).toFixed(2);
/** Fen of "12.5". */
export const fenOfDecimal = (text: string): number => Math.round(Number(text) * 100);
