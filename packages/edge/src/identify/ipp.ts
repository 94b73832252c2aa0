import { request } from 'node:http';
import { type Finding, shortText } from './finding.ts';

export const ippPort = 631;
/** Milliseconds; bytes. */
const [timeoutMs, maxBytes] = [2500, 16 * 1024];
const wanted = 'printer-make-and-model';

function attribute(tag: number, name: string, value: string): Buffer {
  const [key, text] = [Buffer.from(name), Buffer.from(value)];
  const sizes = Buffer.alloc(4);
  sizes.writeUInt16BE(key.length, 0);
  sizes.writeUInt16BE(text.length, 2);
  return Buffer.concat([Buffer.from([tag]), sizes.subarray(0, 2), key, sizes.subarray(2), text]);
}

/** Get-Printer-Attributes (RFC 8011). */
export function ippRequest(address: string): Buffer {
  return Buffer.concat([
    Buffer.from([1, 1, 0x00, 0x0b, 0, 0, 0, 1, 0x01]),
    attribute(0x47, 'attributes-charset', 'utf-8'),
    attribute(0x48, 'attributes-natural-language', 'en'),
    attribute(0x45, 'printer-uri', `ipp://${address}/ipp/print`),
    attribute(0x44, 'requested-attributes', wanted),
    Buffer.from([0x03]),
  ]);
}

export function readIppModel(body: Buffer): string | null {
  let at = 8;
  while (at < body.length) {
    const tag = body[at]!;
    at += 1;
    if (tag < 0x10) continue;
    if (at + 2 > body.length) return null;
    const name = body.toString('latin1', at + 2, at + 2 + body.readUInt16BE(at));
    at += 2 + body.readUInt16BE(at);
    if (at + 2 > body.length) return null;
    const value = body.subarray(at + 2, at + 2 + body.readUInt16BE(at));
    at += 2 + body.readUInt16BE(at);
    if (name === wanted && at <= body.length) return shortText(value.toString('utf8'));
  }
  return null;
}

/** Never throws. */
export function askIpp(address: string, port = ippPort): Promise<Finding | null> {
  return new Promise((resolve) => {
    const body = ippRequest(address);
    const headers = { 'content-type': 'application/ipp', 'content-length': body.length, connection: 'close' };
    const call = request({ host: address, port, path: '/ipp/print', method: 'POST', headers, agent: false });
    const end = (finding: Finding | null) => {
      clearTimeout(timer);
      call.destroy();
      resolve(finding);
    };
    const timer = setTimeout(() => end(null), timeoutMs);
    call.on('error', () => end(null));
    call.once('response', (response) => {
      if (!/^application\/ipp\b/i.test(response.headers['content-type'] ?? '')) return end(null);
      const parts: Buffer[] = [];
      let size = 0;
      const done = () => {
        const model = readIppModel(Buffer.concat(parts).subarray(0, maxBytes));
        end({ by: 'ipp', type: 'printer', name: null, model });
      };
      response.on('data', (part: Buffer) => {
        parts.push(part);
        size += part.length;
        if (size >= maxBytes) done();
      });
      response.once('end', done);
      response.once('error', done);
    });
    call.end(body);
  });
}
