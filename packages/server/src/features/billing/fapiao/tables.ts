import type { billingFapiao, Locale } from '@yunxun/contract';
import type { ColumnType, Selectable } from 'kysely';
import { type Tx, tables } from '../../../platform/database/index.ts';

export interface Buyer {
  kind: billingFapiao.BuyerKind;
  name: string;
  tax_no: string;
  email: string;
}

export interface Seller {
  name: string;
  tax_no: string;
  /** Percent. */
  rate: (typeof billingFapiao.taxRates)[number];
  goods_name: string;
  goods_code: string;
}

export interface FapiaoTable {
  account_id: string;
  id: string;
  gwid: string | null;
  order_no: string;
  state: billingFapiao.FapiaoState;
  live: boolean;
  fen: number;
  tax_fen: number;
  original: ColumnType<string | null, string | null, never>;
  buyer: ColumnType<Buyer, string, string>;
  seller: ColumnType<Seller, string, string>;
  issuer: billingFapiao.IssuerKind;
  locale: Locale;
  asked_at: Date;
  sent_fen: ColumnType<number | null, number | null | undefined, number | null>;
  failures: ColumnType<number, number | undefined, number>;
  settled_at: ColumnType<Date | null, never, Date | null>;
  settler: ColumnType<string | null, never, string | null>;
  number: ColumnType<string | null, never, string>;
  issued_on: ColumnType<string | null, never, string>;
  url: ColumnType<string | null, never, string | null>;
  reason: ColumnType<string | null, never, string | null>;
}

export type Fapiao = Selectable<FapiaoTable>;

interface FapiaoTables {
  fapiao: FapiaoTable;
  fapiao_settings: {
    account_id: string;
    version: number;
    enabled: boolean;
    seller: ColumnType<Seller, string, string>;
    issuer: billingFapiao.IssuerKind;
  };
}

export const fapiaoTables = (tx: Tx) => tables<FapiaoTables>(tx);
