import { inflateSync } from 'node:zlib';
import { isTable } from './firmware.ts';
import type { Json } from './json.ts';

/** The client sizes its buffers by `compress_sz`: too small a value yields nothing. */
export function inflateFor(text: string, size: number): Json | null {
  try {
    const bytes = Buffer.from(text, 'base64');
    if (bytes.length > size) return null;
    const params: unknown = JSON.parse(inflateSync(bytes, { maxOutputLength: size + 1 }).toString());
    return isTable(params) ? params : null;
  } catch {
    return null;
  }
}
