import { dotted } from './lan.ts';

/** An IPv4 address as a 32-bit number, with the length of its network's prefix. */
export interface Host {
  address: number;
  prefix: number;
}

/** The number of a dotted address; null where the text is none. Leading zeros, octal to some programs, are refused. */
export function readAddress(text: string): number | null {
  if (!/^\d{1,3}(\.\d{1,3}){3}$/.test(text)) return null;
  let address = 0;
  for (const part of text.split('.')) {
    if (Number(part) > 255 || String(Number(part)) !== part) return null;
    address = address * 256 + Number(part);
  }
  return address;
}

/** Reads `192.168.1.1/24`; null where the text is of another form. */
export function readHost(text: string): Host | null {
  const [head = '', tail = '', ...more] = text.split('/');
  const address = readAddress(head);
  if (address === null || more.length > 0 || !/^(\d|[12]\d|3[0-2])$/.test(tail)) return null;
  return { address, prefix: Number(tail) };
}

/** The lowest address of the network. */
export function networkOf({ address, prefix }: Host): number {
  return address - (address % 2 ** (32 - prefix));
}

/** The network in writing: `192.168.1.0/24`. */
export function networkText(host: Host): string {
  return `${dotted(networkOf(host))}/${host.prefix}`;
}

/** Whether an address lies in a network. */
export function holds(host: Host, address: number): boolean {
  return networkOf({ address, prefix: host.prefix }) === networkOf(host);
}

/** Whether a machine may have this address there: it is not the lowest or the highest, unless there are only two. */
export function isMachine(host: Host, address: number): boolean {
  if (!holds(host, address)) return false;
  const last = networkOf(host) + 2 ** (32 - host.prefix) - 1;
  return host.prefix >= 31 || (address !== networkOf(host) && address !== last);
}

/** Whether machines have addresses of this kind: not this host, loopback, multicast or reserved. */
export function isUnicast(address: number): boolean {
  const first = Math.floor(address / 2 ** 24);
  return first !== 0 && first !== 127 && first < 224;
}

/** Ports of a text: `80` or `8000-8010`; null where it is of another form. */
export function readPorts(text: string): { first: number; last: number } | null {
  const match = /^([1-9]\d{0,4})(?:-([1-9]\d{0,4}))?$/.exec(text);
  if (!match) return null;
  const first = Number(match[1]);
  const last = match[2] === undefined ? first : Number(match[2]);
  return last > 65_535 || last < first ? null : { first, last };
}
