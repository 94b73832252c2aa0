/** Addresses: 0 … 2^32 - 1. */

export interface Subnet {
  address: number;
  prefix: number;
}

/** Rejects leading zeros (octal in some programs). */
export function readAddress(text: unknown): number | null {
  if (typeof text !== 'string' || !/^\d{1,3}(\.\d{1,3}){3}$/.test(text)) return null;
  let address = 0;
  for (const part of text.split('.')) {
    if (Number(part) > 255 || String(Number(part)) !== part) return null;
    address = address * 256 + Number(part);
  }
  return address;
}

export function readSubnet(text: unknown): Subnet | null {
  if (typeof text !== 'string') return null;
  const [head, tail, ...more] = text.split('/');
  const address = readAddress(head);
  if (address === null || tail === undefined || more.length > 0 || !/^(\d|[12]\d|3[0-2])$/.test(tail)) return null;
  return { address, prefix: Number(tail) };
}

export function dotted(address: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join('.');
}

export function sizeOf(prefix: number): number {
  return 2 ** (32 - prefix);
}

export function networkOf({ address, prefix }: Subnet): number {
  return address - (address % sizeOf(prefix));
}

export function broadcastOf(subnet: Subnet): number {
  return networkOf(subnet) + sizeOf(subnet.prefix) - 1;
}

export function maskOf(prefix: number): string {
  return dotted(2 ** 32 - sizeOf(prefix));
}

/** Returns `192.168.1.0/24`, without host bits. */
export function networkText(subnet: Subnet): string {
  return `${dotted(networkOf(subnet))}/${subnet.prefix}`;
}

export function holds(subnet: Subnet, address: number): boolean {
  return address >= networkOf(subnet) && address <= broadcastOf(subnet);
}

/** Reserves no address of /31 and /32. */
export function isHost(subnet: Subnet, address: number): boolean {
  if (!holds(subnet, address)) return false;
  return subnet.prefix >= 31 || (address !== networkOf(subnet) && address !== broadcastOf(subnet));
}

export function overlap(a: Subnet, b: Subnet): boolean {
  return networkOf(a) <= broadcastOf(b) && networkOf(b) <= broadcastOf(a);
}

/** Excludes this-host, loopback, link-local (RFC 3927), multicast and reserved. */
export function isUnicast(address: number): boolean {
  const first = Math.floor(address / 2 ** 24);
  const linkLocal = Math.floor(address / 2 ** 16) === 169 * 256 + 254;
  return first !== 0 && first !== 127 && first < 224 && !linkLocal;
}

export interface AddressRange {
  first: number;
  last: number;
}

/** Parses `10.1.0.10-10.1.0.20`, `10.1.0.64/26` without host bits, or one address. */
export function readAddressRange(text: string): AddressRange | null {
  if (text.includes('/')) {
    const subnet = readSubnet(text.trim());
    if (subnet === null || networkOf(subnet) !== subnet.address) return null;
    return { first: subnet.address, last: broadcastOf(subnet) };
  }
  const [head = '', tail = head, ...more] = text.split('-');
  const [first, last] = [readAddress(head.trim()), readAddress(tail.trim())];
  return first === null || last === null || last < first || more.length > 0 ? null : { first, last };
}

export interface PortRange {
  first: number;
  last: number;
}

/** Parses `80` or `8000-8010`. */
export function readPorts(text: string): PortRange | null {
  const match = /^([1-9]\d{0,4})(?:-([1-9]\d{0,4}))?$/.exec(text);
  if (!match) return null;
  const first = Number(match[1]);
  const last = match[2] === undefined ? first : Number(match[2]);
  return last > 65_535 || last < first ? null : { first, last };
}

export function holdsPort({ first, last }: PortRange, port: number): boolean {
  return first <= port && port <= last;
}

export interface ForwardedPorts extends PortRange {
  protocol: 'tcp' | 'udp' | 'any';
}

export function clash(a: ForwardedPorts, b: ForwardedPorts): boolean {
  const alike = a.protocol === b.protocol || a.protocol === 'any' || b.protocol === 'any';
  return alike && a.first <= b.last && b.first <= a.last;
}

/** Shifted ranges need a kernel entry per port. */
export const shiftedPorts = 256;
/** Receives the WAN uplink's own lease. */
export const dhcpClientPort = 68;

const privateSubnets = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10'].map(
  (text) => readSubnet(text)!,
);

/** Returns whether an address is private (RFC 1918) or shared (RFC 6598). */
export function isPrivate(address: number): boolean {
  return privateSubnets.some((subnet) => address >= subnet.address && address <= broadcastOf(subnet));
}
