import { inflateSync } from 'node:zlib';
import {
  type DeviceFrame,
  deviceLimits,
  isCompressed,
  isRecord,
  jsonDepth,
  readDeviceFrame,
} from '@yunxun/contract/device';
import type { ReportDigest } from './ports.ts';

/** Keeps deflated parameters for storage; `inflated`: bytes, also on failure. */
export type Received = DeviceFrame & { deflated?: Buffer; inflated?: number };

export type Entry = { at: Date; bytes: number } & (
  | { what: 'frame'; frame: Buffer }
  | { what: 'message'; message: Extract<Received, { kind: 'message' }>; frame: Buffer | null }
  | { what: 'report'; report: ReportDigest }
);

/** Never throws: deep, malformed or oversized input is `invalid`. */
export function receive(data: Buffer): Received {
  const value = parse(data);
  if (value === undefined) return { kind: 'invalid', why: 'json' };
  if (value === tooDeep) return { kind: 'invalid', why: 'depth' };
  const frame = readDeviceFrame(value);
  if (frame.kind !== 'message' || !isCompressed(frame.params)) return frame;
  const deflated = Buffer.from(frame.params.compress_64, 'base64');
  let bytes: Buffer;
  try {
    bytes = inflateSync(deflated, { maxOutputLength: deviceLimits.inflateBytes });
  } catch (error) {
    const large = (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE';
    return large
      ? { kind: 'invalid', why: 'inflated-size', inflated: deviceLimits.inflateBytes }
      : { kind: 'invalid', why: 'deflate' };
  }
  const inflated = bytes.length;
  const params = parse(bytes);
  if (params === tooDeep) return { kind: 'invalid', why: 'depth', inflated };
  if (!isRecord(params)) return { kind: 'invalid', why: 'compressed-params', inflated };
  return { kind: 'message', method: frame.method, params, deflated, inflated };
}

const tooDeep = Symbol('too deep');

function parse(bytes: Buffer): unknown {
  if (jsonDepth(bytes, deviceLimits.jsonDepth) > deviceLimits.jsonDepth) return tooDeep;
  try {
    const text = bytes.toString('utf8');
    const value: unknown = JSON.parse(text);
    return bytes.includes('\\u') && unstorable.test(text) ? storable(value) : value;
  } catch {
    return undefined;
  }
}

/** PostgreSQL refuses NUL and lone surrogates. */
const unstorable = /\\u(?:0000|d[89a-f])/i;

function storable(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map(storable);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [storableText(key), storable(inner)]));
}

const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

function storableText(text: string): string {
  return text.replaceAll('\0', '').replace(loneSurrogate, '\ufffd');
}
