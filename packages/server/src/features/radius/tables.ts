import type { RadiusOddity, RadiusRefusal } from '@yunxun/contract';
import type { Generated, Kysely, Selectable } from 'kysely';
import { type Tx, tables } from '../../platform/database/index.ts';

interface NasTable {
  account_id: string;
  id: string;
  gwid: string;
  name: string;
  source: string | null;
  nas_identifier: string | null;
  secret: Buffer;
  require_ma: boolean;
  managed: Generated<boolean>;
  ma_chosen: Generated<boolean>;
  coa_port: number;
  created_at: Date;
  saved_at: Date;
  proven_at: Date | null;
  last_seen_at: Date | null;
  refused_at: Date | null;
  refusal: RadiusRefusal | null;
  accepted: Generated<number>;
  rejected: Generated<number>;
  accounted: Generated<number>;
  sends_gigawords: Generated<boolean>;
  oddity: RadiusOddity | null;
  odd_at: Date | null;
}

export type NasRow = Selectable<NasTable>;

export type SessionStatus = 'start' | 'interim' | 'stop' | 'reset';

export interface SessionTable {
  account_id: string;
  nas_id: string;
  origin: string;
  session_id: string;
  gwid: string;
  status: SessionStatus;
  username: string;
  mac: string | null;
  ip: string | null;
  serial: string | null;
  address: string | null;
  seconds: number;
  up_bytes: number;
  down_bytes: number;
  raw_up: number;
  raw_down: number;
  /** Sessions that had the id before. */
  begun: number;
  event_time: number | null;
  /** Arrival without Acct-Delay-Time. */
  sent_at: Date;
  at: Date;
}

interface RadiusTables {
  radius_nas: NasTable;
  radius_session: SessionTable;
}

export function radiusTables(tx: Tx | Kysely<unknown>): Kysely<RadiusTables> {
  return tables<RadiusTables>(tx);
}
