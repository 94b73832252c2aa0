import type { PackageTerms } from '@yunxun/contract';
import type { Kysely } from 'kysely';
import { type Tx, tables } from '../../../platform/database/index.ts';

interface GoodsTables {
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
    used_at: Date | null;
    used_gwid: string | null;
    voided_at: Date | null;
    refunded_at: Date | null;
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
