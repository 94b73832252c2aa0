import { createHash } from 'node:crypto';
import { isGatewayAddress, isIpv4, macOf, type PortalAdapter, webAddress } from './adapter.ts';

const challengeBytes = 16;

/** Reads `$(chap-id)` and `$(chap-challenge)`: bytes, as `\ooo` or as characters. Null unless of that length. */
export function octalBytes(text: string, length: number): Buffer | null {
  const parts = text.match(/\\[0-3][0-7]{2}|[^\\]/g) ?? [];
  if (parts.join('') !== text) return null;
  const bytes = Buffer.from(
    parts.flatMap((part) =>
      part.length === 4 ? [Number.parseInt(part.slice(1), 8)] : [...Buffer.from(part, 'latin1')],
    ),
  );
  return bytes.length === length ? bytes : null;
}

/** HTTP-CHAP of RouterOS: hex MD5 over identifier, password and challenge. */
export function hotspotChap(id: Buffer, password: string, challenge: Buffer): string {
  return createHash('md5').update(id).update(password).update(challenge).digest('hex');
}

/** Returns scheme and address of `$(link-login-only)`; only the hotspot's own address counts. */
function loginOf(link: string): string | null {
  const [, scheme, address] = /^(https?):\/\/([\d.]+(?::\d+)?)\/login$/.exec(link) ?? [];
  return scheme && address && isGatewayAddress(address) ? `${scheme}://${address}` : null;
}

/**
 * RouterOS hotspot. Its page comes from the visitor's browser without a signature. The gateway's random challenge
 * identifies the client: the gateway refuses an answer to any other challenge.
 */
export const mikrotik: PortalAdapter = {
  path: 'mikrotik',
  reportsBy: 'accounting',
  arrival({ query }) {
    const login = loginOf(query.get('link-login-only') ?? '');
    const id = octalBytes(query.get('chap-id') ?? '', 1);
    const challenge = octalBytes(query.get('chap-challenge') ?? '', challengeBytes);
    if (!login || !id || !challenge) return null;
    const ip = query.get('ip') ?? '';
    return {
      verified: false,
      mac: macOf(query.get('mac') ?? ''),
      ip: isIpv4(ip) ? ip : null,
      client: Buffer.concat([id, challenge]).toString('hex'),
      origin: webAddress(query.get('link-orig') ?? ''),
      gateway: { address: login, challenge: Buffer.concat([id, challenge]).toString('hex') },
    };
  },
  grant({ gateway }, { ticket, credential, back }) {
    const bytes = Buffer.from(gateway.challenge ?? '', 'hex');
    const password = hotspotChap(bytes.subarray(0, 1), credential, bytes.subarray(1));
    const query = new URLSearchParams({ username: ticket, password, dst: back, popup: 'false' });
    return { by: 'browser', url: `${gateway.address}/login?${query}`, counts: 'by_radius' };
  },
  takesOrders: false,
  signOut: ({ gateway }) => `${gateway.address}/logout`,
};
