import type { Bus } from '../platform/bus/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Capacity } from './flow.ts';
import type { HandshakeLimiter } from './handshake-limiter.ts';
import type { UplinkMetrics } from './metrics.ts';
import type { PeerIdentity } from './peer-identity.ts';
import type { DeviceFingerprint, DeviceRef, FingerprintPair, ReportDigest, UplinkHandlers } from './ports.ts';
import type { Refusal, RefusalReason } from './refusals.ts';
import type { SessionRegistry } from './registry.ts';
import type { Renewals } from './renewal.ts';

export interface Admission {
  /** `shared`: two devices have the certificate. */
  admit(peer: PeerIdentity): Promise<{ accountId: string; shared: boolean } | { refused: RefusalReason }>;
  /** Returns whether another account unbound it last. */
  wasUnboundElsewhere(device: DeviceRef): Promise<boolean>;
}

export interface Arrival {
  accountId: string;
  address: string;
  peer: PeerIdentity;
  shared: boolean;
}

export interface LinkStore {
  /** @returns the session's number; null if revoked or unbound meanwhile */
  open(
    device: DeviceRef,
    session: { node: string; address: string; peer: PeerIdentity; at: Date },
  ): Promise<{ epoch: number } | null>;
  /** @returns false if a newer session is open */
  close(device: DeviceRef, epoch: number, at: Date, lastFrameAt: Date): Promise<boolean>;
  touch(sessions: readonly (DeviceRef & { epoch: number; at: Date })[]): Promise<void>;
}

export interface DevicePasswords {
  store(device: DeviceRef, password: string, at: Date): Promise<void>;
}

/** `inflated`: bytes. */
export type StateOutcome =
  /** Late reports have no digest. */
  | { outcome: 'committed'; inflated: number; digest: ReportDigest | null }
  /** By the database, or unbound. */
  | { outcome: 'refused'; inflated: number }
  | { outcome: 'shed' }
  | { outcome: 'other'; inflated: number }
  | { outcome: 'invalid'; inflated: number; why: string };

/** Promises settle on commit. */
export interface ReportSink {
  prepare(): void;
  /** Takes an unparsed frame; `upstream`: devices of WAN ports. */
  state(
    device: DeviceRef,
    frame: Buffer,
    of: { epoch: number; at: Date; upstream?: readonly string[] },
  ): Promise<StateOutcome>;
  /** Returns null for events that are not stored. */
  event(
    device: DeviceRef,
    params: Readonly<Record<string, unknown>>,
    of: { epoch: number; at: Date },
  ): Promise<void> | null;
  /** Returns false if a newer one replaced it. */
  healthcheck(device: DeviceRef, params: Readonly<Record<string, unknown>>, at: Date): Promise<boolean>;
}

export interface SessionContext {
  node: string;
  bus: Bus;
  clock: Clock;
  log: Log;
  metrics: UplinkMetrics;
  registry: SessionRegistry;
  /** Unhandled bytes. */
  capacity: Capacity;
  limiter: HandshakeLimiter;
  admission: Admission;
  handlers: UplinkHandlers;
  links: LinkStore;
  passwords: DevicePasswords;
  renewals: Renewals;
  sharing: CertificateSharing;
  reports: ReportSink;
  refuse(refusal: Omit<Refusal, 'accountId'>): void;
  /** Logs failures; the message is lost. */
  publish(subject: string, message: Record<string, unknown>): void;
}

/** Decides which of two devices with one certificate keeps the session. */
export interface CertificateSharing {
  /** Records a take-over of a live session. Never rejects. */
  takenOver(device: DeviceRef, from: DeviceFingerprint, by: DeviceFingerprint): Promise<void>;
  /** Returns null if the hardware may hold the session, else the pair. */
  admits(device: DeviceRef, fingerprint: DeviceFingerprint, at: Date): Promise<FingerprintPair | null>;
  /** Checks at the upgrade, by address only. */
  heldOffAt(device: DeviceRef, address: string, at: Date): Promise<FingerprintPair | null>;
}
