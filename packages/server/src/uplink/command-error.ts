/**
 * Why a command has no result, as the holder of the socket says it. `sent` tells whether the device may have acted.
 *
 * - `DEVICE_GONE`: the session ended
 * - `DEVICE_TIMEOUT`: no answer in time, or no turn in time behind other changes
 * - `DEVICE_BUSY`: too many changes wait already
 * - `DEVICE_REFUSED`: the device answered with a JSON-RPC error
 * - `FRAME_TOO_LARGE`: more than the device can take in one frame, even compressed
 * - `RECOVERY_BOOT`: the device runs from its ramdisk; nothing may be configured
 * - `BAD_COMMAND`: not a command of the protocol, or its uuids do not fit
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
