import type { PackageTerms } from '@yunxun/contract';
import { type Kysely, sql } from 'kysely';
import { type Tx, tables } from '../../../platform/database/index.ts';

export interface CouponTable {
  account_id: string;
  id: string;
  name: string;
  code: string;
  kind: 'amount' | 'share';
  amount_fen: number;
  percent: number;
  min_fen: number;
  per_person: number;
  max_uses: number;
  gwids: string[] | null;
  enabled: boolean;
  version: number;
  created_at: Date;
  until: Date;
  ended_at: Date | null;
}

interface GoodsTables {
  billing_coupon: CouponTable;
  billing_coupon_use: {
    account_id: string;
    order_no: string;
    coupon_id: string;
    gwid: string;
    device: string;
    fen: number;
  };
  billing_package: {
    account_id: string;
    id: string;
    name: string;
    price_fen: number;
    terms: PackageTerms;
    enabled: boolean;
    created_at: Date;
  };
  billing_card_batch: {
    account_id: string;
    id: string;
    name: string;
    package_id: string;
    package_name: string;
    terms: PackageTerms;
    face_fen: number;
    valid_until: Date;
    created_at: Date;
    created_by: string;
  };
  billing_card: {
    account_id: string;
    id: string;
    batch_id: string;
    code_hash: Buffer;
    tail: string;
    sold_at: Date | null;
    used_at: Date | null;
    used_gwid: string | null;
    voided_at: Date | null;
    refunded_at: Date | null;
    refunded_fen: number | null;
  };
  billing_entitlement: {
    account_id: string;
    id: string;
    gwid: string;
    source: 'card' | 'coupon' | 'order';
    source_id: string;
    package_id: string;
    terms: PackageTerms;
    created_at: Date;
    started_at: Date | null;
    ends_at: Date;
    refunded_at: Date | null;
  };
}

export function goodsTables(tx: Tx | Kysely<unknown>): Kysely<GoodsTables> {
  return tables<GoodsTables>(tx);
}

/** Serialises what an account sells, so that limits and names hold. */
export async function lockGoods(tx: Tx, accountId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`packages ${accountId}`}, 0))`.execute(tx);
}
