import type {
  AlarmKind,
  AlarmLevel,
  AlarmSubscription,
  DeliveryState,
  EndpointType,
  Locale,
  MemberChannel,
  NoticeEvent,
} from '@yunxun/contract';
import type { Generated, Kysely } from 'kysely';
import { type Tx, tables } from '../../../platform/database/index.ts';

export interface SubscriptionTable {
  account_id: string;
  id: string;
  version: number;
  name: string;
  enabled: boolean;
  locale: Locale;
  levels: AlarmLevel[];
  kinds: AlarmKind[];
  scope: 'all' | 'networks' | 'groups';
  scope_ids: string[];
  members: string[];
  member_channels: MemberChannel[];
  schedule: AlarmSubscription['schedule'];
  quiet: string | null;
  digest_minutes: number;
  repeat_hours: number;
  recovery: boolean;
  created_at: Date;
  /** Removed; kept for recoveries. */
  ended_at: Date | null;
}

export interface EndpointTable {
  account_id: string;
  id: string;
  subscription_id: string;
  position: number;
  type: EndpointType;
  shown: string;
  has_secret: boolean;
  sealed: Buffer;
  ended_at: Date | null;
}

export interface BrowserTable {
  account_id: string;
  id: string;
  person_id: string;
  name: string;
  fingerprint: Buffer;
  sealed: Buffer;
  created_at: Date;
  last_at: Date | null;
  last_error: string | null;
  ended_at: Date | null;
}

export type DropReason = 'acknowledged' | 'silenced' | 'recovered' | 'folded' | 'known' | 'off';

export interface NoticeTable {
  account_id: string;
  id: string;
  subscription_id: string;
  alarm_id: string;
  event: Exclude<NoticeEvent, 'test'>;
  at: Date;
  due_at: Date;
  state: Generated<'waiting' | 'sent' | 'dropped'>;
  reason: DropReason | null;
  batch_id: string | null;
  decided_at: Date | null;
}

/** As it was when the message was made. */
export interface Item {
  event: NoticeEvent;
  alarm_id: string;
  kind: AlarmKind;
  level: AlarmLevel;
  /** Null: about the account. */
  gwid: string | null;
  network: string;
  serial: string | null;
  name: string;
  part: string;
  began_at: string;
  recovered_at: string | null;
  count: number;
  value: number | null;
  threshold: number | null;
  devices_hit: number;
  clients_hit: number | null;
}

export interface Content {
  test: boolean;
  subscription: { id: string; name: string };
  account: { id: string; name: string };
  locale: Locale;
  zone: string;
  items: Item[];
  total: number;
}

export interface DeliveryTable {
  account_id: string;
  id: string;
  batch_id: string;
  subscription_id: string;
  channel: MemberChannel | EndpointType;
  recipient: string;
  person_id: string | null;
  /** Endpoint of the subscription; for `web_push` a browser. */
  endpoint_id: string | null;
  outbox_id: string | null;
  content: Content;
  state: DeliveryState;
  attempts: Generated<number>;
  next_at: Date;
  error: string | null;
  created_at: Date;
  sent_at: Date | null;
}

interface NotifyTables {
  alarm_subscription: SubscriptionTable;
  alarm_endpoint: EndpointTable;
  alarm_browser: BrowserTable;
  alarm_notice: NoticeTable;
  alarm_delivery: DeliveryTable;
  alarm_attempt: { account_id: string; id: string; delivery_id: string; at: Date; error: string | null };
}

export function notifyTables(tx: Tx | Kysely<unknown>): Kysely<NotifyTables> {
  return tables<NotifyTables>(tx);
}
