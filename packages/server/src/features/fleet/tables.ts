import type { DeviceKind, JoinRule, RestartScope, SyncState } from '@yunxun/contract';
import type { Generated, Kysely } from 'kysely';
import { type Tx, tables } from '../../platform/database/index.ts';
import type { LossCause } from './outages/cause.ts';
import type { Presence } from './status.ts';

export interface NetworkTable {
  account_id: string;
  gwid: string;
  remark: string;
  tags: Generated<string[]>;
  gateway_serial: string | null;
  created_at: Generated<Date>;
  /** Sends no first document. */
  left_alone: Generated<boolean>;
  bridge_lan: Generated<boolean>;
  join_rule: Generated<JoinRule>;
}

export interface DeviceTable {
  account_id: string;
  serial: string;
  gwid: string | null;
  /** Named at enrolment, not joined: a person decides. */
  wanted_gwid: Generated<string | null>;
  /** By a person or a trusted address; others get no settings. */
  confirmed: Generated<boolean>;
  kind: DeviceKind;
  routes: Generated<boolean>;
  remark: string;
  model: string | null;
  compatible: string | null;
  platform: string | null;
  firmware: string | null;
  capabilities: unknown;
  public_address: string | null;
  bound_at: Date;
  first_seen: Date | null;
  last_seen: Date | null;
  /** Session number; older ends are ignored. */
  epoch: Generated<number>;
  online: Generated<boolean>;
  online_since: Date | null;
  offline_since: Date | null;
  offline_cause: LossCause | null;
  restarting_since: Date | null;
  restart_reason: string | null;
  booted_at: Date | null;
  sync_state: SyncState | null;
  sync_since: Date | null;
  sync_reason: string | null;
  trial_until: Date | null;
  group_id: string | null;
  tags: Generated<string[]>;
  bands: Generated<string[]>;
}

export interface DeviceEventTable {
  account_id: string;
  serial: string;
  id: string;
  at: Date;
  type: string;
  payload: unknown;
}

interface SavedViewTable {
  account_id: string;
  id: string;
  version: number;
  person_id: string;
  list: string;
  name: string;
  search: unknown;
  shared: boolean;
  created_at: Date;
}

interface ApGroupTable {
  account_id: string;
  id: string;
  name: string;
  created_at: Date;
}

interface NetworkWindowTable {
  account_id: string;
  gwid: string;
  weekdays: number[];
  start_minute: number;
  minutes: number;
}

export interface MaintenanceTable {
  account_id: string;
  id: string;
  gwid: string;
  begins_at: Date;
  ends_at: Date;
  note: string;
  person: string;
  created_at: Date;
}

export interface RestartScheduleTable {
  account_id: string;
  gwid: string;
  scope: RestartScope;
  /** Serial of a device, id of a group, else empty. */
  target: string;
  weekdays: number[];
  start_minute: number;
  last_at: Date;
  job_id: string | null;
  created_at: Date;
  created_by: string;
}

interface FleetTables {
  network: NetworkTable;
  device: DeviceTable;
  device_event: DeviceEventTable;
  saved_view: SavedViewTable;
  ap_group: ApGroupTable;
  network_window: NetworkWindowTable;
  network_maintenance: MaintenanceTable;
  restart_schedule: RestartScheduleTable;
}

export function fleet(tx: Tx | Kysely<unknown>): Kysely<FleetTables> {
  return tables<FleetTables>(tx);
}

export const presenceColumns = [
  'online',
  'online_since',
  'offline_since',
  'restarting_since',
  'restart_reason',
  'booted_at',
  'first_seen',
  'last_seen',
] as const;

type PresenceRow = Pick<
  { [K in keyof DeviceTable]: DeviceTable[K] extends Generated<infer T> ? T : DeviceTable[K] },
  (typeof presenceColumns)[number]
>;

export function presenceOfRow(row: PresenceRow): Presence {
  return {
    online: row.online,
    onlineSince: row.online_since,
    offlineSince: row.offline_since,
    restartingSince: row.restarting_since,
    restartReason: row.restart_reason,
    bootedAt: row.booted_at,
    firstSeen: row.first_seen,
    lastSeen: row.last_seen,
  };
}

export function rowOfPresence(presence: Presence): PresenceRow {
  return {
    online: presence.online,
    online_since: presence.onlineSince,
    offline_since: presence.offlineSince,
    restarting_since: presence.restartingSince,
    restart_reason: presence.restartReason,
    booted_at: presence.bootedAt,
    first_seen: presence.firstSeen,
    last_seen: presence.lastSeen,
  };
}
