import { createHmac, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { captiveText, edgeCaptiveLimits } from '@yunxun/contract/device';
import { holds, readAddress, readSubnet } from '@yunxun/contract/ipv4';
import type { PlanCaptive } from '../render/plan.ts';

/** Milliseconds for a request. */
const arriveWithin = 5000;
const maxConnections = 500;

export type MacOf = (address: string) => string | null;

/** Reads the kernel's table: a client may claim any MAC. */
export const macOfNeighbour: MacOf = (address) => {
  try {
    for (const line of readFileSync('/proc/net/arp', 'latin1').split('\n').slice(1)) {
      const [ip, , flags, mac = ''] = line.split(/\s+/);
      if (ip === address && Number(flags) & 2) return mac.toLowerCase();
    }
  } catch {
    // without the table no client is known
  }
  return null;
};

/** Returns nothing if a query cannot carry it. */
function wantedOf({ headers, url = '' }: Pick<IncomingMessage, 'headers' | 'url'>): string {
  const wanted = `http://${headers.host ?? ''}${url}`;
  const fits = wanted.length <= edgeCaptiveLimits.url && /^[\x21-\x7e]+$/.test(wanted);
  return fits && url.startsWith('/') && URL.canParse(wanted) ? wanted : '';
}

export function pageFor({ page, secret }: Pick<PlanCaptive, 'page' | 'secret'>, mac: string, ip: string, url: string) {
  const query = { mac, ip, nonce: randomBytes(16).toString('base64url'), url };
  const sig = createHmac('sha256', secret).update(captiveText(query)).digest('base64url');
  return `${page}?${new URLSearchParams({ ...query, sig })}`;
}

/** Returns null outside of captive networks. */
export function guestAt(now: PlanCaptive | undefined, remote: string | undefined, macOf: MacOf) {
  const ip = (remote ?? '').replace(/^::ffff:/, '');
  const address = readAddress(ip);
  if (address === null || !now?.networks.some((text) => holds(readSubnet(text)!, address))) return null;
  const mac = macOf(ip);
  return mac === null ? null : { mac, ip };
}

/** Follows the present configuration. */
export function createRedirector(captive: () => PlanCaptive | undefined, macOf: MacOf): Server {
  const server = createServer(
    { requestTimeout: arriveWithin, headersTimeout: arriveWithin, connectionsCheckingInterval: arriveWithin / 2 },
    (request, response) => {
      const now = captive();
      const guest = guestAt(now, request.socket.remoteAddress, macOf);
      // valid now only, and the connection must not outlive it
      const headers = { 'cache-control': 'no-store', connection: 'close', 'content-length': 0 };
      if (!now || guest === null) response.writeHead(503, { ...headers, 'retry-after': '1' }).end();
      else {
        const location = pageFor(now, guest.mac, guest.ip, wantedOf(request));
        response.writeHead(302, { ...headers, location }).end();
      }
      request.resume();
    },
  );
  server.maxConnections = maxConnections;
  server.on('clientError', (_error, socket) => socket.destroy());
  return server;
}
