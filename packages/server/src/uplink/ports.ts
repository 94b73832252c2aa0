import type { Tx } from '../platform/database/index.ts';

export interface DeviceRef {
  accountId: string;
  serial: string;
}

export interface Enrolment extends DeviceRef {
  at: Date;
  address: string;
  platform: string | null;
  model: string | null;
  /** Unchecked. */
  gwid: string | null;
  again: boolean;
  /** The old certificate counts until the new one opens a session. */
  proven: boolean;
}

export interface ShownCode {
  accountId: string;
  codeId: string | null;
}

export interface EnrolmentAsk extends DeviceRef, ShownCode {
  address: string;
  platform: string | null;
  model: string | null;
}

export interface EnrolmentGate {
  /** Returns `over` if expired or used up; undefined if unknown. */
  resolve(tx: Tx, code: string, serial: string, at: Date): Promise<ShownCode | 'over' | undefined>;
  /** Stores the request, or returns the decision. `allowed` counts once. */
  ask(tx: Tx, ask: EnrolmentAsk): Promise<'allowed' | 'waiting' | 'refused'>;
  used(tx: Tx, use: DeviceRef & ShownCode & { address: string; at: Date }): Promise<void>;
}

/** Bounds wrong binding codes, over all processes. */
export interface CodeGuesses {
  /** Null of `work` is a wrong guess; a throw is none. */
  check<T>(
    guess: { key: string; limit: number; windowMs: number },
    work: () => Promise<T | null>,
  ): Promise<{ outcome: 'right'; value: T } | { outcome: 'wrong' | 'locked' | 'busy'; count: { expiresAt: Date } }>;
}

export interface CertificateRenewal extends DeviceRef {
  at: Date;
  address: string;
  until: Date;
}

/** Another account took a lapsed serial. */
export interface Lapse extends DeviceRef {
  at: Date;
}

/** Another account proved the device by its factory certificate. */
export interface Taken extends DeviceRef {
  at: Date;
  by: string;
}

export interface Link {
  epoch: number;
  node: string;
  address: string;
  since: Date;
  /** Not by a configured authority. */
  ours: boolean;
  /** Of the replaced session, in this process. */
  heardBefore: Date | null;
}

/** Validated first message, without passwords. */
export interface Connect {
  at: Date;
  firmware: string | null;
  /** 0: recovery boot; 1: unconfigured access point. */
  uuid: number;
  reason: string | null;
  platform: string | null;
  model: string | null;
  compatible: string | null;
  /** Unvalidated: use `asRecord`. */
  capabilities: Record<string, unknown>;
  renews: boolean;
  /** The agent removed what the console had added, because it was unbound. */
  quiet: boolean;
  /** `DHCP`, `FLASH`, `STANDARD_FQDN`, `OpenLAN`. */
  discovery: string | null;
}

export interface ReportDigest {
  uuid: number | null;
  requestUuid: string | null;
  /** Null without interfaces. */
  downstream: { routes: boolean; serves: boolean } | null;
  /** dBm by band name. */
  powers: [band: string, dbm: number][];
  /** Seconds. */
  uptimeS: number | null;
  /** Switches only. */
  ports?: ReportedPort[];
  /** Agents with SD-WAN only. */
  tunnels?: { publicKey: string; addresses: string[] };
  /** Revision and statuses of peripheral devices. */
  watch?: string;
}

export interface ReportedPort {
  name: string;
  /** Mbit/s; null while unplugged. */
  speed: number | null;
  duplex: 'half' | 'full' | null;
  poe: boolean;
}

export type DisconnectReason =
  | 'closed'
  | 'silent'
  | 'taken-over'
  | 'held-off'
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

/** Runs sequentially per device, in wire order; many unfinished calls pause its socket. */
export interface UplinkHandlers {
  /** Runs in the enrolment's transaction. Writes device, log and, if `again`, the owner's message. */
  enrolled(tx: Tx, enrolment: Enrolment): Promise<void>;
  /** Runs in the same transaction, before `enrolled`. */
  lapsed(tx: Tx, lapse: Lapse): Promise<void>;
  /** Like `lapsed`, for a device that was online; informs both accounts. */
  taken(tx: Tx, taken: Taken): Promise<void>;
  renewed(tx: Tx, renewal: CertificateRenewal): Promise<void>;
  /** Runs in the transaction that refuses the second device. Writes log and the owner's message. */
  shared(tx: Tx, device: DeviceRef, fingerprints: FingerprintPair, at: Date): Promise<void>;
  connected(device: DeviceRef, connect: Connect, link: Link): Promise<void>;
  disconnected(device: DeviceRef, info: Disconnect): Promise<void>;
  reported(device: DeviceRef, report: ReportDigest, at: Date): Promise<void>;
  /** Receives inflated messages without passwords, unknown methods too. */
  message(device: DeviceRef, method: string, params: Readonly<Record<string, unknown>>, at: Date): Promise<void>;
  /** @returns the committed sequence number; null if invalid */
  flow(device: DeviceRef, params: Readonly<Record<string, unknown>>, at: Date): Promise<number | null>;
  restarting(device: DeviceRef, at: Date): Promise<void>;
  seen(devices: readonly (DeviceRef & { at: Date })[]): Promise<void>;
  neighbours(device: DeviceRef): Promise<readonly string[]>;
  /** Returns the answer. Absent: frames are dropped. */
  radius?(device: DeviceRef, kind: 'auth' | 'acct', data: Buffer): Promise<Buffer | null>;
}

/** `coa`: to the device, and its answers. */
export type RadiusKind = 'auth' | 'acct' | 'coa';

export interface DeviceFingerprint {
  address: string;
  mac: string | null;
  model: string | null;
  firmware: string | null;
  /** `socket`: reconnected. */
  boot: string | null;
}

/** Two devices with one certificate; the first keeps the session. */
export interface FingerprintPair {
  first: DeviceFingerprint;
  second: DeviceFingerprint;
}

/** Without the session, whose buffers would stay in memory. */
export interface SessionEnd extends Disconnect {
  device: DeviceRef;
  lastFrameAt: Date;
}
