import type { Generated } from 'kysely';
import type { DeviceFingerprint } from './ports.ts';

export interface SerialDirectoryTable {
  serial: string;
  account_id: string;
  enrolled_at: Date;
  /** Address key of the claim, for limits. */
  source: Generated<string | null>;
  /** Null: the enrolment may lapse. */
  first_connected_at: Date | null;
  /** A factory certificate, or the administrator, vouched for the account. */
  proven_at: Generated<Date | null>;
}

export interface DeviceCertificateTable {
  account_id: string;
  /** DER, SHA-256, lower-case hex. */
  fingerprint: string;
  serial: string;
  ours: boolean;
  issued_at: Date;
  expires_at: Date;
  address: string | null;
  model: string | null;
  revoked_at: Date | null;
  revoked_reason: string | null;
}

export interface DeviceLinkTable {
  account_id: string;
  serial: string;
  /** Highest: current session. */
  epoch: number;
  node: string;
  address: string | null;
  connected_since: Date | null;
  disconnected_at: Date | null;
  last_frame_at: Date;
}

export interface LinkRefusalTable {
  address: string;
  /** Empty if unknown. */
  serial: string;
  reason: string;
  detail: string | null;
  sni: string | null;
  host: string | null;
  account_id: string | null;
  count: number;
  at: Date;
}

export interface DevicePasswordTable {
  account_id: string;
  serial: string;
  sealed: Buffer;
  at: Date;
}

export interface SharedCertificateTable {
  account_id: string;
  serial: string;
  first_box: DeviceFingerprint;
  second_box: DeviceFingerprint;
  switches: number;
  at: Date;
  /** Null while suspected. */
  held_since: Date | null;
}

export interface UplinkTables {
  serial_directory: SerialDirectoryTable;
  device_certificate: DeviceCertificateTable;
  device_link: DeviceLinkTable;
  link_refusal: LinkRefusalTable;
  device_password: DevicePasswordTable;
  shared_certificate: SharedCertificateTable;
  device_latest: { account_id: string; serial: string; at: Generated<Date | null> };
}
