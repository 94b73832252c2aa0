import { createHmac, timingSafeEqual } from 'node:crypto';
import { captiveForms, captiveText } from '@yunxun/contract/device';
import { type Arrival, isIpv4, macOf, type PortalAdapter, webAddress } from './adapter.ts';

/** Checks the gateway's signature. */
function isSigned(query: Parameters<typeof captiveText>[0], sig: string, secret: string): boolean {
  const given = Buffer.from(sig, 'base64url');
  const own = createHmac('sha256', secret).update(captiveText(query)).digest();
  return given.length === own.length && timingSafeEqual(given, own);
}

/** The signature covers the whole query; grants use the device's session. */
export const edge: PortalAdapter = {
  arrival({ query }, secret) {
    const [mac, ip, nonce] = [query.get('mac') ?? '', query.get('ip') ?? '', query.get('nonce') ?? ''];
    const url = query.get('url') ?? '';
    if (!isSigned({ mac, ip, nonce, url }, query.get('sig') ?? '', secret)) return null;
    if (macOf(mac) !== mac || !isIpv4(ip) || !captiveForms.nonce.test(nonce)) return null;
    const arrival: Arrival = {
      ...{ verified: true, mac, ip, client: nonce, origin: webAddress(url) },
      gateway: { address: '' },
    };
    return arrival;
  },
  grant: () => ({ by: 'command' }),
  takesOrders: true,
  signOut: () => null,
};
