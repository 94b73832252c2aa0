import { isIP, isIPv6, SocketAddress } from 'node:net';

/** Returns the RFC 5952 form of an IP address, IPv4 of a mapped one; null for other text. */
export function canonicalIp(text: string): string | null {
  const bare = text.replace(/[/%].*$/, '').toLowerCase();
  if (!isIPv6(bare)) return isIP(bare) === 0 ? null : bare;
  const { address } = new SocketAddress({ address: bare, family: 'ipv6' });
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice('::ffff:'.length) : address;
}
