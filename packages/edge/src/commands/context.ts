import type { ConnectReason } from '@yunxun/contract/device';
import type { Clock } from '../clock.ts';
import type { ConfigurationStore } from '../configuration-store.ts';
import type { EventLog } from '../event-log.ts';
import type { FirmwareProfile } from '../firmware.ts';
import type { Reports } from '../reports.ts';
import type { DeviceSystem } from '../system.ts';

/** A command as it arrived. `id` is 0 when the sender's did not fit a signed 32-bit integer. */
export interface Incoming {
  method: string;
  params: Record<string, unknown>;
  id: number;
}

/** What a command may use. */
export interface CommandContext {
  readonly system: DeviceSystem;
  readonly store: ConfigurationStore;
  readonly firmware: FirmwareProfile;
  readonly reports: Reports;
  readonly events: EventLog;
  readonly clock: Clock;
  /** Delays inside the device pass this many times as fast. */
  readonly speedUp: number;
  /** Answers with the serial, the active uuid and what is given. */
  reply(id: number, result: Record<string, unknown>): void;
  /** Goes down after the firmware's usual delay and returns with this cause. */
  restartSoon(cause: ConnectReason): void;
  /** As above, for what the system itself does when the delay is over. */
  laterDown(act: () => void): void;
  /** `configure` commands run one after another. */
  inTurn(work: () => Promise<void>): Promise<void>;
  /** From now on `state` goes compressed, or not. */
  compressState(on: boolean): void;
}

/** Carries out one command and answers it. */
export type CommandHandler = (command: Incoming, context: CommandContext) => void | Promise<void>;

/** `result` with nothing but a status. */
export function status(error: number, text: string): { status: { error: number; text: string } } {
  return { status: { error, text } };
}

/** What a device answers when a parameter is missing or malformed. */
export const invalidParameters = status(2, 'invalid parameters');
