import { lookup } from 'node:dns/promises';
import { request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { isIP } from 'node:net';
import { hostOf, publicAddresses } from './address.ts';

export interface OutgoingGet {
  url: string;
  maxBytes: number;
  timeoutMs: number;
  privateAddresses: boolean;
}

/**
 * Connects to checked addresses only, follows no redirect.
 * @throws PrivateAddress; Error unless 200, in time and small enough
 */
export async function getOutgoing({ url, maxBytes, timeoutMs, privateAddresses }: OutgoingGet): Promise<Buffer> {
  const target = new URL(url);
  const host = hostOf(url);
  const signal = AbortSignal.timeout(timeoutMs);
  const addresses = privateAddresses ? await lookup(host, { all: true }) : await publicAddresses(host);
  const request = target.protocol === 'https:' ? tlsRequest : plainRequest;
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host,
        port: target.port || undefined,
        path: target.pathname + target.search,
        agent: false,
        signal,
        ...(isIP(host) === 0 && { servername: host }),
        lookup: (_host, options, done) =>
          options.all ? done(null, addresses) : done(null, addresses[0]!.address, addresses[0]!.family),
        headers: { host: target.host, 'user-agent': 'Yunxun' },
      },
      async (answer) => {
        try {
          if (answer.statusCode !== 200) throw new Error(`HTTP ${answer.statusCode}`);
          const parts: Buffer[] = [];
          let size = 0;
          for await (const part of answer) {
            size += (part as Buffer).length;
            if (size > maxBytes) throw new Error(`> ${maxBytes} B`);
            parts.push(part as Buffer);
          }
          resolve(Buffer.concat(parts));
        } catch (error) {
          sent.destroy();
          reject(error as Error);
        }
      },
    );
    sent.on('error', reject);
    sent.end();
  });
}
