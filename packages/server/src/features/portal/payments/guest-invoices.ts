import type { DataOf, Locale, portalPrivacy } from '@yunxun/contract';
import type { Tx } from '../../../platform/database/index.ts';

type PersonInvoice = DataOf<typeof portalPrivacy.personExport>['invoices'][number];

/** Invoices of what guests bought; devices are the keys of their orders. */
export interface GuestInvoices {
  pathOf(tx: Tx, accountId: string, orderNo: string, locale: Locale): Promise<string | null>;
  export(tx: Tx, accountId: string, devices: readonly Buffer[]): Promise<PersonInvoice[]>;
  erase(tx: Tx, accountId: string, devices: readonly Buffer[]): Promise<number>;
}
