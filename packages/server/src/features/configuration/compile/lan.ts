import { configuration } from '@yunxun/contract';

/** A LAN of a routing device: its own address in it, and how long the prefix is. */
export interface Lan {
  /** The address as a 32-bit number. */
  address: number;
  prefix: number;
}

export const defaultLan = '192.168.1.1/24';

/** Reads `192.168.1.1/24`; null when it is no usable address of a private network, with room for terminals. */
export function readLan(text: string): Lan | null {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})\/(\d{1,2})$/.exec(text);
  if (!match) return null;
  const parts = match.slice(1).map(Number);
  const prefix = parts[4]!;
  const octets = parts.slice(0, 4);
  if (octets.some((octet) => octet > 255) || match.slice(1).some((part, index) => String(parts[index]) !== part))
    return null;
  const { min, max } = configuration.configurationLimits.lanPrefix;
  const address = octets.reduce((sum, octet) => sum * 256 + octet, 0);
  const own = address % 2 ** (32 - prefix);
  if (prefix < min || prefix > max || own === 0 || own === 2 ** (32 - prefix) - 1) return null;
  return isPrivate(octets[0]!, octets[1]!) ? { address, prefix } : null;
}

function isPrivate(first: number, second: number): boolean {
  return first === 10 || (first === 172 && second >= 16 && second <= 31) || (first === 192 && second === 168);
}

/** The LAN of an SSID's VLAN: one of 10.112.0.0/12 by its number, so that no two are the same. */
export function lanOfVlan(vlan: number): Lan {
  return { address: ((10 * 256 + 112 + Math.floor(vlan / 256)) * 256 + (vlan % 256)) * 256 + 1, prefix: 24 };
}

/** Whether two LANs share addresses. */
export function overlap(a: Lan, b: Lan): boolean {
  const size = 2 ** (32 - Math.min(a.prefix, b.prefix));
  return Math.floor(a.address / size) === Math.floor(b.address / size);
}

export function dotted(address: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join('.');
}

/** The pool of a LAN that nobody said anything about: its first address, how many, and for how many minutes. */
export function usualPool(text: string): { first: string; count: number; lease_minutes: number } {
  const lan = readLan(text) ?? readLan(defaultLan)!;
  const { first, count } = leases(lan);
  return { first: dotted(lan.address - (lan.address % 2 ** (32 - lan.prefix)) + first), count, lease_minutes: 360 };
}

/** Offsets of the first leased address and how many there are; the device's own address is not among them. */
function leases({ address, prefix }: Lan): { first: number; count: number } {
  const size = 2 ** (32 - prefix);
  const own = address % size;
  const wanted = { first: size >= 256 ? 10 : 2, count: size >= 256 ? 200 : size - 4 };
  // below or above the device's own address, whichever has more room
  if (own < wanted.first || own >= wanted.first + wanted.count) return wanted;
  const below = own - wanted.first;
  const above = size - 1 - (own + 1);
  return below > above
    ? { first: wanted.first, count: below }
    : { first: own + 1, count: Math.min(above, wanted.count) };
}

const leaseTime = '6h';

/** `ipv4` of a routed interface. A gateway of the `olg` platform counts its leases by address, others by offset. */
export function routedIpv4(lan: Lan, platform: string | undefined): Record<string, unknown> {
  const { first, count } = leases(lan);
  const network = lan.address - (lan.address % 2 ** (32 - lan.prefix));
  const dhcp =
    platform === 'olg'
      ? {
          'lease-start': dotted(network + first),
          'lease-end': dotted(network + first + count - 1),
          'lease-time': leaseTime,
        }
      : { 'lease-first': first, 'lease-count': count, 'lease-time': leaseTime };
  return { addressing: 'static', subnet: `${dotted(lan.address)}/${lan.prefix}`, dhcp };
}
