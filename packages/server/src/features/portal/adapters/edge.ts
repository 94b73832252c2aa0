import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { captiveForms, captiveText, edgeCaptiveLimits, relayText } from '@yunxun/contract/device';
import { type Arrival, isIpv4, macOf, type PortalAdapter, webAddress } from './adapter.ts';

/** Checks the gateway's signature. */
function isSigned(text: string, sig: string, secret: string): boolean {
  const given = Buffer.from(sig, 'base64url');
  const own = createHmac('sha256', secret).update(text).digest();
  return given.length === own.length && timingSafeEqual(given, own);
}

/** Returns null unless the line is signed and recent. */
export function relayed(line: string | null, secret: string, now: Date): Arrival | null {
  const [, mac, ip, seconds, nonce, sig] = captiveForms.relay.exec(line ?? '') ?? [];
  if (mac === undefined || ip === undefined || nonce === undefined || sig === undefined || !isIpv4(ip)) return null;
  const at = Number(seconds);
  if (!isSigned(relayText({ mac, ip, at, nonce }), sig, secret)) return null;
  if (Math.abs(now.getTime() / 1000 - at) > edgeCaptiveLimits.relayAge) return null;
  const client = randomBytes(16).toString('base64url');
  return { verified: true, mac, ip, client, origin: null, gateway: { address: '' } };
}

/** Signs as the gateway would. */
export function queryOf({ mac, ip, client }: Arrival, secret: string): URLSearchParams {
  const query = { mac: mac ?? '', ip: ip ?? '', nonce: client, url: '' };
  const sig = createHmac('sha256', secret).update(captiveText(query)).digest('base64url');
  return new URLSearchParams({ ...query, sig });
}

/** The signature covers the whole query; grants use the device's session. */
export const edge: PortalAdapter = {
  path: 'edge',
  reportsBy: 'agent',
  arrival({ query }, secret) {
    const [mac, ip, nonce] = [query.get('mac') ?? '', query.get('ip') ?? '', query.get('nonce') ?? ''];
    const url = query.get('url') ?? '';
    if (!isSigned(captiveText({ mac, ip, nonce, url }), query.get('sig') ?? '', secret)) return null;
    if (macOf(mac) !== mac || !isIpv4(ip) || !captiveForms.nonce.test(nonce)) return null;
    const arrival: Arrival = {
      verified: true,
      mac,
      ip,
      client: nonce,
      origin: webAddress(url),
      gateway: { address: '' },
    };
    return arrival;
  },
  grant: () => ({ by: 'command' }),
  takesOrders: true,
  signOut: () => null,
};
