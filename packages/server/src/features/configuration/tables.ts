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

export type WirelessPastTable = WirelessIntentTable;

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
  /** Null: unknown. */
  rejected_firmware: string | null;
  /** `refused` by this firmware; `returned`: rolled back. */
  rejection: 'refused' | 'returned' | null;
  reasons: string[];
  reported_uuid: number | null;
  trial_until: Date | null;
  last_uuid: number;
  changed_at: Date;
}

export interface BlockHoldTable {
  account_id: string;
  serial: string;
  blocked: string[];
  held_at: Date;
}

export interface RadioReachTable {
  account_id: string;
  serial: string;
  band: string;
  dbm: number;
}

export interface ReportedPortTable {
  account_id: string;
  serial: string;
  name: string;
  speed: number | null;
  top_speed: number | null;
  duplex: 'half' | 'full' | null;
  poe: boolean;
  uplink: boolean;
  power_cycled_at: Date | null;
}

export interface ConfigLayerTable {
  account_id: string;
  id: string;
  kind: string;
  name: string;
  version: number;
  created_at: Date;
  updated_at: Date;
  updated_by: string;
}

export interface ConfigLayerVersionTable {
  account_id: string;
  layer_id: string;
  version: number;
  content: unknown;
  sealed_keys: Buffer;
  created_at: Date;
  created_by: string;
}

export interface DeviceLayerTable {
  account_id: string;
  serial: string;
  kind: string;
  layer_id: string;
  version: number;
  scope: string;
  ref: string | null;
}

export interface StandingLayerTable {
  account_id: string;
  scope: string;
  ref: string;
  kind: string;
  layer_id: string;
  version: number;
}

export interface LayerStepTable {
  account_id: string;
  job_id: string;
  serial: string;
  kind: string;
  before: unknown;
  after: unknown;
}

export interface ConfigContactTable {
  account_id: string;
  serial: string;
  routes: boolean;
  lan: string | null;
  /** Whether it has clients is known. */
  settled: boolean;
  outcome: 'open' | 'sent' | 'left';
  reason: string | null;
  source: 'read' | 'rebuilt' | null;
  at: Date;
}

interface SubnetCollisionTable {
  account_id: string;
  serial: string;
  line: string;
  lan: string;
  since: Date;
}

interface ConfigurationTables {
  config_contact: ConfigContactTable;
  wireless_intent: WirelessIntentTable;
  wireless_past: WirelessPastTable;
  gateway_intent: GatewayIntentTable;
  device_override: DeviceOverrideTable;
  config_version: ConfigVersionTable;
  config_state: ConfigStateTable;
  radio_reach: RadioReachTable;
  subnet_collision: SubnetCollisionTable;
  block_hold: BlockHoldTable;
  reported_port: ReportedPortTable;
  config_layer: ConfigLayerTable;
  config_layer_version: ConfigLayerVersionTable;
  device_layer: DeviceLayerTable;
  standing_layer: StandingLayerTable;
  layer_step: LayerStepTable;
}

export function configurationTables(tx: Tx | Kysely<unknown>): Kysely<ConfigurationTables> {
  return tables<ConfigurationTables>(tx);
}
