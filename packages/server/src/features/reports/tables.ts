import type { ReportPeriod } from '@yunxun/contract';
import type { Generated, Kysely } from 'kysely';
import { type Tx, tables } from '../../platform/database/index.ts';

export interface ReportTable {
  account_id: string;
  id: string;
  version: number;
  name: string;
  enabled: boolean;
  period: ReportPeriod;
  weekday: number;
  hour: number;
  members: string[];
  /** Local day of sending whose deliveries exist already. */
  sent_day: string;
  created_at: Date;
}

export interface DeliveryTable {
  account_id: string;
  id: string;
  report_id: string;
  person_id: string;
  period: ReportPeriod;
  sent_day: string;
  test: boolean;
  state: Generated<'waiting' | 'sent' | 'failed'>;
  attempts: Generated<number>;
  error: string | null;
  outbox_id: string | null;
  created_at: Date;
}

interface ReportTables {
  mail_report: ReportTable;
  mail_report_delivery: DeliveryTable;
}

export function reportTables(tx: Tx | Kysely<unknown>): Kysely<ReportTables> {
  return tables<ReportTables>(tx);
}
