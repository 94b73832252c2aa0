import type { AlarmEventType, AlarmKind, AlarmLevel, AlarmPreset, AlarmRuleHours, AlarmState } from '@yunxun/contract';
import type { GeneratedAlways, Kysely } from 'kysely';
import { type Tx, tables } from '../../platform/database/index.ts';

export interface RuleTable {
  account_id: string;
  id: string;
  /** Of its kind, for all places without a rule of their own. */
  main: boolean;
  kind: AlarmKind;
  enabled: boolean;
  level: AlarmLevel;
  tolerance_s: number;
  threshold: number | null;
  scope: 'all' | 'networks' | 'groups';
  scope_ids: string[];
  /** Null: always. */
  hours: AlarmRuleHours[] | null;
  /** Null: changed by a person. */
  preset: AlarmPreset | null;
}

export interface AlarmTable {
  account_id: string;
  id: string;
  kind: AlarmKind;
  level: AlarmLevel;
  state: AlarmState;
  /** Null: about the account. */
  gwid: string | null;
  serial: string | null;
  part: string;
  subject: GeneratedAlways<string>;
  name: string;
  network: string;
  began_at: Date;
  last_at: Date;
  recovered_at: Date | null;
  lasts: boolean;
  count: number;
  value: number | null;
  threshold: number | null;
  clients: number | null;
  clients_hit: number | null;
  devices_hit: number;
  cause_id: string | null;
  acknowledged_at: Date | null;
  acknowledged_by: string | null;
  note: string;
  assignee_id: string | null;
  assignee_name: string | null;
  silenced_until: Date | null;
}

interface EventTable {
  account_id: string;
  id: string;
  alarm_id: string;
  at: Date;
  type: AlarmEventType;
  person: string | null;
  note: string | null;
  until: Date | null;
}

interface PendingTable {
  account_id: string;
  kind: AlarmKind;
  serial: string | null;
  gwid: string | null;
  subject: GeneratedAlways<string>;
  part: string;
  since: Date;
}

export interface SiteSilenceTable {
  account_id: string;
  gwid: string;
  until: Date;
  note: string;
  person: string;
  created_at: Date;
}

interface AlarmTables {
  alarm_rule: RuleTable;
  alarm: AlarmTable;
  alarm_event: EventTable;
  alarm_pending: PendingTable;
  alarm_site_silence: SiteSilenceTable;
}

export function alarmTables(tx: Tx | Kysely<unknown>): Kysely<AlarmTables> {
  return tables<AlarmTables>(tx);
}
