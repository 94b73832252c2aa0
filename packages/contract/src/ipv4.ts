/** IPv4 in numbers, for whoever judges a configuration: the console before it is sent, the box before it is tried. An address is 0 … 2^32 - 1. */

/** An address with the length of its network's prefix. */
export interface Subnet {
  address: number;
  prefix: number;
}

/** The number of a dotted address, or null; leading zeros (octal to some programs) are refused. */
export function readAddress(text: unknown): number | null {
  if (typeof text !== 'string' || !/^\d{1,3}(\.\d{1,3}){3}$/.test(text)) return null;
  let address = 0;
  for (const part of text.split('.')) {
    if (Number(part) > 255 || String(Number(part)) !== part) return null;
    address = address * 256 + Number(part);
  }
  return address;
}

/** Reads `192.168.1.1/24`, or null. */
export function readSubnet(text: unknown): Subnet | null {
  if (typeof text !== 'string') return null;
  const [head, tail, ...more] = text.split('/');
  const address = readAddress(head);
  if (address === null || tail === undefined || more.length > 0 || !/^(\d|[12]\d|3[0-2])$/.test(tail)) return null;
  return { address, prefix: Number(tail) };
}

/** `192.168.1.1` */
export function dotted(address: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join('.');
}

/** How many addresses a prefix of this length has. */
export function sizeOf(prefix: number): number {
  return 2 ** (32 - prefix);
}

/** The lowest address of the network. */
export function networkOf({ address, prefix }: Subnet): number {
  return address - (address % sizeOf(prefix));
}

/** The highest address of the network. */
export function broadcastOf(subnet: Subnet): number {
  return networkOf(subnet) + sizeOf(subnet.prefix) - 1;
}

/** `255.255.255.0` */
export function maskOf(prefix: number): string {
  return dotted(2 ** 32 - sizeOf(prefix));
}

/** The network in writing, without host bits: `192.168.1.0/24`. */
export function networkText(subnet: Subnet): string {
  return `${dotted(networkOf(subnet))}/${subnet.prefix}`;
}

/** Whether an address lies in a network. */
export function holds(subnet: Subnet, address: number): boolean {
  return address >= networkOf(subnet) && address <= broadcastOf(subnet);
}

/** Whether a machine may have this address in the network: it is not the lowest or highest, unless there are only two. */
export function isHost(subnet: Subnet, address: number): boolean {
  if (!holds(subnet, address)) return false;
  return subnet.prefix >= 31 || (address !== networkOf(subnet) && address !== broadcastOf(subnet));
}

/** Whether two networks share addresses. */
export function overlap(a: Subnet, b: Subnet): boolean {
  return networkOf(a) <= broadcastOf(b) && networkOf(b) <= broadcastOf(a);
}

/** Whether machines have addresses of this kind: not this host, loopback, multicast or reserved. */
export function isUnicast(address: number): boolean {
  const first = Math.floor(address / 2 ** 24);
  return first !== 0 && first !== 127 && first < 224;
}

/** Ports from the first to the last, both included. */
export interface PortRange {
  first: number;
  last: number;
}

/** Ports of a text: `80` or `8000-8010`; null where it is of another form. */
export function readPorts(text: string): PortRange | null {
  const match = /^([1-9]\d{0,4})(?:-([1-9]\d{0,4}))?$/.exec(text);
  if (!match) return null;
  const first = Number(match[1]);
  const last = match[2] === undefined ? first : Number(match[2]);
  return last > 65_535 || last < first ? null : { first, last };
}

/** Whether a port is one of them. */
export function holdsPort({ first, last }: PortRange, port: number): boolean {
  return first <= port && port <= last;
}

/** Ports of a protocol that are forwarded. */
export interface ForwardedPorts extends PortRange {
  protocol: 'tcp' | 'udp' | 'any';
}

/** Whether two forwards want the same port. */
export function clash(a: ForwardedPorts, b: ForwardedPorts): boolean {
  const alike = a.protocol === b.protocol || a.protocol === 'any' || b.protocol === 'any';
  return alike && a.first <= b.last && b.first <= a.last;
}

/** Each port of a range with another number inside is an entry of its own in the kernel of the box: so many at once. */
export const shiftedPorts = 256;
/** A line's own lease comes to this port (UDP) of the box. */
export const dhcpClientPort = 68;
