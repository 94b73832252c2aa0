import type { LoginMethodKind, PortalGateway, PortalMethodKind } from '@yunxun/contract';
import type { PageLocale } from '@yunxun/portal';
import type { Generated, GeneratedAlways, Kysely } from 'kysely';
import { type Tx, tables } from '../../platform/database/index.ts';
import type { GuestSystem } from './reception/guest-system.ts';

interface DirectoryTable {
  key: string;
  account_id: string;
  gwid: string;
}

export interface SiteTable {
  account_id: string;
  gwid: string;
  enabled: boolean;
  template_id: string | null;
  gateway: PortalGateway;
  key: string;
  secret: Buffer;
  seen_at: Date | null;
  /** Counts until the gateway uses `secret`. */
  old_secret: Buffer | null;
  old_secret_since: Date | null;
  shown_addresses: string[];
  /** Null: never shown since they are kept. */
  shown_hash: Buffer | null;
  /** Until then a session may wait for the device that it moves to. */
  moves_until: Date | null;
  captive_lans: string[];
  exempt_macs: string[];
  exempt_addresses: string[];
  /** Their VLANs are captured. */
  captive_ssids: string[];
  captive_ssid_names: string[];
  /** LAN of each of `ranges`. */
  range_lans: string[];
  ranges: string[];
  remarked: string[];
  remarks: string[];
  ssid_ids: string[] | null;
  ssid_names: string[] | null;
  pay_hosts: boolean;
}

interface PayPassTable {
  account_id: string;
  gwid: string;
  device_key: Buffer;
  order_no: string;
  at: Date;
  until: Date;
}

interface BatchTable {
  account_id: string;
  id: string;
  gwid: string;
  name: string;
  minutes: number;
  devices: number;
  valid_until: Date;
  created_at: Date;
  created_by: string;
}

interface VoucherTable {
  account_id: string;
  gwid: string;
  code_hash: Buffer;
  batch_id: string;
  first_used_at: Date | null;
  voided_at: Date | null;
  code_sealed: Buffer | null;
}

interface MemberTable {
  account_id: string;
  id: string;
  gwid: string;
  name: string;
  name_key: GeneratedAlways<string>;
  name_plain: GeneratedAlways<string>;
  password_hash: string;
  enabled: boolean;
  until: Date | null;
  devices: number;
  last_at: Date | null;
  real_sealed: Buffer | null;
  radius_sealed: Buffer | null;
}

export type SessionState = 'waiting' | 'offered' | 'online' | 'ended';

export interface SessionTable {
  account_id: string;
  id: string;
  gwid: string;
  ticket: string;
  state: SessionState;
  device_key: Buffer;
  mac: string | null;
  ip: string | null;
  verified: boolean;
  method: PortalMethodKind;
  identity: string | null;
  identity_hash: Buffer | null;
  /** The whole identity of a masked one. */
  identity_sealed: Buffer | null;
  /** See `admissionOf`; null without a provider. */
  login_rules: Buffer | null;
  /** See `loginNames`. */
  login_names: Generated<Buffer[]>;
  template_id: string;
  template_version: number;
  locale: PageLocale;
  /** Null: the page had no terms. */
  terms_id: string | null;
  minutes: number;
  up_kbps: number;
  down_kbps: number;
  devices: number;
  times_per_day: number;
  credential: Buffer | null;
  gateway_hash: string | null;
  rhid: string | null;
  made_at: Date;
  ready_at: Date;
  offer_until: Date;
  granted_at: Date | null;
  expires_at: Date | null;
  ended_at: Date | null;
  end_reason: string | null;
  acct_session_id: string | null;
  up_bytes: Generated<number>;
  down_bytes: Generated<number>;
  counters: Generated<Record<string, [up: number, down: number]>>;
  /** Last report of the session by its gateway. */
  last_seen: Date | null;
  /** Last time that its bytes grew. */
  active_at: Generated<Date | null>;
  extended_at: Generated<Date[]>;
  visit_id: string | null;
  entitlement_id: string | null;
  /** 0: no limit. */
  max_bytes: number;
  moved_from: string | null;
}

export interface TermsTable {
  account_id: string;
  id: string;
  gwid: string;
  locale: PageLocale;
  version: number;
  hash: Buffer;
  text: string;
  first_at: Date;
}

export interface SponsorRequestTable {
  account_id: string;
  id: string;
  gwid: string;
  token_hash: Buffer;
  device_key: Buffer;
  guest: string;
  sponsor: string;
  state: 'asked' | 'approved' | 'refused' | 'used';
  at: Date;
  expires_at: Date;
  source: string;
  /** Null: the host's message waits. */
  mailed_at: Date | null;
}

export interface LoginTable {
  account_id: string;
  id: string;
  gwid: string;
  token_hash: Buffer;
  browser_hash: Buffer;
  kind: LoginMethodKind;
  sealed: string;
  expires_at: Date;
}

interface RetentionTable {
  account_id: string;
  days: number;
}

interface SmsTable {
  account_id: string;
  id: string;
  gwid: string;
  phone_hash: Buffer;
  address: string;
  code_hash: Buffer;
  attempts: Generated<number>;
  foreign_attempts: Generated<number>;
  device_key: Buffer | null;
  at: Date;
  expires_at: Date;
  used_at: Date | null;
}

interface VisitTable {
  account_id: string;
  id: string;
  gwid: string;
  at: Date;
  opened_at: Date | null;
  tried_at: Date | null;
  online_at: Date | null;
  failure: string | null;
  device_key: Buffer | null;
  mac: string | null;
  ip: string | null;
  verified: Generated<boolean>;
  system: GuestSystem | null;
}

interface TryTable {
  account_id: string;
  id: string;
  gwid: string;
  visit_id: string;
  at: Date;
  way: string;
  subject_hash: Buffer | null;
  reason: string;
}

interface AccessPointTable {
  account_id: string;
  gwid: string;
  serial: string;
  redirected_at: Date;
}

interface PortalTables {
  portal_directory: DirectoryTable;
  portal_site: SiteTable;
  portal_pay_pass: PayPassTable;
  portal_voucher_batch: BatchTable;
  portal_voucher: VoucherTable;
  portal_member: MemberTable;
  portal_session: SessionTable;
  portal_terms: TermsTable;
  portal_retention: RetentionTable;
  portal_sponsor_request: SponsorRequestTable;
  portal_login: LoginTable;
  portal_sms: SmsTable;
  portal_visit: VisitTable;
  portal_access_point: AccessPointTable;
  portal_try: TryTable;
}

export function portal(tx: Tx | Kysely<unknown>): Kysely<PortalTables> {
  return tables<PortalTables>(tx);
}
