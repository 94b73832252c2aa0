import type { ConnectReason } from '@yunxun/contract/device';
import type { Clock } from '../clock.ts';
import type { ConfigurationStore } from '../configuration-store.ts';
import type { EventLog } from '../event-log.ts';
import type { FirmwareProfile } from '../firmware.ts';
import type { Reports } from '../reports.ts';
import type { DeviceSystem } from '../system.ts';

/** `id`: 0 if it exceeds a signed 32-bit integer. */
export interface Incoming {
  method: string;
  params: Record<string, unknown>;
  id: number;
}

export interface CommandContext {
  readonly system: DeviceSystem;
  readonly store: ConfigurationStore;
  readonly firmware: FirmwareProfile;
  readonly reports: Reports;
  readonly events: EventLog;
  readonly clock: Clock;
  readonly speedUp: number;
  reply(id: number, result: Record<string, unknown>): void;
  restartSoon(cause: ConnectReason): void;
  laterDown(act: () => void): void;
  inTurn(work: () => Promise<void>): Promise<void>;
  compressState(on: boolean): void;
}

export type CommandHandler = (command: Incoming, context: CommandContext) => void | Promise<void>;

export function status(error: number, text: string): { status: { error: number; text: string } } {
  return { status: { error, text } };
}

export const invalidParameters = status(2, 'invalid parameters');
