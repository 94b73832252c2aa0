import type { Tx } from '../platform/database/index.ts';

/** A device by its account. */
export interface DeviceRef {
  accountId: string;
  serial: string;
}

/** A device was given a certificate. */
export interface Enrolment extends DeviceRef {
  at: Date;
  /** Where the request came from. */
  address: string;
  platform: string | null;
  model: string | null;
  /** The network it asked to join; not checked yet. */
  gwid: string | null;
  /** The account had this serial already; its certificates before this one are revoked. */
  again: boolean;
}

/** A device that holds a session was given its next certificate. */
export interface CertificateRenewal extends DeviceRef {
  at: Date;
  /** Where the session comes from. */
  address: string;
  /** When the certificate ends. */
  until: Date;
}

/** An enrolment lapsed and another account took the serial: the device is to be forgotten in the account it left. */
export interface Lapse extends DeviceRef {
  at: Date;
}

/** The session a device came with. */
export interface Link {
  epoch: number;
  /** The gateway process that holds it. */
  node: string;
  address: string;
  since: Date;
  /** Our authority issued its certificate; else one of the configured ones. */
  ours: boolean;
}

/** What a device says first, every part checked for its type. Passwords are taken out. */
export interface Connect {
  at: Date;
  firmware: string | null;
  /** Active configuration; 0 in a recovery boot, 1 on an unconfigured access point. */
  uuid: number;
  reason: string | null;
  platform: string | null;
  model: string | null;
  compatible: string | null;
  /** As sent; look at it through `asRecord`. */
  capabilities: Record<string, unknown>;
  /** How the device found us: `DHCP`, `FLASH`, `STANDARD_FQDN`, `OpenLAN`. */
  discovery: string | null;
}

/** What the rest of the program needs to know of a state report that is committed. */
export interface ReportDigest {
  /** The configuration that the device runs, by its word. */
  uuid: number | null;
  /** The request that the report answers. */
  requestUuid: string | null;
  /** Whether it has a downstream interface of its own, and somebody behind it; null when it shows no interfaces. */
  downstream: { routes: boolean; serves: boolean } | null;
  /** Power of its radios, dBm, by the names of bands. */
  powers: [band: string, dbm: number][];
}

/** Why a session ended. */
export type DisconnectReason =
  | 'closed'
  | 'silent'
  | 'taken-over'
  | 'revoked'
  | 'unbound'
  | 'serial-mismatch'
  | 'oversized-frame'
  | 'protocol'
  | 'server-error'
  | 'server-stopped'
  | 'process-gone';

export interface Disconnect {
  at: Date;
  reason: DisconnectReason;
  epoch: number;
}

/**
 * What the uplink tells the rest of the program; the composition root passes an implementation in. The calls for one
 * device come one after the other, in the order of the wire; a device is read no further while many of its calls wait.
 */
export interface UplinkHandlers {
  /** In the transaction of the enrolment. Writes the device, its operation-log row, and the owner's message when `again`. */
  enrolled(tx: Tx, enrolment: Enrolment): Promise<void>;
  /** In the same transaction, before `enrolled`, when the serial comes from an account whose enrolment lapsed. */
  lapsed(tx: Tx, lapse: Lapse): Promise<void>;
  /** In the transaction that writes the certificate down. */
  renewed(tx: Tx, renewal: CertificateRenewal): Promise<void>;
  /** A session began, after its `connect` message was read. Also for the session that takes over from another. */
  connected(device: DeviceRef, connect: Connect, link: Link): Promise<void>;
  /** A session ended and no newer one holds the device. */
  disconnected(device: DeviceRef, info: Disconnect): Promise<void>;
  /** A state report was committed. A newer one may have come since. */
  reported(device: DeviceRef, report: ReportDigest, at: Date): Promise<void>;
  /** Any other message but `state`; parameters are inflated, and without passwords. Unknown methods come too. */
  message(device: DeviceRef, method: string, params: Readonly<Record<string, unknown>>, at: Date): Promise<void>;
  /** Flow by application came. @returns the number up to which it is committed, for the device to let go of; null where it makes no sense */
  flow(device: DeviceRef, params: Readonly<Record<string, unknown>>, at: Date): Promise<number | null>;
  /** A device in its recovery system asked to be restarted, was told to, and goes. */
  restarting(device: DeviceRef, at: Date): Promise<void>;
  /** Sessions that gave a sign of life since the last time, every minute. */
  seen(devices: readonly (DeviceRef & { at: Date })[]): Promise<void>;
  /** Serials of the other devices in the same network, to which a venue broadcast goes. */
  neighbours(device: DeviceRef): Promise<readonly string[]>;
}
