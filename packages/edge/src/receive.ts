import { asText, type ControllerMethod, isControllerMethod, isInt32, isRecord } from '@yunxun/contract/device';
import type { Incoming } from './commands/context.ts';
import type { FirmwareProfile } from './firmware.ts';

export type Received =
  | { kind: 'command'; command: Incoming; known: ControllerMethod | null }
  | { kind: 'radius'; radius: string; data: string }
  | { kind: 'broken'; pieces: number }
  | { kind: 'ignored' };

/** Parses like the firmware: bounded by its buffer, 32-bit ids, unknown forms ignored. */
export function receiveFrame(text: string, bytes: number, firmware: FirmwareProfile): Received {
  if (bytes >= firmware.receiveBytes) return { kind: 'broken', pieces: Math.ceil(bytes / firmware.receiveBytes) };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: 'broken', pieces: 1 };
  }
  if (isRecord(value) && typeof value.radius === 'string' && typeof value.data === 'string')
    return { kind: 'radius', radius: value.radius, data: value.data };
  if (!isRecord(value) || value.jsonrpc !== '2.0' || !isRecord(value.params)) return { kind: 'ignored' };
  const method = asText(value.method, 64);
  if (method === null) return { kind: 'ignored' };
  const known = isControllerMethod(method) && firmware.commands.has(method) ? method : null;
  return { kind: 'command', command: { method, params: value.params, id: isInt32(value.id) ? value.id : 0 }, known };
}
