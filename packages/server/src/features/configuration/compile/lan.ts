import { configuration, gateway } from '@yunxun/contract';
import { dotted, holds, isHost, networkOf, overlap, readSubnet, type Subnet, sizeOf } from '@yunxun/contract/ipv4';
import type { GatewayReport } from './intent.ts';

export const defaultLan = '192.168.1.1/24';

/** Returns null unless private and large enough for clients. */
export function readLan(text: string): Subnet | null {
  const lan = readSubnet(text);
  const { min, max } = configuration.configurationLimits.lanPrefix;
  if (lan === null || lan.prefix < min || lan.prefix > max || !isHost(lan, lan.address)) return null;
  return privateNetworks.some((network) => holds(network, lan.address)) ? lan : null;
}

const privateNetworks = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'].map((text) => readSubnet(text)!);

const upTo = (count: number, first = 1) => Array.from({ length: count }, (_, at) => at + first);

const lanCandidates: readonly string[] = [
  defaultLan,
  ...upTo(253, 2).map((part) => `192.168.${part}.1/24`),
  ...upTo(254).map((part) => `10.${part}.0.1/24`),
  ...upTo(16, 16).map((part) => `172.${part}.0.1/24`),
];

/**
 * Prefers the running LAN, else the first outside every reported subnet; addresses on LAN ports are the host's own.
 * Null: none left.
 */
export function proposeLan({ subnets, lans }: Pick<GatewayReport, 'subnets' | 'lans'>): string | null {
  const running = lans.find(({ subnet }) => lanCandidates.includes(subnet));
  if (running) return running.subnet;
  const isFree = (candidate: string) =>
    subnets.every((one) => {
      if (one.subnet === candidate && one.interface.startsWith('down')) return true;
      const taken = readSubnet(one.subnet);
      return !taken || !overlap(taken, readSubnet(candidate)!);
    });
  return lanCandidates.find(isFree) ?? null;
}

/** Spreads VLANs over 10.112.0.0/12 without collisions. */
export function lanOfVlan(vlan: number): Subnet {
  return { address: ((10 * 256 + 112 + Math.floor(vlan / 256)) * 256 + (vlan % 256)) * 256 + 1, prefix: 24 };
}

export function usualPool(text: string): { first: string; count: number; lease_minutes: number } {
  const lan = readLan(text) ?? readLan(defaultLan)!;
  const { first, count } = leases(lan);
  return { first: dotted(networkOf(lan) + first), count, lease_minutes: gateway.gatewayLimits.leaseMinutes.otherwise };
}

function leases({ address, prefix }: Subnet): { first: number; count: number } {
  const size = sizeOf(prefix);
  const own = address % size;
  const wanted = { first: size >= 256 ? 10 : 2, count: size >= 256 ? 200 : size - 4 };
  // the larger side of the own address
  if (own < wanted.first || own >= wanted.first + wanted.count) return wanted;
  const below = own - wanted.first;
  const above = size - 1 - (own + 1);
  return below > above
    ? { first: wanted.first, count: below }
    : { first: own + 1, count: Math.min(above, wanted.count) };
}

const leaseTime = '6h';

/** Defines pools by address for `olg` gateways, else by offset. */
export function routedIpv4(lan: Subnet, platform: string | undefined): Record<string, unknown> {
  const { first, count } = leases(lan);
  const network = networkOf(lan);
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
