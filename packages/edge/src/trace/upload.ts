import { createReadStream, statSync } from 'node:fs';
import { request as http } from 'node:http';
import { request as https } from 'node:https';
import type { LookupFunction } from 'node:net';

/** Milliseconds. */
const timeout = 60_000;

/**
 * Sends a form like the firmware: `name` (serial) and `data` (file).
 * @param ca authorities besides Node's
 * @returns the error, or null
 */
export function upload(
  uri: string,
  serial: string,
  file: string,
  ca: readonly string[],
  lookup?: LookupFunction,
): Promise<string | null> {
  const boundary = `yunxun-${serial}-${process.hrtime.bigint()}`;
  const head =
    `--${boundary}\r\nContent-Disposition: form-data; name="name"\r\n\r\n${serial}\r\n` +
    `--${boundary}\r\nContent-Disposition: form-data; name="data"; filename="${serial}.pcap"\r\n` +
    'Content-Type: application/vnd.tcpdump.pcap\r\n\r\n';
  const tail = `\r\n--${boundary}--\r\n`;
  return new Promise((resolve) => {
    const target = new URL(uri);
    const secure = target.protocol === 'https:';
    const call = (secure ? https : http)(target, {
      method: 'POST',
      headers: {
        'content-type': `multipart/form-data; boundary=${boundary}`,
        'content-length': Buffer.byteLength(head) + statSync(file).size + Buffer.byteLength(tail),
      },
      ...(secure && ca.length > 0 ? { ca: [...ca] } : {}),
      ...(lookup === undefined ? {} : { lookup }),
    });
    call.setTimeout(timeout, () => call.destroy(new Error('the console does not answer')));
    call.once('error', (error) => resolve(error.message));
    call.once('response', (response) => {
      response.resume();
      const { statusCode = 0 } = response;
      resolve(statusCode >= 200 && statusCode < 300 ? null : `the console answered ${statusCode}`);
    });
    call.write(head);
    const body = createReadStream(file);
    body.once('error', (error) => call.destroy(error));
    body.once('end', () => call.end(tail));
    body.pipe(call, { end: false });
  });
}
