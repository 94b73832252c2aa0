import type { RemoteEndReason, RemoteKind } from '@yunxun/contract';
import type { RemoteRecording } from '@yunxun/contract/remote-terminal';
import type { Generated, Kysely, Selectable } from 'kysely';
import { type Tx, tables } from '../../platform/database/index.ts';

export interface RemoteSessionTable {
  account_id: string;
  id: string;
  gwid: string;
  serial: string;
  peripheral_id: string | null;
  host: string | null;
  port: number | null;
  target: string;
  kind: RemoteKind;
  purpose: string;
  user_id: string;
  user_name: string;
  created_at: Date;
  connected_at: Date | null;
  seen_at: Date | null;
  ended_at: Date | null;
  end_reason: RemoteEndReason | null;
  end_detail: string | null;
  bytes_up: Generated<number>;
  bytes_down: Generated<number>;
  needs_certificate: boolean;
  token_hash: Buffer | null;
  token_until: Date;
  offered_key: string | null;
  link_id: string | null;
  guest: string | null;
  user_account_id: string | null;
  page_hash: Buffer | null;
  recording: Generated<RemoteRecording>;
}

export interface RemoteLinkTable {
  account_id: string;
  id: string;
  gwid: string;
  serial: string | null;
  peripheral_id: string | null;
  target: string;
  kind: RemoteKind;
  guest: string;
  purpose: string;
  user_id: string;
  /** Where the person is at home. */
  user_account_id: string;
  user_name: string;
  created_at: Date;
  until: Date;
  secret_hash: Buffer;
  opened_at: Date | null;
  session_id: string | null;
  revoked_at: Date | null;
}

export type RemoteLink = Selectable<RemoteLinkTable>;

export type RemoteSession = Selectable<RemoteSessionTable>;

interface RemoteTables {
  remote_setting: {
    account_id: string;
    enabled: boolean;
    version: number;
    record: Generated<boolean>;
    record_days: Generated<number>;
  };
  remote_session: RemoteSessionTable;
  remote_credential: {
    account_id: string;
    peripheral_id: string;
    user_name: string;
    kind: 'password' | 'key';
    sealed: Buffer;
    version: number;
    set_at: Date;
    set_by: string;
  };
  remote_link: RemoteLinkTable;
  remote_recording_part: { account_id: string; session_id: string; part: number; sealed: Buffer };
  remote_host_key: {
    account_id: string;
    gwid: string;
    host: string;
    port: number;
    fingerprint: string;
    since: Date;
  };
}

export function remoteTables(tx: Tx | Kysely<unknown>): Kysely<RemoteTables> {
  return tables<RemoteTables>(tx);
}
