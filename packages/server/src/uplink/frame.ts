import { deflateSync } from 'node:zlib';
import { command, deviceLimits, isInt32, isRecord } from '@yunxun/contract/device';
import { CommandError } from './command-error.ts';

export interface DeviceProfile {
  platform: string | null;
  agent: boolean;
  compresses: boolean;
  /** Runs from its ramdisk; takes no configuration. */
  recovery: boolean;
}

/**
 * Compresses a `configure` above the device's buffer (docs/protocol.md, Connection).
 * @throws CommandError FRAME_TOO_LARGE, RECOVERY_BOOT or BAD_COMMAND, unsent
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
  const max = profile.platform === 'switch' ? deviceLimits.switchFrameBytes : deviceLimits.sendBytes;
  const bytes = Buffer.byteLength(plain);
  if (bytes <= max) return plain;
  if (method === 'configure' && profile.compresses) {
    const compressed = JSON.stringify(command(method, compress(whole), id));
    if (Buffer.byteLength(compressed) <= max) return compressed;
  }
  throw new CommandError('FRAME_TOO_LARGE', `${method} has ${bytes} bytes; the device takes ${max}`, {
    sent: false,
    bytes,
    most: max,
  });
}

/** Sets `compress_sz`, which the device reserves. */
function compress(params: Readonly<Record<string, unknown>>) {
  const text = Buffer.from(JSON.stringify(params));
  return { compress_64: deflateSync(text).toString('base64'), compress_sz: text.length };
}

/** Requires equal 31-bit uuids: devices answer others wrongly or never (docs/protocol.md). */
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
