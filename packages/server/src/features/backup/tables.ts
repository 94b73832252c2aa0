import type { backup } from '@yunxun/contract';
import type { Kysely } from 'kysely';
import { type Tx, tables } from '../../platform/database/index.ts';

interface ContentTable {
  account_id: string;
  gwid: string;
  fingerprint: string;
  sealed: Buffer;
  bytes: number;
  checksum: string;
}

export interface BackupTable {
  account_id: string;
  id: string;
  gwid: string;
  fingerprint: string;
  type: backup.BackupType;
  cause: string | null;
  model: string | null;
  version: string | null;
  ports: string[];
  note: string;
  pinned: boolean;
  created_by: string;
  created_at: Date;
}

interface PlanTable {
  account_id: string;
  gwid: string;
  cycle: backup.BackupCycle;
  hour: number;
  weekday: number;
  updated_at: Date;
  updated_by: string;
}

export interface RestoreTable {
  account_id: string;
  id: string;
  gwid: string;
  sections: backup.BackupSection[];
  backup_id: string;
  backup_at: Date;
  snapshot_id: string | null;
  job_id: string | null;
  created_by: string;
  created_at: Date;
}

interface BackupTables {
  backup_content: ContentTable;
  backup: BackupTable;
  backup_plan: PlanTable;
  backup_restore: RestoreTable;
}

export function backupTables(tx: Tx | Kysely<unknown>): Kysely<BackupTables> {
  return tables<BackupTables>(tx);
}
