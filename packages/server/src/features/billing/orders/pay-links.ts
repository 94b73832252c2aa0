import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Locale } from '@yunxun/contract';
import type { Order } from './order-kind.ts';

/** Addresses of payment pages; only the link opens them. */
export function createPayLinks({ masterKey, publicUrl }: { masterKey: Buffer; publicUrl: string }) {
  const secret = Buffer.from(hkdfSync('sha256', masterKey, '', 'payment pages', 32));
  const token = (orderNo: string) => createHmac('sha256', secret).update(orderNo).digest('hex');
  const invoicePath = (orderNo: string, locale: Locale) => `/pay/invoice/${orderNo}?t=${token(orderNo)}&lang=${locale}`;
  return {
    invoicePath,
    invoiceOf: (orderNo: string, locale: Locale) => publicUrl + invoicePath(orderNo, locale),
    of: ({ orderNo, method }: Order) => `${publicUrl}/pay/${method}/${orderNo}?t=${token(orderNo)}`,
    isValid(orderNo: string, shown: string): boolean {
      const wanted = token(orderNo);
      return shown.length === wanted.length && timingSafeEqual(Buffer.from(shown), Buffer.from(wanted));
    },
  };
}

export type PayLinks = ReturnType<typeof createPayLinks>;
