import { deflateSync, inflateSync } from 'node:zlib';
import { type CompressedParams, deviceLimits, isCompressed, isRecord } from '@yunxun/contract/device';

export function compressParams(json: string): CompressedParams {
  const bytes = Buffer.from(json, 'utf8');
  return { compress_64: deflateSync(bytes).toString('base64'), compress_sz: bytes.length };
}

/** Returns null if broken; inflates up to the size cap. */
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

export function encodeMessage(method: string, params: Record<string, unknown>, compress: boolean): string {
  const json = JSON.stringify(params);
  if (!compress || Buffer.byteLength(json) < deviceLimits.compressStateFrom) {
    return `{"jsonrpc":"2.0","method":${JSON.stringify(method)},"params":${json}}`;
  }
  return JSON.stringify({ jsonrpc: '2.0', method, params: compressParams(json) });
}
