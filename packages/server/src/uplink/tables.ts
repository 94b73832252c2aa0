import type { Generated } from 'kysely';

/** Which account a serial belongs to: a directory table, one row per serial of the installation. */
export interface SerialDirectoryTable {
  serial: string;
  account_id: string;
  enrolled_at: Date;
  /** Null until the device's first session: an enrolment nobody used lapses. */
  first_connected_at: Date | null;
}

export interface DeviceCertificateTable {
  account_id: string;
  /** SHA-256 of the DER, lower-case hex. */
  fingerprint: string;
  serial: string;
  /** Issued by our authority; else seen with a certificate of a configured one. */
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
  /** Counts the device's sessions; the highest holds the device. */
  epoch: number;
  /** The gateway process that holds or held it. */
  node: string;
  address: string | null;
  connected_since: Date | null;
  disconnected_at: Date | null;
  last_frame_at: Date;
}

export interface LinkRefusalTable {
  address: string;
  /** Empty when the peer did not say who it is. */
  serial: string;
  reason: string;
  detail: string | null;
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

/** The uplink's own tables. */
export interface UplinkTables {
  serial_directory: SerialDirectoryTable;
  device_certificate: DeviceCertificateTable;
  device_link: DeviceLinkTable;
  link_refusal: LinkRefusalTable;
  device_password: DevicePasswordTable;
  device_latest: { account_id: string; serial: string; at: Generated<Date | null> };
}
