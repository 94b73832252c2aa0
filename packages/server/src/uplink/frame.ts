import { deflateSync } from 'node:zlib';
import { command, deviceLimits, isInt32, isRecord } from '@yunxun/contract/device';
import { CommandError } from './command-error.ts';

/** What of a device decides how it is written to. */
export interface DeviceProfile {
  platform: string | null;
  /** Takes compressed parameters of `configure`. */
  compresses: boolean;
  /** Came from its ramdisk: nothing may be configured until it comes back from flash. */
  recovery: boolean;
}

/**
 * The frame for a command. A `configure` that is too large for the device's buffer goes compressed where the device
 * can take that (device-protocol.md section 0, 1 and 2).
 * @throws CommandError FRAME_TOO_LARGE, RECOVERY_BOOT or BAD_COMMAND; nothing was sent then
 */
export function encodeCommand(
  serial: string,
  profile: DeviceProfile,
  method: string,
  params: Readonly<Record<string, unknown>>,
  id: number,
): string {
  const whole = { ...params, serial };
  if (method === 'configure') checkConfigure(profile, whole);
  const plain = JSON.stringify(command(method, whole, id));
  const most = profile.platform === 'switch' ? deviceLimits.switchFrameBytes : deviceLimits.sendBytes;
  const bytes = Buffer.byteLength(plain);
  if (bytes <= most) return plain;
  if (method === 'configure' && profile.compresses) {
    const compressed = JSON.stringify(command(method, compress(whole), id));
    if (Buffer.byteLength(compressed) <= most) return compressed;
  }
  throw new CommandError('FRAME_TOO_LARGE', `${method} has ${bytes} bytes; the device takes ${most}`, {
    sent: false,
    bytes,
    most,
  });
}

/** Compressed parameters in place of plain ones. The device reserves `compress_sz` bytes and reads no more. */
function compress(params: Readonly<Record<string, unknown>>) {
  const text = Buffer.from(JSON.stringify(params));
  return { compress_64: deflateSync(text).toString('base64'), compress_sz: text.length };
}

/** Both uuids present, equal and 31 bits: a device answers anything else wrongly or never (section 0, 3 to 6). */
function checkConfigure(profile: DeviceProfile, params: Readonly<Record<string, unknown>>): void {
  if (profile.recovery) {
    throw new CommandError('RECOVERY_BOOT', 'the device runs from its recovery system', { sent: false });
  }
  const { uuid, config } = params;
  if (!isInt32(uuid) || !isRecord(config) || config.uuid !== uuid) {
    throw new CommandError('BAD_COMMAND', 'configure needs one uuid of 31 bits, beside and inside the document', {
      sent: false,
    });
  }
}
