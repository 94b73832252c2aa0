import { deflateSync, inflateSync } from 'node:zlib';
import { type CompressedParams, deviceLimits, isCompressed, isRecord } from '@yunxun/contract/device';

/** Parameters as zlib-deflated JSON in base64, the form both sides use. */
export function compressParams(json: string): CompressedParams {
  const bytes = Buffer.from(json, 'utf8');
  return { compress_64: deflateSync(bytes).toString('base64'), compress_sz: bytes.length };
}

/** Parameters as they were meant: inflated when they came compressed (never beyond the cap). Null when they are broken. */
export function expandParams(params: Record<string, unknown>): Record<string, unknown> | null {
  if (!isCompressed(params)) return params;
  try {
    const packed = Buffer.from(params.compress_64, 'base64');
    const text = inflateSync(packed, { maxOutputLength: deviceLimits.inflateBytes }).toString('utf8');
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

/** A message as text; parameters of 2 KiB and more are compressed when the sender does that. */
export function encodeMessage(method: string, params: Record<string, unknown>, compress: boolean): string {
  const json = JSON.stringify(params);
  if (!compress || Buffer.byteLength(json) < deviceLimits.compressStateFrom) {
    return `{"jsonrpc":"2.0","method":${JSON.stringify(method)},"params":${json}}`;
  }
  return JSON.stringify({ jsonrpc: '2.0', method, params: compressParams(json) });
}
