import { isIPv6 } from 'node:net';

/** Follows RFC 3986, section 3.2.2. */
export function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

/** Returns the address, or the /64, which one subscriber controls. */
export function addressKey(ip: string): string {
  if (!isIPv6(ip)) return ip;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip);
  if (mapped) return mapped[1]!;
  const [head = '', tail] = ip.split('%')[0]!.split('::');
  const [left, right] = [head, tail ?? ''].map((part) => (part ? part.split(':') : [])) as [string[], string[]];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  const groups = [...left, ...Array<string>(zeros).fill('0'), ...right].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
