import { createDecipheriv, createHash } from 'node:crypto';
import { type Arrival, isGatewayAddress, isIpv4, macOf, type PortalAdapter, webAddress } from './adapter.ts';

/** openNDS forwarding authentication service (FAS), levels 1, 3 and 4; tested against openNDS 9.10. */

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The token that openNDS expects for a client: a hash of its id and the FAS key. */
export const rhidOf = (hid: string, faskey: string): string => sha256(hid + faskey);

/** Hash of the gateway's name in the URL-encoded form of the redirect, as authmon sends it. */
export const gatewayHashOf = (encodedName: string): string => sha256(encodedName);

const maxParameter = 4096;

/** Decodes the parameter `fas` of level 1 or 4; null if it is not base64. */
export function openFas(fas: string): string | null {
  const base64 = fas.replaceAll(' ', '+');
  if (base64.length > maxParameter || !/^[A-Za-z0-9+/]+=*$/.test(base64)) return null;
  return Buffer.from(base64, 'base64').toString('latin1');
}

/** Decrypts the parameter of level 3: AES-256-CBC, key padded with zeros, base64 twice. */
export function decryptFas(fas: string, iv: string, faskey: string): string | null {
  const base64 = openFas(fas);
  if (base64 === null || iv.length !== 16 || !/^[A-Za-z0-9+/]+=*$/.test(base64)) return null;
  const key = Buffer.alloc(32);
  key.write(faskey);
  try {
    const decipher = createDecipheriv('aes-256-cbc', key, Buffer.from(iv, 'latin1'));
    return Buffer.concat([decipher.update(Buffer.from(base64, 'base64')), decipher.final()]).toString('latin1');
  } catch {
    return null;
  }
}

/** Beginning of openNDS' text: the client's fields precede every field that a visitor chooses. */
const beginning = /^hid=[0-9a-f]{64}, clientip=[\d.]+, clientmac=(?:[0-9a-f]{2}:){5}[0-9a-f]{2}, /i;

/**
 * Reads `name=value, name=value`. CBC detects no changes: in a verified text the client is read from the beginning only,
 * where a changed block garbles a field name or the MAC itself. A repeated field name is refused.
 */
export function parseFas(text: string, verified: boolean): Arrival | null {
  const fields = new Map<string, string>();
  for (const part of text.split(', ')) {
    const at = part.indexOf('=');
    if (at <= 0) continue;
    const field = part.slice(0, at);
    if (!fields.has(field)) fields.set(field, part.slice(at + 1));
    else if (verified) return null;
  }
  if (verified && !beginning.test(text)) return null;
  const of = (name: string) => fields.get(name) ?? '';
  const [client, address, name] = [of('hid'), of('gatewayaddress'), of('gatewayname')];
  const mac = macOf(of('clientmac'));
  if (!/^[0-9a-f]{64}$/.test(client) || mac === null || !isIpv4(of('clientip'))) return null;
  if (!isGatewayAddress(address) || !/^[\w.%~-]{1,200}$/.test(name)) return null;
  return { verified, mac, ip: of('clientip'), client, origin: originOf(of('originurl')), gateway: { address, name } };
}

function originOf(encoded: string): string | null {
  try {
    return webAddress(decodeURIComponent(encoded));
  } catch {
    return null;
  }
}

const none = () => null;

/** Level 1: base64 only, so nothing in it identifies anyone. The browser carries the grant. */
export const openNds1: PortalAdapter = {
  arrival({ query }) {
    const text = openFas(query.get('fas') ?? '');
    return text === null || query.has('iv') ? null : parseFas(text, false);
  },
  grant({ client, gateway }, { ticket, back }, secret) {
    const tok = rhidOf(client, secret);
    const custom = Buffer.from(ticket).toString('base64');
    const query = new URLSearchParams({ tok, redir: back, custom });
    return { by: 'browser', url: `http://${gateway.address}/opennds_auth/?${query}`, counts: 'at_once' };
  },
  signOut: none,
};

const polled: Pick<PortalAdapter, 'grant' | 'signOut'> = {
  grant: ({ client, gateway }, _offer, secret) => ({
    ...{ by: 'poll', rhid: rhidOf(client, secret) },
    gatewayHash: gatewayHashOf(gateway.name ?? ''),
  }),
  signOut: none,
};

/** Level 3: encrypted with the FAS key. The gateway asks for grants (authmon). */
export const openNds3: PortalAdapter = {
  ...polled,
  arrival({ query }, secret) {
    const text = decryptFas(query.get('fas') ?? '', query.get('iv') ?? '', secret);
    return text === null ? null : parseFas(text, true);
  },
};

/** Level 4: base64 as level 1, grants as level 3. */
export const openNds4: PortalAdapter = { ...polled, arrival: openNds1.arrival };
