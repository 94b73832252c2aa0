import type { firmware } from '@yunxun/contract';
import type { Kysely } from 'kysely';
import { type Tx, tables } from '../../platform/database/index.ts';

export interface ImageTable {
  account_id: string;
  id: string;
  version: string;
  models: string[];
  source: firmware.ImageSource;
  uri: string | null;
  name: string;
  size: number | null;
  sha256: string;
  signature: string | null;
  token: string;
  ready: boolean;
  created_by: string;
  created_at: Date;
}

interface PartTable {
  account_id: string;
  id: string;
  part: number;
  bytes: Buffer;
}

export interface UpgradeLogTable {
  account_id: string;
  id: string;
  at: Date;
  serial: string;
  name: string;
  gwid: string | null;
  action: firmware.UpgradeAction;
  from_version: string | null;
  to_version: string | null;
  trigger: firmware.UpgradeTrigger;
  operator: string | null;
  result: 'success' | 'failed';
  reason: string | null;
  seconds: number | null;
  job_id: string | null;
}

interface FirmwareTables {
  firmware_image: ImageTable;
  firmware_part: PartTable;
  upgrade_log: UpgradeLogTable;
}

export function firmwareTables(tx: Tx | Kysely<unknown>): Kysely<FirmwareTables> {
  return tables<FirmwareTables>(tx);
}
