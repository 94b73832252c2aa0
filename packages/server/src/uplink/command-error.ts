/**
 * `sent`: the device may have acted.
 * - `DEVICE_GONE`: the session ended
 * - `DEVICE_TIMEOUT`: no answer, or queued too long
 * - `DEVICE_BUSY`: too many queued changes
 * - `DEVICE_REFUSED`: a JSON-RPC error
 * - `FRAME_TOO_LARGE`: even compressed
 * - `RECOVERY_BOOT`: the device takes no configuration
 * - `BAD_COMMAND`: unknown command, or uuids differ
 */
export type CommandErrorCode =
  | 'DEVICE_GONE'
  | 'DEVICE_TIMEOUT'
  | 'DEVICE_BUSY'
  | 'DEVICE_REFUSED'
  | 'FRAME_TOO_LARGE'
  | 'RECOVERY_BOOT'
  | 'BAD_COMMAND';

export class CommandError extends Error {
  readonly data: { sent: boolean; [more: string]: unknown };

  constructor(
    readonly code: CommandErrorCode,
    message: string,
    data: { sent: boolean; [more: string]: unknown },
  ) {
    super(message);
    this.data = data;
  }
}
