import { isIP, isIPv6, SocketAddress } from 'node:net';
import { boundedCache } from './bounded-cache.ts';

/** Reports repeat the addresses of their clients. */
const knownV6 = boundedCache<string>(20_000);

/** Returns the RFC 5952 form of an IP address, IPv4 of a mapped one; null for other text. */
export function canonicalIp(text: string): string | null {
  const bare = text.replace(/[/%].*$/, '').toLowerCase();
  if (!isIPv6(bare)) return isIP(bare) === 0 ? null : bare;
  const known = knownV6.get(bare);
  if (known !== undefined) return known;
  const { address } = new SocketAddress({ address: bare, family: 'ipv6' });
  const canonical = address.startsWith('::ffff:') && address.includes('.') ? address.slice('::ffff:'.length) : address;
  knownV6.set(bare, canonical);
  return canonical;
}
