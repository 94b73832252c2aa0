import type { sms } from '@yunxun/contract';
import type { Kysely } from 'kysely';
import { type Tx, tables } from '../../platform/database/index.ts';

export interface SmsRow {
  account_id: string;
  id: string;
  gwid: string | null;
  phone_masked: string;
  /** Null: sent before it was kept. */
  phone_hash: Buffer | null;
  purpose: (typeof sms.smsPurposes)[number];
  template: string;
  outbox_id: string;
  state: (typeof sms.smsStates)[number];
  reason: string | null;
  fee_fen: number;
  at: Date;
  settled_at: Date | null;
}

interface SmsTables {
  sms_message: SmsRow;
  sms_account: { account_id: string; low_balance: number | null; warned_at: Date | null };
}

export function smsTables(tx: Tx | Kysely<unknown>): Kysely<SmsTables> {
  return tables<SmsTables>(tx);
}
