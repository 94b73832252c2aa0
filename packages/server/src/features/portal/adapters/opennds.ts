import { createDecipheriv, createHash } from 'node:crypto';
import { type Arrival, isGatewayAddress, isIpv4, macOf, type PortalAdapter, webAddress } from './adapter.ts';
import { markOf } from './secrets-in-use.ts';

/** openNDS forwarding authentication (FAS), levels 1, 3 and 4; tested with 9.10. */

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Hash of a client's id and the FAS key. */
export const rhidOf = (hid: string, faskey: string): string => sha256(hid + faskey);

/** Hash of the URL-encoded name, as authmon sends it. */
export const gatewayHashOf = (encodedName: string): string => sha256(encodedName);

const maxParameter = 4096;

/** Decodes `fas` of level 1 or 4; null if not base64. */
export function openFas(fas: string): string | null {
  const base64 = fas.replaceAll(' ', '+');
  if (base64.length > maxParameter || !/^[A-Za-z0-9+/]+=*$/.test(base64)) return null;
  return Buffer.from(base64, 'base64').toString('latin1');
}

/** Decrypts level 3: AES-256-CBC, zero-padded key, base64 twice. */
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

const beginning = /^hid=[0-9a-f]{64}, clientip=[\d.]+, clientmac=(?:[0-9a-f]{2}:){5}[0-9a-f]{2}, /i;

/**
 * Parses `name=value, name=value`. CBC detects no changes: a verified client is read from the beginning, where a
 * changed block garbles a field name or the MAC. Refuses repeated fields.
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

/** Base64 proves no identity, and the mark only which settings the gateway has; the browser carries the grant. */
export const openNds1: PortalAdapter = {
  path: 'fas',
  reportsBy: null,
  arrival({ query, mark }, secret) {
    if (mark !== undefined && mark !== markOf(secret)) return null;
    const text = openFas(query.get('fas') ?? '');
    return text === null || query.has('iv') ? null : parseFas(text, false);
  },
  grant({ client, gateway }, { ticket, back }, secret) {
    const tok = rhidOf(client, secret);
    const custom = Buffer.from(ticket).toString('base64');
    const query = new URLSearchParams({ tok, redir: back, custom });
    return { by: 'browser', url: `http://${gateway.address}/opennds_auth/?${query}`, counts: 'at_once' };
  },
  takesOrders: false,
  signOut: none,
};

const polled: Omit<PortalAdapter, 'arrival'> = {
  path: 'fas',
  reportsBy: 'polling',
  grant: ({ client, gateway }, _offer, secret) => ({
    by: 'poll',
    rhid: rhidOf(client, secret),
    gatewayHash: gatewayHashOf(gateway.name ?? ''),
  }),
  takesOrders: false,
  signOut: none,
};

/** Encrypted with the FAS key; the gateway polls (authmon). */
export const openNds3: PortalAdapter = {
  ...polled,
  arrival({ query }, secret) {
    const text = decryptFas(query.get('fas') ?? '', query.get('iv') ?? '', secret);
    return text === null ? null : parseFas(text, true);
  },
};

/** Level 4: base64 as level 1, grants as level 3. */
export const openNds4: PortalAdapter = { ...polled, arrival: openNds1.arrival };
