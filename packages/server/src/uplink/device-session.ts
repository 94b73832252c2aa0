import type { CommandChannel } from './channel.ts';
import type { PeerIdentity } from './peer-identity.ts';
import type { DeviceFingerprint, DeviceRef, DisconnectReason, Link } from './ports.ts';
import type { RadiusFrames } from './radius-frames.ts';
import type { SessionOrder } from './subjects.ts';

export interface DeviceSession {
  readonly device: DeviceRef;
  readonly peer: PeerIdentity;
  readonly address: string;
  readonly channel: CommandChannel;
  readonly radius: RadiusFrames;
  /** Null before `connect`. */
  readonly link: Link | null;
  /** Milliseconds. */
  readonly lastFrameAt: number;
  /** Pings a silent device, and ends its session without an answer; milliseconds. */
  check(now: number, times: { silence: number; connect: number }): void;
  /** Closes; commands fail from now on. */
  end(reason: DisconnectReason, code?: number): void;
  ended(): Promise<void>;
  handleOrder(order: SessionOrder): void;
  /** Ends in favour of a newer session. */
  closeForTakeover(by: DeviceFingerprint | null): void;
}
