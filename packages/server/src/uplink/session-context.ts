import type { Bus } from '../platform/bus/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Room } from './flow.ts';
import type { Lane } from './lane.ts';
import type { UplinkMetrics } from './metrics.ts';
import type { PeerIdentity } from './peer-identity.ts';
import type { DeviceRef, ReportDigest, UplinkHandlers } from './ports.ts';
import type { Refusal, RefusalReason } from './refusals.ts';
import type { SessionRegistry } from './registry.ts';
import type { Renewals } from './renewal.ts';

/** Which account a device belongs to, and whether its certificate is good. */
export interface Admission {
  admit(peer: PeerIdentity): Promise<{ accountId: string } | { refused: RefusalReason }>;
}

/** Where sessions are written down, for every process to see. */
export interface LinkStore {
  /**
   * Counts a new session of the device and says its number; null when the certificate was revoked or the device
   * unbound in the meantime.
   */
  open(
    device: DeviceRef,
    session: { node: string; address: string; peer: PeerIdentity; at: Date },
  ): Promise<{ epoch: number } | null>;
  /** Writes the end of a session; false when a newer one holds the device. */
  close(device: DeviceRef, epoch: number, at: Date, lastFrameAt: Date): Promise<boolean>;
  /** Writes when the sessions were last heard of. */
  touch(sessions: readonly (DeviceRef & { epoch: number; at: Date })[]): Promise<void>;
}

/** Where passwords of devices are kept, sealed. */
export interface DevicePasswords {
  store(device: DeviceRef, password: string, at: Date): Promise<void>;
}

/** What became of a frame that looks like a state report. `inflated` is what inflating it brought, bytes. */
export type StateOutcome =
  /** Committed; without a digest when it was an older one that came late. */
  | { outcome: 'committed'; inflated: number; digest: ReportDigest | null }
  /** Refused by the database, or of a device that is not bound any more. */
  | { outcome: 'refused'; inflated: number }
  /** Given up for a newer one. */
  | { outcome: 'shed' }
  /** Something else after all, or of another device: to be handled as any frame. */
  | { outcome: 'other'; inflated: number }
  | { outcome: 'invalid'; inflated: number; why: string };

/** Takes what devices report. The promises settle when it is committed. */
export interface ReportSink {
  /** A device is here: it will report soon. */
  prepare(): void;
  /** A frame, not looked into yet; `epoch` is the number of its session. */
  state(device: DeviceRef, frame: Buffer, of: { epoch: number; at: Date }): Promise<StateOutcome>;
  /** An event; null when it is none that is kept here. */
  event(
    device: DeviceRef,
    params: Readonly<Record<string, unknown>>,
    of: { epoch: number; at: Date },
  ): Promise<void> | null;
  /** True, or false when a newer one took its place. */
  healthcheck(device: DeviceRef, params: Readonly<Record<string, unknown>>, at: Date): Promise<boolean>;
}

/** What every session of a process shares. */
export interface SessionContext {
  /** This gateway process. */
  node: string;
  bus: Bus;
  clock: Clock;
  log: Log;
  metrics: UplinkMetrics;
  registry: SessionRegistry;
  /** What devices said and nobody is done with. */
  room: Room;
  /** What of it is with the database. */
  lane: Lane;
  handlers: UplinkHandlers;
  links: LinkStore;
  passwords: DevicePasswords;
  renewals: Renewals;
  reports: ReportSink;
  refuse(refusal: Omit<Refusal, 'accountId'>): void;
  /** Publishes on the bus; what cannot be published is logged and lost. */
  publish(subject: string, message: Record<string, unknown>): void;
}
