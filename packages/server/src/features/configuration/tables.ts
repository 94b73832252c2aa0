import type { SyncState } from '@yunxun/contract';
import type { Kysely } from 'kysely';
import { type Tx, tables } from '../../platform/database/index.ts';

export interface WirelessIntentTable {
  account_id: string;
  gwid: string;
  version: number;
  intent: unknown;
  sealed_keys: Buffer;
  updated_at: Date;
  updated_by: string;
}

export interface GatewayIntentTable {
  account_id: string;
  gwid: string;
  version: number;
  intent: unknown;
  updated_at: Date;
  updated_by: string;
}

export interface DeviceOverrideTable {
  account_id: string;
  serial: string;
  version: number;
  override: unknown;
  updated_at: Date;
  updated_by: string;
}

export interface ConfigVersionTable {
  account_id: string;
  serial: string;
  uuid: number;
  sha256: string;
  sealed: Buffer;
  bytes: number;
  cause: string;
  author: string;
  job_id: string | null;
  outcome: string;
  rejected: string[];
  created_at: Date;
  sent_at: Date | null;
}

export interface ConfigStateTable {
  account_id: string;
  serial: string;
  state: SyncState;
  desired_uuid: number | null;
  desired_sha: string | null;
  active_uuid: number | null;
  active_sha: string | null;
  sent_uuid: number | null;
  sent_sha: string | null;
  sent_at: Date | null;
  attempts: number;
  holder: string | null;
  held_until: Date | null;
  rejected_uuid: number | null;
  rejected_sha: string | null;
  rejected_firmware: string | null;
  reasons: string[];
  reported_uuid: number | null;
  trial_until: Date | null;
  last_uuid: number;
  changed_at: Date;
}

export interface RadioReachTable {
  account_id: string;
  serial: string;
  band: string;
  dbm: number;
}

interface ConfigurationTables {
  wireless_intent: WirelessIntentTable;
  gateway_intent: GatewayIntentTable;
  device_override: DeviceOverrideTable;
  config_version: ConfigVersionTable;
  config_state: ConfigStateTable;
  radio_reach: RadioReachTable;
}

/** Configuration's own tables. */
export function configurationTables(tx: Tx | Kysely<unknown>): Kysely<ConfigurationTables> {
  return tables<ConfigurationTables>(tx);
}
