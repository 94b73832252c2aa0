import type { CommandChannel } from './channel.ts';
import type { PeerIdentity } from './peer-identity.ts';
import type { DeviceFingerprint, DeviceRef, DisconnectReason, Link } from './ports.ts';
import type { RadiusFrames } from './radius-frames.ts';
import type { SessionOrder } from './subjects.ts';

/** One open connection of a device, as the rest of the uplink sees it. */
export interface DeviceSession {
  readonly device: DeviceRef;
  readonly peer: PeerIdentity;
  readonly address: string;
  readonly channel: CommandChannel;
  readonly radius: RadiusFrames;
  /** Null before `connect`. */
  readonly link: Link | null;
  /** Arrival of the last frame, milliseconds. */
  readonly lastFrameAt: number;
  /** Pings a silent device, and ends its session without an answer; times in milliseconds. */
  check(now: number, times: { silence: number; connect: number }): void;
  /** Closes the connection; commands fail from now on. */
  end(reason: DisconnectReason, code?: number): void;
  /** Resolves when the connection is closed and everything about it is written. */
  ended(): Promise<void>;
  handleOrder(order: SessionOrder): void;
  /** Ends the session in favour of a newer one. */
  closeForTakeover(by: DeviceFingerprint | null): void;
}
