import type { Kysely } from 'kysely';
import { type Tx, tables } from '../../platform/database/index.ts';

interface BindingCodeTable {
  account_id: string;
  id: string;
  name: string;
  code: string;
  /** Null: unlimited. */
  max_devices: number | null;
  expires_at: Date | null;
  created_at: Date;
  created_by: string;
  withdrawn_at: Date | null;
}

interface BindingUseTable {
  account_id: string;
  id: string;
  /** Null: the account's own code. */
  code_id: string | null;
  serial: string;
  address: string;
  at: Date;
}

interface EnrolmentRequestTable {
  account_id: string;
  serial: string;
  /** IPv4 address, or IPv6 /64. */
  source: string;
  address: string;
  platform: string | null;
  model: string | null;
  code_id: string | null;
  asked_at: Date;
  last_at: Date;
  tries: number;
  decision: 'allow' | 'refuse' | null;
  decided_by: string | null;
  until: Date | null;
}

export interface SerialTransferTable {
  account_id: string;
  id: string;
  serial: string;
  /** Null: released. */
  to_account_id: string | null;
  reason: string;
  asked_at: Date;
  asked_by: string;
  asker_account_id: string;
  asker_id: string;
  due_at: Date;
  state: 'waiting' | 'moved' | 'objected' | 'withdrawn';
  decided_at: Date | null;
  decided_by: string | null;
  objection: string | null;
}

interface BindingTables {
  serial_transfer: SerialTransferTable;
  installer_code: BindingCodeTable;
  binding_use: BindingUseTable;
  enrolment_request: EnrolmentRequestTable;
}

export function binding(tx: Tx | Kysely<unknown>): Kysely<BindingTables> {
  return tables<BindingTables>(tx);
}
