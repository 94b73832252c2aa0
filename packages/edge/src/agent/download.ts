import { request as http } from 'node:http';
import { request as https } from 'node:https';
import type { LookupFunction } from 'node:net';
import { rootCertificates } from 'node:tls';
import { edgeShieldLimits } from '@yunxun/contract/device';
import type { PinnedIdentity } from './identity-file.ts';

export interface DownloadOptions {
  /** Bytes. */
  max: number;
  signal: AbortSignal;
  lookup?: LookupFunction;
  ca?: readonly string[];
}

/**
 * Follows no redirect.
 * @throws if the status is not 200 or the body exceeds `max` bytes
 */
export function download(address: string, { max, signal, lookup, ca }: DownloadOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const target = new URL(address);
    const call = (target.protocol === 'https:' ? https : http)(target, {
      signal,
      ...(lookup === undefined ? {} : { lookup }),
      ...(ca === undefined ? {} : { ca: [...ca] }),
    });
    call.once('error', reject);
    call.once('response', (response) => {
      const fail = (error: Error) => {
        reject(error);
        call.destroy();
      };
      if (response.statusCode !== 200) return fail(new Error(`${address} answers ${response.statusCode}`));
      const parts: Buffer[] = [];
      let size = 0;
      response.on('data', (part: Buffer) => {
        size += part.length;
        if (size > max) fail(new Error(`${address} is larger than ${max} bytes`));
        else parts.push(part);
      });
      response.once('error', reject);
      response.once('end', () => resolve(Buffer.concat(parts)));
    });
    call.end();
  });
}

/** Milliseconds. */
const shieldWait = 60_000;

/** Fetches a list of the cloud shield from the console. */
export function downloadShield(
  path: string,
  { console, ca }: Pick<PinnedIdentity, 'console' | 'ca'>,
  lookup: LookupFunction,
): Promise<Buffer> {
  return download(new URL(path, console).href, {
    max: edgeShieldLimits.bytes,
    signal: AbortSignal.timeout(shieldWait),
    lookup,
    ca: [ca, ...rootCertificates],
  });
}
